/* The basic game of Second Story as tight as we can write it in C: random games for `beside_c.py`.
   Unlike `second_story.c` it does not play yegg's games: it has no options, no position that anybody
   could look at, and dice of its own (xorshift).  Chips of all suits are bytes of one word, piles are
   not in order, and both dice of a quick job are rolled in one step, which counts for two events.
   KIND, RANK, SUITS and SUIT_COUNT of the 45 cards come from the script. */
#include <stdint.h>
#include <string.h>

enum { SIDES = 10, SEATS = 5, ACE = 0, NUMBER = 1, CROWN = 2 };
#define ONE(suit) (1ull << 8 * (suit))
#define HAS(chips, suit) ((chips) >> 8 * (suit) & 255)

static uint64_t x;

static inline uint64_t bits(void) {
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

static inline uint32_t below(uint32_t n) { return (bits() >> 32) * n >> 32; }

static inline int some_suit_is_gone(uint64_t bank) { /* a byte of six that is 0 */
    bank |= 0xFFFFull << 48;
    return ((bank - 0x0101010101010101u) & ~bank & 0x8080808080808080u) != 0;
}

/* Play one game at random; return how many events there were. */
static int64_t game(int players, uint64_t chips, const uint8_t *deck, int cards) {
    uint64_t lair[SEATS] = {0}, bank = chips * 0x010101010101u, bag = 0, tonight = 0;
    uint8_t pile[CARDS];
    int n = cards, discards = 0, turned = 0, turn = 0, last_turns = -1;
    int64_t events = 0;
    memcpy(pile, deck, cards);
    for (;;) {
        if (!n) {
            for (int i = 0; i < cards; i++)
                if (!(tonight >> deck[i] & 1))
                    pile[n++] = deck[i];
            discards = 0;
        }
        int i = below(n), house = pile[i], suit = SUITS[house][0];
        pile[i] = pile[--n];
        tonight |= 1ull << house;
        turned++;
        events++;
        if (KIND[house] == ACE) {
            int back = HAS(bag, suit) > 0;
            uint64_t moved = back ? -ONE(suit) : HAS(bank, suit) ? ONE(suit) : 0;
            bag += moved;
            bank -= moved;
            if (n + discards)
                continue;
            goto home;
        }
        int quick = 1;
        if (KIND[house] == NUMBER) {
            quick = bits() >> 63;
            events++;
        }
    roll:;
        uint64_t both = bits();
        uint32_t best = (both >> 32) * SIDES >> 32, other = (both & 0xFFFFFFFFu) * SIDES >> 32;
        best = quick && other > best ? other : best;
        events += 1 + quick;
        if ((int)best + 1 < RANK[house]) {
            if (KIND[house] == CROWN && HAS(lair[turn], suit)) {
                events++;
                if (bits() >> 63) {
                    lair[turn] -= ONE(suit);
                    bag += ONE(suit);
                    goto roll;
                }
            }
            bank += bag;
            goto out;
        }
        uint64_t there = 0;
        int suits = 0;
        for (int k = 0; k < SUIT_COUNT[house]; k++)
            if (HAS(bank, SUITS[house][k])) {
                there += ONE(SUITS[house][k]);
                suits++;
            }
        if (quick && suits > 1) {
            there = ONE(SUITS[house][bits() >> 63]);
            events++;
        }
        bag += there;
        bank -= there;
        if (n + discards) {
            events++;
            if (bits() >> 63)
                continue;
        }
    home:
        lair[turn] += bag;
    out:
        bag = tonight = 0;
        discards += turned;
        turned = 0;
        if (last_turns > 0)
            last_turns--;
        else if (some_suit_is_gone(bank))
            last_turns = players;
        if (++turn == players)
            turn = 0;
        if (!last_turns)
            return events;
    }
}

/* Deal games and play them at random; return how many events there were. */
int64_t playouts(int32_t games, int32_t players, int32_t chips, uint64_t dice) {
    uint8_t deck[CARDS];
    int64_t events = 0;
    int cards = 0;
    x = dice * 0x9E3779B97F4A7C15u;
    for (int card = 0; card < CARDS; card++)
        if (KIND[card] <= CROWN)
            deck[cards++] = card;
    for (int g = 0; g < games; g++)
        events += game(players, chips, deck, cards);
    return events;
}
