"""A player of your own, against a bot that comes with yegg, in one game."""

import yegg


class Bold(yegg.Player):
    """Never goes home while the bag is light."""

    def choose(self, view):  # view: what this seat may know, and nothing else
        if "continue" in view.texts and view.state.bag.sum() < 3:
            return view.hear("continue")
        return view.choices[-1]


if __name__ == "__main__":
    match = yegg.Match("second-story", players=2, seed=7)
    seats = [Bold(), yegg.Bot("medium")]
    while not match.over:
        match.play(seats[match.actor].choose(match.view()))
    print(match.places, match.scores)
