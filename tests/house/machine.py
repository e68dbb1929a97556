"""What people may come to do, at random: each rule makes a line, which an evening carries out."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from house.evening import GAMES, PEOPLE, PLAYERS, Evening
from house.writing import WHEN

WHO = st.sampled_from(PEOPLE)
NUMBER = st.integers(0, 20)
SEAT = st.integers(1, 3)
BOTS = st.sampled_from(["uniform", "easy"])
MOST = 3  # tables in an evening
SOON_OVER = "secrets", "second-story"


class Meeting(RuleBasedStateMachine):
    """An evening whose lines are drawn."""

    server = None  # whoever runs it says which
    kept = None  # called with the lines of an evening that ends

    def __init__(self):
        super().__init__()
        self.evening = Evening(self.server)

    def teardown(self):
        type(self).kept(self.evening)

    def do(self, *words):
        self.evening.do(" ".join(map(str, words)))

    def table(self, number):
        return number % len(self.evening.tables)

    def somebody(self, who, table, number):
        """Mostly somebody who may act at a table, else whoever was drawn."""
        there = self.evening.tables[table]
        names = {now: name for name, now in self.evening.who.items()}
        able = [names[s.owner] for i in there.waited_for() if (s := there.seats[i]).owner in names]
        return able[number % len(able)] if able and number % 8 else who

    @initialize(
        game=st.sampled_from(sorted(GAMES)),
        bots=st.integers(0, 1),
        clock=st.booleans(),
        come=st.integers(0, 5),
        chance=st.integers(0, 2**32),
        processes=st.sampled_from([1, 1, 1, 1, 2, 3]),
    )
    def opens_first(self, game, bots, clock, come, chance, processes):
        if processes > 1:
            self.do("all", "processes", processes)
        self.do("all", "chance", chance)
        seats = ["me", "open", "open"][: PLAYERS[game]]
        if bots:
            seats[-1] = "easy"
        self.open("Ann", game, seats, clock)
        for who in ("Ben", "Cid")[: seats.count("open") if come else 1]:
            self.do(who, "sit", 1)
        self.do("Ann", "listen", 1)

    @rule(who=WHO, game=st.sampled_from(sorted(GAMES)), bots=NUMBER, clock=st.booleans())
    def opens(self, who, game, bots, clock):
        if len(self.evening.tables) < MOST:
            others = ["open" if bots >> i & 1 else "uniform" for i in range(PLAYERS[game] - 1)]
            self.open(who, game, ["me", *others], clock)

    def open(self, who, game, seats, clock):
        """Without a clock where all order at once: milliseconds decide there who is late first."""
        timed = clock and game != "secrets"
        self.do(who, "open", game, ",".join(seats), *(["clock"] if timed else []))

    @rule(who=WHO, table=NUMBER, seat=st.sampled_from(["any", "1", "2", "3"]))
    def sits(self, who, table, seat):
        self.do(who, "sit", self.table(table) + 1, seat)

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def leaves(self, who, table, number):
        if number % 2 == 0:
            self.do(who, "leave", self.table(table) + 1)

    # Choices

    def text(self, who, table, number):
        """A legal choice of somebody, else one of the actor's; by its number where orders lie."""
        there = self.evening.tables[table]
        seat = there.seat_of(self.evening.who[who])
        own = there.choices(seat) if seat is not None else {}
        legal = own or there.match.texts
        if not legal:
            return "#0"
        text = list(legal)[number % len(legal)]
        return f"#{legal[text]}" if there.orders.get(seat) else text

    def chooses_by(self, verb, who, table, number):
        table = self.table(table)
        who = self.somebody(who, table, number)
        self.do(who, verb, table + 1, self.text(who, table, number))

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def chooses(self, who, table, number):
        self.chooses_by("choose", who, table, number)

    @rule(table=NUMBER, numbers=st.lists(NUMBER, min_size=2, max_size=8))
    def some_choose(self, table, numbers):
        for number in numbers:
            if self.evening.tables[self.table(table)].waited_for():
                self.chooses_by("choose", "Ann", table, number)

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def chooses_twice(self, who, table, number):
        self.chooses_by("choose-twice", who, table, number)

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def chooses_late(self, who, table, number):
        self.chooses_by("choose-late", who, table, number)

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def takes_back_and_chooses_late(self, who, table, number):
        self.chooses_by("choose", who, table, number)
        self.do(self.last, "undo", self.table(table) + 1)
        self.chooses_by("choose-late", self.last, table, number)

    @rule(who=WHO, table=NUMBER, numbers=st.lists(NUMBER, min_size=1, max_size=3))
    def changes_their_mind(self, who, table, numbers):
        """Choose, take it back, and choose something else."""
        for number in numbers:
            self.chooses_by("choose", who, table, number)
            who = self.last
            self.do(who, "undo", self.table(table) + 1)
        self.chooses_by("choose", who, table, numbers[0] + 1)

    @rule(who=WHO, other=WHO, table=NUMBER, number=NUMBER)
    def would_close_and_plays_on(self, who, other, table, number):
        table = self.table(table)
        who = self.somebody(who, table, number)
        self.do(who, "close", table + 1)
        self.chooses_by("choose", who, table, number)
        self.do(other, "close", table + 1)

    @property
    def last(self):
        return self.evening.lines[-1].split(" ")[0]

    @rule(table=NUMBER, number=NUMBER)
    def chooses_in_a_row(self, table, number):
        table = self.table(table)
        there = self.evening.tables[table]
        who = self.somebody("Ann", table, number)
        seat = there.seat_of(self.evening.who[who])
        if seat not in there.waited_for() or there.match.game.secret:
            return
        twin, row = there.match.fork(), []
        while twin.actor == seat and len(row) < 3:
            row.append(list(twin.texts)[number % len(twin.choices)])
            twin.play(twin.texts[row[-1]])
        self.do(who, "choose-row", table + 1, " | ".join(row))

    @rule(who=WHO, table=NUMBER, text=st.sampled_from(["fly to the moon", "#9999", "#0"]))
    def talks_nonsense(self, who, table, text):
        table = self.table(table)
        self.do(self.somebody(who, table, 1), "choose", table + 1, text)

    @rule(who=WHO, table=NUMBER)
    def takes_back(self, who, table):
        self.do(who, "undo", self.table(table) + 1)

    @rule(table=NUMBER)
    def whoever_was_last_takes_back(self, table):
        self.do(self.last if self.last in PEOPLE else "Ben", "undo", self.table(table) + 1)

    # Seats

    @rule(who=WHO, table=NUMBER, bot=BOTS, number=NUMBER)
    def hands_over(self, who, table, bot, number):
        """Mostly not for long."""
        self.do(who, "hand", self.table(table) + 1, bot)
        if number % 4:
            self.do(who, "hand", self.table(table) + 1)

    @rule(who=WHO, table=NUMBER)
    def plays_again(self, who, table):
        self.do(who, "hand", self.table(table) + 1)

    @rule(who=WHO, table=NUMBER, bot=st.sampled_from(["nobody", "easy:99999999s"]))
    def hands_over_to_no_bot(self, who, table, bot):
        self.do(who, "hand-wrong", self.table(table) + 1, bot)

    @rule(who=WHO, table=NUMBER, seat=SEAT, bot=BOTS)
    def puts_a_bot(self, who, table, seat, bot):
        self.do(who, "put", self.table(table) + 1, seat, bot)

    @rule(who=WHO, table=NUMBER, name=st.sampled_from(["Vera", "Ann", "Ben", "Wu"]))
    def is_called(self, who, table, name):
        self.do(who, "rename", self.table(table) + 1, name)

    @rule(table=NUMBER)
    def all_hand_over(self, table):
        """So the game is played to its end; the two that are soon over."""
        if self.evening.tables[self.table(table)].match.game.name not in SOON_OVER:
            return
        for who in PEOPLE:
            if self.evening.tables[self.table(table)].seat_of(self.evening.who[who]) is not None:
                self.do(who, "hand", self.table(table) + 1, "easy")

    # Time

    @rule(who=WHO, table=NUMBER)
    def would_pause(self, who, table):
        self.do(who, "pause", self.table(table) + 1)

    @rule(table=NUMBER, number=NUMBER)
    def all_would_pause(self, table, number):
        """Mostly somebody ends the pause at once, or nothing would happen any more."""
        if not self.evening.tables[self.table(table)].timed:
            return
        for who in PEOPLE:
            if self.evening.tables[self.table(table)].seat_of(self.evening.who[who]) is not None:
                self.do(who, "pause", self.table(table) + 1)
        if number:
            self.do("all", "wait", number)
            self.do(PEOPLE[number % 2], "go-on", self.table(table) + 1)

    @rule(table=NUMBER, number=NUMBER)
    def is_late_and_plays_on(self, table, number):
        if self.evening.tables[self.table(table)].timed:
            for _ in range(1 + number % 3):
                self.do("all", "wait", 500)
            self.chooses_by("choose", "Ann", table, number)
            self.do("all", "wait", 500)

    @rule(who=WHO, table=NUMBER)
    def goes_on(self, who, table):
        self.do(who, "go-on", self.table(table) + 1)

    @rule(who=WHO, table=NUMBER, seat=SEAT)
    def gives_time(self, who, table, seat):
        self.do(who, "give", self.table(table) + 1, seat)

    @rule(seconds=st.sampled_from([1, 7, 45, 70, 200, 500]))
    def time_goes_by(self, seconds):
        self.do("all", "wait", seconds)

    # Beside the game

    @rule(who=WHO, table=NUMBER, phrase=st.integers(1, 14))
    def says(self, who, table, phrase):
        self.do(who, "say", self.table(table) + 1, phrase)

    @rule(who=WHO, table=NUMBER, seat=SEAT)
    def blocks(self, who, table, seat):
        self.do(who, "block", self.table(table) + 1, seat)

    @rule(who=WHO, number=NUMBER)
    def is_forgotten(self, who, number):
        if number % 2 == 0:
            self.do(who, "forget")

    @rule(who=st.sampled_from([*PEOPLE, "all"]), table=NUMBER)
    def listens(self, who, table):
        self.do(who, "listen", self.table(table) + 1)

    @rule(table=NUMBER)
    def is_read_from_disk(self, table):
        self.do("all", "reread", self.table(table) + 1)

    # What fails

    @rule(seconds=st.sampled_from([1, 20, 300]), number=NUMBER)
    def dies(self, seconds, number):
        if number % 2:
            self.do("all", "die", seconds)

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def some_hear_nothing(self, who, table, number):
        """Of several processes; meanwhile somebody chooses."""
        if self.evening.server.several:
            for line in range(1 + number % 3):
                self.do("all", "cut", line)
            self.chooses_by("choose", who, table, number)

    @rule(who=WHO, table=NUMBER, number=NUMBER, how=st.sampled_from(WHEN), nth=st.integers(1, 3))
    def chooses_and_the_house_dies(self, who, table, number, how, nth):
        table = self.table(table)
        there, who = self.evening.tables[table], self.somebody(who, table, number)
        seat = there.seat_of(self.evening.who[who])
        if seat is not None and there.seats[seat].played:
            text = self.text(who, table, number)
            self.do(who, "choose-dying", table + 1, how, nth, text)

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def gets_no_answer(self, who, table, number):
        self.chooses_by("choose-lost", who, table, number)

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def comes_twice_at_once(self, who, table, number):
        self.chooses_by("choose-doubled", who, table, number)

    # Afterwards

    @rule(who=WHO, table=NUMBER, number=NUMBER)
    def closes(self, who, table, number):
        if number % 4 == 0:
            self.do(who, "close", self.table(table) + 1)

    @rule(table=NUMBER, number=NUMBER)
    def all_close(self, table, number):
        if number % 4:  # else few games would go on
            return
        for who in PEOPLE[number % 2 :]:
            if self.evening.tables[self.table(table)].seat_of(self.evening.who[who]) is not None:
                self.do(who, "close", self.table(table) + 1)

    @rule(who=WHO, table=NUMBER)
    def would_play_again(self, who, table):
        if len(self.evening.tables) < 2 * MOST:
            self.do(who, "rematch", self.table(table) + 1)

    @rule(who=WHO, table=NUMBER, at=st.integers(0, 60), seat=SEAT)
    def goes_on_from(self, who, table, at, seat):
        if len(self.evening.tables) < 2 * MOST:
            self.do(who, "fork", self.table(table) + 1, at, seat)
