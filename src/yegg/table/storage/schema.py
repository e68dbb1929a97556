"""The tables of the database.  A game is its events; the lobby's columns follow from them."""

import sqlalchemy as sa

metadata = sa.MetaData()

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(22), nullable=False, unique=True),  # in links; cannot be guessed
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the rules it was begun under
    sa.Column("seats", sa.SmallInteger, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),  # of the rules
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("odds", sa.Boolean, nullable=False),  # whether odds and advice may be asked for
    sa.Column("listed", sa.Boolean, nullable=False),  # whether the lobby shows it
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since 1970
    sa.Column("ended", sa.BigInteger),
    sa.Column("result", sa.JSON),  # places and scores as they were counted then
    sa.Column("people", sa.JSON),  # by seat: name, digest of the token, bot
    sa.Column("to_act", sa.Integer),  # the seats that are to act, a bit each
    sa.Column("bots_turn", sa.Boolean),  # whether a bot is to act
    sa.Column("origin", sa.String(120)),  # where its first events were played: an address here
    sa.Column("clock", sa.JSON(none_as_null=True)),  # its terms; without them nobody is hurried
    sa.Column("waits", sa.JSON),  # for whom: seat, since which event and when, and until when
    sa.Column("due", sa.BigInteger),  # the earliest of these; ms since 1970
    sa.Column("chance", sa.String(40)),  # "deal 2026-11-22", "challenge KEY"; or dice of its own
    sa.Column("quick", sa.String(60)),  # of a quick match that waits: which
    sa.Column("watch", sa.String(40)),  # who may watch, and how much later; see `WatchTerms`
    sa.Column("begun", sa.Boolean),  # whether everybody has sat down; unknown of older games
    sa.Column("counts", sa.Boolean),  # whether its result counts for the season
    sa.Column("evening", sa.String(22)),  # the key of the evening that it belongs to
)
of_bots, DUE = games.c.bots_turn.is_(True), games.c.due.is_not(None)
COUNTS = games.c.counts.is_(True)
sa.Index("games_of_bots", games.c.id, postgresql_where=of_bots, sqlite_where=of_bots)

FOR_ALL = games.c.watch.like(sa.literal_column("'lobby %'"))  # a bound value would miss the index
sa.Index("games_for_all", games.c.id, postgresql_where=FOR_ALL, sqlite_where=FOR_ALL)
sa.Index("games_quick", games.c.quick, unique=True)
sa.Index("games_counted", games.c.ended, postgresql_where=COUNTS, sqlite_where=COUNTS)
sa.Index("games_by_due", games.c.due, postgresql_where=DUE, sqlite_where=DUE)

events = sa.Table(
    "events",
    metadata,
    sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("actor", sa.SmallInteger, nullable=False),  # a seat from 0; -1: chance
    sa.Column("choice", sa.SmallInteger, nullable=False),  # below 0: see `Kind`
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("words", sa.Text),  # of the record, as the rules of then say it; or a key
    sqlite_with_rowid=False,  # rows lie in the order of the key: a game's events lie together
)

sittings = sa.Table(
    "sittings",
    metadata,
    sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),  # the event
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("person", sa.String(64)),  # digest of the token that proves the seat
    sa.Column("bot", sa.String(100)),
    sqlite_with_rowid=False,
)
sa.Index("sittings_of_person", sittings.c.person)

dice = sa.Table(
    "dice",
    metadata,
    sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("promise", sa.String(64), nullable=False, unique=True),  # never made twice
    sa.Column("seed", sa.String(64), nullable=False),  # leaves the server once the game is over
    sa.Column("after", sa.Integer, nullable=False),  # so many events were played before it
    sa.Column("early", sa.Boolean, nullable=False),  # promised before anybody sat down
    sa.Column("origin", sa.String(64)),  # the promise of the dice of these first events, if any
)

deals = sa.Table(
    "deals",  # games by the deal of a day, or by that of another game, which is here, too
    metadata,
    sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("day", sa.String(22), nullable=False),  # 2026-11-22, in UTC; or a challenge's key
    sa.Column("name", sa.String(40), nullable=False),  # of the game
    sa.Column("person", sa.String(64), nullable=False),  # or "level hard": a bot in their seat
    sa.Column("looked", sa.JSON(none_as_null=True)),  # what the coach found; see `deals.Looked`
    sa.UniqueConstraint("day", "name", "person"),
)
sa.Index("deals_of_person", deals.c.person)

server = sa.Table(
    "house",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("secret", sa.String(64), nullable=False),  # signs the cookies
    sa.Column("dice", sa.String(64)),  # makes the seeds that are promised before a table is opened
    sa.Column("deals", sa.String(64)),  # makes the keys of the deals of each day
    sa.Column("open_at", sa.BigInteger),  # the last sign of life of any process; ms since 1970
    sa.Column("host", sa.String(64)),  # digest of the key to the host's page; none: there is none
)

