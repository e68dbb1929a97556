"""A caller's own drawing of legal actions from masks of bits, the same for all that have such."""


def drawer():
    """A compiled function of masks (games, words), a generator (1,) and actions (games,)."""
    import numba
    import numpy as np

    one, gold = np.uint64(1), np.uint64(0x9E3779B97F4A7C15)
    first, second = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
    a, b, c, d = (np.uint64(shift) for shift in (30, 27, 31, 32))

    @numba.njit
    def lowest(word):
        """The place of the lowest bit that is set."""
        place, width = 0, 32
        while width:
            if word & ((one << np.uint64(width)) - one) == 0:
                word >>= np.uint64(width)
                place += width
            width //= 2
        return place

    @numba.njit
    def draw(masks, dice, actions):
        for game in range(masks.shape[0]):
            many = 0
            for i in range(masks.shape[1]):
                word = masks[game, i]
                while word:
                    word &= word - one
                    many += 1
            dice[0] += gold
            x = dice[0]
            x = (x ^ (x >> a)) * first
            x = (x ^ (x >> b)) * second
            left = np.int64((((x ^ (x >> c)) >> d) * np.uint64(many)) >> d)
            for i in range(masks.shape[1]):
                word = masks[game, i]
                while word and left > 0:
                    word &= word - one
                    left -= 1
                if word:
                    actions[game] = 64 * i + lowest(word)
                    break

    return draw
