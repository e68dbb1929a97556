"""Language models as players, asked by OpenAI's interface: a scripted server stands in."""

import logging

import pytest
from chatting import answer, last, scripted

import yegg
from yegg import players
from yegg.players import chat, outside, usage

SECRET = "sk-0123456789-nobody-else"  # noqa: S105  of nobody


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(usage, "_used", {})
    monkeypatch.delenv(chat.KEY, raising=False)


def asked(bot, seed=0):
    """The view of a first decision, and who decides there."""
    match = yegg.Match("second-story", players=2, seed=seed, how="plain").to_decision()
    return match.view(), yegg.Bot(players.enrol(bot))


def failure(script):
    view, bot = asked(script.bot)
    with pytest.raises(yegg.Failed) as failed:
        bot.choose(view)
    return str(failed.value)


def test_a_model_plays_a_game_to_its_end_and_its_tokens_are_counted():
    with scripted(last) as script:
        run = yegg.simulate("second-story", [script.bot, "uniform"], games=1, seed=3)
        told = usage.usage(script.bot)
    assert not run.batch.failed.any()
    assert told.decisions == told.answers == len(script.asked) > 5
    assert (told.tokens_read, told.tokens_written) == (10 * told.answers, 3 * told.answers)
    assert told.illegal == told.failures == told.uncounted == 0
    assert all(one["model"] == "tiny" for one in script.asked)
    roles = [[message["role"] for message in one["messages"]] for one in script.asked]
    assert roles == [["system", "user"]] * len(roles)


def test_a_model_is_told_why_its_answer_was_refused_and_asked_again():
    with scripted(answer("[dance]"), answer("No brackets."), last) as script:
        view, bot = asked(script.bot)
        assert view.say(bot.choose(view)) == "quick"
    second, third = (one["messages"][-1]["content"] for one in script.asked[1:])
    assert "'dance' is not possible here; possible: thorough, quick" in second
    assert "there is no choice in square brackets" in third
    assert "2. quick" in third
    assert usage.usage(script.bot).illegal == 2


def test_a_model_that_only_talks_nonsense_makes_no_choice():
    with scripted(answer("[dance]")) as script:
        assert failure(script).endswith("raised Failure: gave 3 answers that are no choice")
        told = usage.usage(script.bot)
    assert (told.illegal, told.failures, told.decisions) == (3, 1, 1)


def test_an_answer_that_was_cut_off_is_no_choice_whatever_its_brackets_say():
    with scripted(answer("If [thorough] were better", finish="length"), last) as script:
        view, bot = asked(script.bot)
        assert view.say(bot.choose(view)) == "quick"
    assert chat.LESS in script.asked[1]["messages"][-1]["content"]
    assert usage.usage(script.bot).cut == 1


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ((200, b"<html>"), "the server's answer is none of a chat"),
        ((200, {"choices": []}), "the server's answer holds no message"),
        ((404, {"error": "no such model"}), "the server answered 404: "),
        ((200, b" " * (chat.LARGEST + 1)), "the server's answer has more than 1,048,576 bytes"),
    ],
)
def test_a_server_that_answers_something_else_costs_the_decision(reply, why):
    with scripted(reply) as script:
        assert why in failure(script)
        assert len(script.asked) == 1


def test_a_model_that_says_nothing_at_all_is_asked_again():
    with scripted(answer(None), last) as script:
        view, bot = asked(script.bot)
        assert view.say(bot.choose(view)) == "quick"
    assert script.asked[1]["messages"][-2] == {"role": "assistant", "content": "(nothing)"}


def test_a_server_that_keeps_silent_is_hung_up_on(monkeypatch):
    monkeypatch.setattr(chat, "ONE_REQUEST", 0.2)
    with scripted(None) as script:
        script.answers = [script.silent]
        assert "no whole answer came after 0.2 s" in failure(script)


def test_a_busy_server_is_asked_again_after_a_pause(monkeypatch):
    pauses = []
    monkeypatch.setattr(chat.time, "sleep", pauses.append)
    with scripted((429, {}), (503, {}), last) as script:
        view, bot = asked(script.bot)
        assert view.say(bot.choose(view)) == "quick"
    assert pauses == [0.2, 0.4]
    with scripted((429, {"error": "later"})) as script:
        assert "the server answered 429" in failure(script)
        assert len(script.asked) == chat.ATTEMPTS


def test_nobody_answers():
    with scripted(last) as script:
        pass
    assert "no answer came" in failure(script)


def test_the_key_goes_to_the_server_alone(monkeypatch, caplog):
    monkeypatch.setenv(chat.KEY, SECRET)
    with caplog.at_level(logging.DEBUG), scripted((401, {"error": f"bad key {SECRET}"})) as script:
        said = failure(script)
    assert script.heads[0]["authorization"] == f"Bearer {SECRET}"
    assert "the server answered 401" in said
    assert SECRET not in said + caplog.text + str(script.asked)


def test_what_a_server_says_of_its_cost_is_added_up():
    paid = answer("[2]", prompt_tokens=7, completion_tokens=1, cost=0.25)
    with scripted(paid, paid, answer("[1]")) as script:
        for _ in range(3):
            view, bot = asked(script.bot)
            bot.choose(view)
        told = usage.usage(script.bot)
    assert (told.tokens_read, told.cost, told.uncounted) == (14, 0.5, 1)


@pytest.mark.parametrize("name", ["chat:", "chat:tiny", "chat:tiny@ftp://here", "chat:@http://h"])
def test_what_names_no_model_is_refused(name):
    with pytest.raises(yegg.Refused, match="it is chat:MODEL@URL"):
        players.enrol(name)


@pytest.mark.parametrize("url", ["http://me:key@here/v1", "http://here/v1?key=a"])
def test_an_address_holds_no_key(url):
    with pytest.raises(yegg.Refused, match="can hold no key: put it into YEGG_CHAT_KEY"):
        players.enrol(f"chat:tiny@{url}")


def test_a_model_that_nobody_here_has_named_is_no_bot():
    """Names that come over the network are looked up, and never enrolled."""
    assert not players.known("chat:tiny@http://inside/v1")
    with pytest.raises(yegg.Refused, match="no bot is called"):
        yegg.Bot("chat:tiny@http://inside/v1")


def test_a_model_may_take_longer_than_other_players():
    with scripted(last) as script:
        view, _ = asked(script.bot)
        guest = outside.Outsider(view.game, script.bot, chat.Model.read(script.bot), 1, 0.0)
        assert view.say(guest.choose(view.states, view.seat, view.choices)) == "quick"


def test_the_command_line_takes_a_model_where_it_takes_a_bot(run):
    with scripted(last) as script:
        status, out, err = run(f"sim second-story -n 2 --bots {script.bot},uniform")
    assert status == 0, err
    assert script.bot in out
