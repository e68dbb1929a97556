"""What fails in an evening: the house dies, an answer is lost, a request comes twice."""

from house.compared import Differs, same
from house.model import OK
from house.server import SILENCE

DOWN = 20  # seconds until the house is there again
PAUSE = 6  # seconds after which everybody may say something again


class Failing:
    """The part of an evening that fails; see `Evening` for what it has."""

    def _chance(self, _, seed):
        """`all chance 42`: how long everything takes from here on."""
        self.server.loop.chance.seed(int(seed))

    def _die(self, _, seconds):
        """`all die 20`: the house dies between two requests, and is there again after 20 s.

        A house of several processes has to be silent for a while until it counts as closed.
        """
        gone = max(int(seconds), SILENCE if self.server.several else 0)
        self.server.die(gone)
        self._back(gone)
        for number in range(len(self.tables)):
            self._follow(number)

    def _cut(self, _, number):
        """`all cut 2`: of several processes one does not hear what is done next."""
        self.server.notices.cut(int(number))

    def _back(self, seconds):
        """The house is there again: nobody's time went by, and what was said is forgotten.

        Whoever listened listens again.
        """
        for table in self.tables:
            table.now += seconds
            table.spoke = {}
        self.server.fetch(self.keys)
        self._listen_again()

    def _listen_again(self):
        """Whoever listened to a process that has died listens to another one."""
        for (number, who), ear in self.ears.items():
            if ear.deaf:
                self.ears[number, who] = self.server.listen(ear.key, ear.token, ear)

    def _choose_dying(self, who, table, rest):
        """`Ann choose-dying 1 torn 2 end`: Ann chooses, and the house dies at its second write.

        What was acknowledged is there; anything else is there as a whole, or not at all.
        """
        how, nth, choice = rest.split(" ", 2)
        number, model, key, said, request = self.request_for(who, table, choice)
        seat, before = model.seat_of(who), len(self.server.events(key))
        answer = self.server.ask_dying(how, int(nth), DOWN, self.keys, *request)
        there = self.server.events(key)[before:]
        if self.server.several:
            self._listen_again()
        else:
            self._back(DOWN)
        if answer is not None:
            self.expect(answer, model.choose(who, said))
        elif any(row.actor == seat and row.name is None for row in there):
            same("what was done unacknowledged", OK, model.choose(who, said))
        if self.server.several:  # only the process that died has forgotten who spoke last
            model.settle(self.server.choices_of_chance(key))
            self._wait(who, PAUSE)
        for other in range(len(self.tables)):
            if other != number:
                self._follow(other)
        return number

    def _choose_lost(self, who, table, choice):
        """The answer is lost, so the same is sent again: it is done once."""
        number, model, key, said, request = self.request_for(who, table, choice)
        first = model.choose(who, said)
        self.server.ask(*request, lost=True)
        model.settle(self.server.choices_of_chance(key))
        again = model.choose(who, said, stale=first == OK)
        self.expect(self.server.ask(*request), again)
        return number

    def request_for(self, who, table, choice):
        """A table, the choice as it is sent, and the request."""
        number, model, key = self.at(table)
        said = int(choice[1:]) if choice.startswith("#") else choice
        body = {"choice": said, "after": self.seen[number, who]["number"]}
        path = f"/api/games/{key}/choices"
        return number, model, key, said, ("POST", path, self.tokens.get(who), body)

    def _choose_doubled(self, who, table, choice):
        """The network sends it twice, at about the same time: it is done once."""
        number, model, key, said, request = self.request_for(who, table, choice)
        first = model.choose(who, said)
        told = [answer.status_code for answer in self.server.ask_twice(*request)]
        model.settle(self.server.choices_of_chance(key))
        again = model.choose(who, said, stale=first == OK)
        if sorted(told) != sorted([first, again]):
            raise Differs(f"sent twice, the house answers {told}; the model {[first, again]}")
        return number
