"""A whole game, decision by decision: chance plays by itself where a seed is given."""

import yegg

match = yegg.Match("second-story", players=3, seed=7)
seats = [yegg.Bot("easy", seed=1), yegg.Bot("medium", seed=2), yegg.Bot("hard", seed=3)]
while not match.over:
    choice = seats[match.actor].choose(match.view(match.actor))
    print(f"seat {match.actor + 1}: {match.say(choice)}")
    match.play(choice)
print("places", match.places, "scores", match.scores)