closed = sa.Table(
    "closed",  # when no process was running: nobody's time counts
    metadata,
    sa.Column("since", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)

processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),  # its last sign of life, by this clock; ms
)

# People: their devices, how they are told, and what they were told

EVERYWHERE = 0
"""In place of a game: good for everything that is somebody's."""

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # of the token that a device carries
    sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),  # or `EVERYWHERE`
    sa.Column("person", sa.String(64), nullable=False, index=True),
    sa.Column("device", sa.String(60), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger),  # never deleted: without it, it were a person of its own
)

codes = sa.Table(
    "codes",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(64), nullable=False, index=True),
    sa.Column("game", sa.Integer, nullable=False),
    sa.Column("name", sa.String(40), nullable=False),  # what the person is called
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger),
)

contacts = sa.Table(
    "contacts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("person", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("address", sa.String(1000), nullable=False),
    sa.Column("more", sa.JSON, nullable=False),  # what this kind needs beside an address
    sa.Column("hours", sa.JSON, nullable=False),  # of a digest; none: soon after each turn
    sa.Column("zone", sa.String(60), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("confirmed", sa.BigInteger),
    sa.Column("last", sa.BigInteger, nullable=False),  # when something was last sent
    sa.Column("pending", sa.JSON(none_as_null=True)),  # what is being sent, until it has gone out
    sa.Column("tries", sa.SmallInteger, nullable=False),
    sa.Column("next", sa.BigInteger, nullable=False),  # when it is tried again
    sa.UniqueConstraint("person", "kind", "address"),
    sqlite_autoincrement=True,  # links name it: no number is ever another's
)
sa.Index("contacts_of_address", contacts.c.address)

told = sa.Table(
    "told",
    metadata,
    sa.Column("contact", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),  # the turn that was told last
    sa.Column("called", sa.Integer, nullable=False),  # … and was called a last time
)

seen = sa.Table(
    "seen",
    metadata,
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),  # the turn that they have seen
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # of a letter that was read
    sa.Column("at", sa.BigInteger, nullable=False),
)

puzzle_tries = sa.Table(
    "puzzle_tries",
    metadata,
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("puzzle", sa.Integer, primary_key=True, autoincrement=False),  # its number
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("found", sa.Boolean, nullable=False),  # at the first try; later ones are not kept
    sa.Column("at", sa.BigInteger, nullable=False),
)

# Evenings: rounds of tables for whoever has joined.  Results are those of `games`.

evenings = sa.Table(
    "evenings",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(22), nullable=False, unique=True),  # in links; cannot be guessed
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("host", sa.String(64), nullable=False),  # the person who opened it
    sa.Column("plan", sa.JSON, nullable=False),  # see `domain.evening.Plan`
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since 1970
    sa.Column("begun", sa.BigInteger),
    sa.Column("ended", sa.BigInteger),
)
RUNS = evenings.c.begun.is_not(None) & evenings.c.ended.is_(None)

evening_members = sa.Table(
    "evening_members",
    metadata,
    sa.Column("evening", sa.Integer, sa.ForeignKey("evenings.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),  # from 1
    sa.Column("person", sa.String(64), nullable=False),
    sa.Column("name", sa.String(60), nullable=False),  # unlike that of any other member
    sa.Column("away", sa.Boolean, nullable=False),  # they are in no further round
    sa.Column("source", sa.String(32)),  # a keyed digest of evening and address: who came together
    sa.UniqueConstraint("evening", "person"),
)
sa.Index("evenings_of_person", evening_members.c.person)

evening_tables = sa.Table(
    "evening_tables",
    metadata,
    sa.Column("evening", sa.Integer, sa.ForeignKey("evenings.id"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),  # from 1
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),  # 0: who sits out
    sa.Column("game", sa.String(22)),  # the key of its game; it is opened after this is written
    sa.Column("members", sa.JSON, nullable=False),  # their numbers, by seat
    sa.Column("at", sa.BigInteger, nullable=False),
)

# Guests: who blocks whom, and who is barred

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("person", sa.String(64), nullable=False),
    sa.Column("other", sa.String(64), nullable=False),  # whom this person would rather not meet
    sa.Column("name", sa.String(60), nullable=False),  # what they were called then
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("person", "other"),
)

barred = sa.Table(
    "barred",
    metadata,
    sa.Column("who", sa.String(64), primary_key=True),  # a person, or a network
    sa.Column("why", sa.String(200), nullable=False),  # for those who look after the house
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(60)),  # what a person was called then; a network has none
)

muted = sa.Table(
    "muted",
    metadata,
    sa.Column("who", sa.String(64), primary_key=True),  # whose phrases nobody hears
    sa.Column("name", sa.String(60), nullable=False),  # what they were called then
    sa.Column("at", sa.BigInteger, nullable=False),
)

touched = sa.Table(
    "touched",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.Integer, nullable=False),  # to be read again; 0: only about guests
    sa.Column("at", sa.BigInteger, nullable=False),
)

EVENT = tuple(column.name for column in events.c)
