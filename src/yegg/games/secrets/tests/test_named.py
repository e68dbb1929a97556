"""Whoever plays by post can be named in orders, whatever they are called."""

import pytest

from yegg.engine import Refused
from yegg.games.secrets import mail
from yegg.games.secrets.names import check_named, check_names

from .test_orders import match_of, understood

WORDS = sorted((mail.GLUE | mail.COUNTED | set(mail.NUMBERS)) - mail.GIVEN)


def refusal(names, **options):
    """Why a game by post with these people is refused; "" if it is not."""
    try:
        check_names(names)
        match = match_of(names, **options)
        check_named(names, [match.known_to(seat)[0] for seat in range(len(names))])
    except Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("written", [str.lower, str.title, str.upper])
def test_se_3_no_word_of_the_orders_is_a_name(written):
    let_in = [word for word in WORDS if not refusal([written(word), "Bill", "Charles"])]
    assert let_in == []


@pytest.mark.parametrize(
    "names",
    [
        ["Guard 7", "Bill", "Ann"],
        ["Bill 3", "Bill", "Ann"],
        ["Secret 2", "Bill", "Ann"],
        ["Nr. 3", "Bill", "Ann"],
        ["Bill's", "Bill", "Ann"],
        ["From Bill", "Bill", "Ann"],
        ["will", "Bill", "Ann"],
        ["> Zoe", "Bill", "Ann"],
        ["\u0410nn", "Bill", "Ann"],
        ["Clubs", "Bill", "Ann"],
        ["9", "Bill", "Ann"],
    ],
    ids=lambda names: ascii(names[0]),
)
def test_se_3_names_that_orders_would_misread_are_refused(names):
    assert refusal(names), "orders could not name them"


@pytest.mark.parametrize("hidden", ["no", "yes"])
@pytest.mark.parametrize(
    "name",
    ["Will", "May", "Don B", "Zoë", "St. John", "J.R.", "O'Neil", "李小龙", "Ann-Lee", "Guest"],
)
def test_se_3_names_that_people_have_are_taken(name, hidden):
    assert refusal([name, "Bill", "Charles"], hidden=hidden) == ""


def test_se_3_a_seat_names_whoever_sits_there_however_they_are_called():
    match = match_of(["Ann", "Don", "Never", "Guard"])
    text = (
        "Club steals secret 2 from seat 2, Diamond steals secret 9 from seat 3, Heart steals 9 "
        "from seat 4, and Spade steals seat 2 8. Policeman guards secret 7."
    )
    assert understood(text, 0, match) == [
        "2 from Don",
        "9 from Never",
        "9 from Guard",
        "8 from Don",
        "guards 7",
    ]
