/* Second Story as one would write it in C: random games for `beside_c.py`, the same dice as yegg's.
   The options are those of the published rules, so no Excuse, Pawns, Courts or SS-37.
   KIND, RANK, SUITS and SUIT_COUNT of the 45 cards come from the script. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SUIT_KINDS = 6, SIDES = 10, SEATS = 5 };
enum { ACE, NUMBER, CROWN };
enum { FLIP, PLAN, ROLL, TAKE, JAM, ROAD, OVER };
enum { FACE = CARDS, THOROUGH = CARDS + SIDES, QUICK, CONTINUE = THOROUGH + 5, STOP, RISK,
       FLEE = THOROUGH + 9, CHIP };

typedef struct {
    int32_t players, turn, phase, house, plan, dice, best, after, last_turns, face_down, turned,
        discards, pile[CARDS], tonight[CARDS], bank[SUIT_KINDS], bag[SUIT_KINDS],
        lair[SEATS][SUIT_KINDS];
} State;

static void shuffle(State *s) {
    for (int card = 0; card < CARDS; card++)
        if (KIND[card] <= CROWN && !s->tonight[card])
            s->pile[s->face_down++] = card;
    s->discards = 0;
}

static inline int can_risk(const State *s) {
    return KIND[s->house] == CROWN && s->lair[s->turn][SUITS[s->house][0]] > 0;
}

static inline int ways(const State *s, int32_t *out) {
    int n = 0;
    switch (s->phase) {
    case FLIP: return s->face_down;
    case ROLL: return SIDES;
    case ROAD: case PLAN: return 2;
    case TAKE:
        for (int i = s->after; i < SUIT_COUNT[s->house]; i++)
            if (s->bank[SUITS[s->house][i]] > 0)
                out[n++] = CHIP + SUITS[s->house][i];
        return n;
    default:
        if (can_risk(s))
            out[n++] = RISK;
        out[n++] = FLEE;
        return n;
    }
}

static inline int way(const State *s, const int32_t *out, int i) {
    switch (s->phase) {
    case FLIP: return s->pile[i];
    case ROLL: return FACE + i;
    case ROAD: return CONTINUE + i;
    case PLAN: return THOROUGH + i;
    default: return out[i];
    }
}

static inline void turn_up(State *s) {
    if (!s->face_down)
        shuffle(s);
    s->phase = FLIP;
}

static inline int some_suit_is_gone(const State *s) {
    for (int suit = 0; suit < SUIT_KINDS; suit++)
        if (!s->bank[suit])
            return 1;
    return 0;
}

static inline void end_turn(State *s) {
    memset(s->tonight, 0, sizeof s->tonight);
    s->discards += s->turned;
    s->turned = 0;
    if (s->last_turns > 0)
        s->last_turns--;
    else if (some_suit_is_gone(s))
        s->last_turns = s->players;
    if (++s->turn == s->players)
        s->turn = 0;
    s->house = s->plan = 0;
    if (s->last_turns)
        turn_up(s);
    else
        s->phase = OVER;
}

static inline void empty_bag(State *s, int32_t *into) {
    for (int suit = 0; suit < SUIT_KINDS; suit++) {
        into[suit] += s->bag[suit];
        s->bag[suit] = 0;
    }
    end_turn(s);
}

static inline void pocket(State *s, int suit) {
    if (s->bank[suit] > 0) {
        s->bank[suit]--;
        s->bag[suit]++;
    }
}

static inline void leave_house(State *s) {
    s->house = s->plan = 0;
    if (s->face_down + s->discards)
        s->phase = ROAD;
    else
        empty_bag(s, s->lair[s->turn]);
}

static inline void roll_for(State *s, int plan) {
    s->plan = plan;
    s->dice = plan == QUICK ? 2 : 1;
    s->best = 0;
    s->phase = ROLL;
}

static inline void face(State *s, int card) {
    int32_t behind = 0;
    for (int i = s->face_down - 1;; i--) {
        int32_t this = s->pile[i];
        s->pile[i] = behind;
        if (this == card)
            break;
        behind = this;
    }
    s->face_down--;
    s->tonight[card] = 1;
    s->turned++;
    s->house = card;
    if (KIND[card] == CROWN) {
        roll_for(s, QUICK);
    } else if (KIND[card] == NUMBER) {
        s->phase = PLAN;
    } else {
        int suit = SUITS[card][0];
        if (s->bag[suit]) {
            s->bag[suit]--;
            s->bank[suit]++;
        } else {
            pocket(s, suit);
        }
        s->house = 0;
        if (s->face_down + s->discards)
            turn_up(s);
        else
            empty_bag(s, s->lair[s->turn]);
    }
}

static inline void loot(State *s) {
    int there = 0, wanted = s->plan == THOROUGH ? 2 : 1;
    for (int i = 0; i < SUIT_COUNT[s->house]; i++)
        there += s->bank[SUITS[s->house][i]] > 0;
    if (there > wanted) {
        s->phase = TAKE;
        return;
    }
    for (int i = 0; i < SUIT_COUNT[s->house]; i++)
        pocket(s, SUITS[s->house][i]);
    leave_house(s);
}

static inline void play(State *s, int choice) {
    switch (s->phase) {
    case FLIP: face(s, choice); break;
    case PLAN: roll_for(s, choice); break;
    case ROLL:
        if (choice - FACE + 1 > s->best)
            s->best = choice - FACE + 1;
        if (--s->dice)
            break;
        if (s->best >= RANK[s->house])
            loot(s);
        else if (can_risk(s))
            s->phase = JAM;
        else
            empty_bag(s, s->bank);
        break;
    case TAKE:
        pocket(s, choice - CHIP);
        leave_house(s);
        break;
    case JAM:
        if (choice == RISK) {
            s->lair[s->turn][SUITS[s->house][0]]--;
            s->bag[SUITS[s->house][0]]++;
            roll_for(s, s->plan);
        } else {
            empty_bag(s, s->bank);
        }
        break;
    default:
        if (choice == STOP)
            empty_bag(s, s->lair[s->turn]);
        else
            turn_up(s);
    }
}

static inline uint64_t stir(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Deal games and play them at random; return how many events there were. */
int64_t playouts(int32_t games, int32_t players, int32_t chips, uint64_t dice) {
    int64_t events = 0;
    int32_t out[SUIT_KINDS];
    State *all = calloc(games, sizeof *all);
    for (int g = 0; g < games; g++) {
        State *s = all + g;
        s->players = players;
        s->last_turns = -1;
        for (int suit = 0; suit < SUIT_KINDS; suit++)
            s->bank[suit] = chips;
        for (shuffle(s); s->phase != OVER; events++) {
            uint64_t bits = stir(dice += 0x9E3779B97F4A7C15u);
            int n = ways(s, out);
            play(s, way(s, out, (int)(((bits >> 32) * (uint64_t)n) >> 32)));
        }
    }
    free(all);
    return events;
}
