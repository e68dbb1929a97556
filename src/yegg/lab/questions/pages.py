"""Markdown pages of answers: one for each question, and one of them all."""

from collections.abc import Mapping, Sequence
from typing import Any

from yegg.lab.cells import among, who
from yegg.lab.report.files import line, rows_of
from yegg.text.phrases import capital, grouped, listing, number

Data = Mapping[str, Any]
BETTER = "Better players might answer otherwise."
FROM_ALL = (
    "Choices were drawn from all that were possible, not from those that the players would make: "
    "an effect below zero says that a choice is bad on average wherever it is possible; made at "
    "the right time it may be good all the same."
)
HARD = """\
Some questions were put to `hard` too, who thinks ahead: a game of theirs takes 3 to 20 seconds of a
processor, so there are few. The samples were fixed before the first game. Where their answer is
clear and differs from that of `medium`, the sentence in the tables above says so. The last column
is half of a 95 % interval.
"""
HEAD = """\
# Answers

For whoever designs or plays one of the four games and wonders whether something is so. Here is what
their authors and players asked, answered by playing. Each page has the question, the answer in a
sentence, then the figures. The sentence follows from the figures: each outcome has one, and what
came out chooses ([how](../lab.md#questions)). The level `medium` played, often also random players
and sometimes `hard`; each page says who played, and whether their answers agree. Better players
might answer otherwise.

[Answers that changed](changed.md) shows where the players of 1.0 had answered otherwise.

`yegg lab answers` makes all of this again; `yegg lab answers --check` names the answers that were
made with other rules.
"""


def page(data: Data) -> str:
    """An answer as Markdown: the question, the answer in a sentence, then its figures."""
    name, (first, *others) = data["name"], data["answers"]
    parts = [f"# {line(data['question'])}"]
    if data["asked"]:
        parts.append(f"> {line(data['asked'])}")
    parts.append(f"**{line(first['says'])}**")
    if first["evidence"]:
        parts.append(line(first["evidence"]))
    drawn = data["drawn"]
    parts += [_played(data), f"![{line(drawn['title'])}: {line(drawn['says'])}]({name}.svg)"]
    if others:
        said = [f"* **{line(one['says'])}** {line(one['evidence'])}" for one in others]
        parts += ["## What else came out", "\n".join(map(str.rstrip, said))]
    for plot in data["plots"]:
        parts += [f"## {line(plot['title'])}", rows_of(plot)]
    if data["tested"]["rows"]:
        parts += ["## What was claimed beforehand", rows_of(data["tested"])]
    said = [f"* {line(one)}" for one in (*data["method"], *data["limits"])]
    parts += ["## Method and limits", "\n".join(said)]
    parts.append(
        f"Made by {data['made_by']}; `yegg lab answers {name}` makes it again from "
        f"[the question](../questions/{name}.toml). All figures: [{name}.json]({name}.json). "
        "[All answers](README.md)."
    )
    return "\n\n".join(parts) + "\n"


def _played(data: Data) -> str:
    """Who played: the level that the answer is about first."""
    levels = list(dict.fromkeys(one["level"] for one in data["figures"]))
    level = data["answers"][0]["level"]
    beside = [who(other) for other in levels if other != level]
    more = f", with {listing(beside)} beside it" if beside and len(beside) < 4 else ""
    games = f"{data['title']}, {data['players']}, {data['meta'][0]}"
    agree = _agree(data["answers"][0])
    drawn = _drawn(data)
    if " " in level:
        sat = listing(list(dict.fromkeys(_others(one) for one in levels if " " in one)), "or")
        return f"{games}. Each plan sat {sat}, in all seats.{agree} {BETTER}{drawn}"
    return f"{games}. This is what {who(level)} say{more}.{agree} {BETTER}{drawn}"


def _drawn(data: Data) -> str:
    """From which choices forks were drawn, and so what their effects say; "" without forks."""
    chosen = {one["fork"]: "chosen" in one for one in data["forks"] if "offer" not in one}
    if not any(chosen.values()):
        return f" {FROM_ALL}" if chosen else ""
    made = "from those that the players made: the effect is what they would lose without them."
    if all(chosen.values()):
        return f" Choices were drawn {made}"
    names = listing([f"“{line(name)}”" for name, only in chosen.items() if only])
    return f" {FROM_ALL} Those of {names} were drawn {made}"


def _others(level: str) -> str:
    """Where a plan sat: ``among three medium players``, ``opposite a medium player``."""
    others = level.split()[1:]
    kind = "random" if others[0] == "uniform" else others[0]
    if len(others) == 1:
        return f"opposite a {kind} player"
    return f"among {number(len(others))} {kind} players"


def _agree(answer: Mapping[str, Any]) -> str:
    """Whether those who played beside have the same answer; "" if nobody did."""
    agreement = ""
    outcomes = answer["beside"]
    for head, fits in (
        ("is the same", lambda outcome: outcome == answer["outcome"]),
        ("is open", lambda outcome: outcome == "open" != answer["outcome"]),
        ("is different", lambda outcome: outcome not in {"open", "no claim", answer["outcome"]}),
    ):
        if there := [among(level) for level, outcome in outcomes.items() if fits(outcome)]:
            agreement += f" The answer {head} {listing(there)}."
    for one in answer["stronger"]:
        agreement += (
            f" {capital(who(one['level']))} played only {grouped(one['games'])} games, so what "
            f"they say may be {one['within']} off either way."
        )
    return agreement


def summary(every: Sequence[Data]) -> str:
    """The page of all answers: first those that nobody expected."""
    parts = [HEAD]
    surprising = [data for data in every if any(map(_otherwise, data["answers"]))]
    if surprising:
        parts.append("## Otherwise than expected\n")
        for data in surprising:
            asked = f" {line(data['asked'])}" if data["asked"] else ""
            first = next(filter(_otherwise, data["answers"]))
            parts.append(f"* {_link(data)}{asked} **{line(first['says'])}**")
        parts.append("")
    for title in dict.fromkeys(data["title"] for data in every):
        parts += [f"## {title}\n", "| question | answer |", "|---|---|"]
        mine = (data for data in every if data["title"] == title)
        parts += [f"| {_link(data)} | {_cell(data['answers'][0]['says'])} |" for data in mine]
        parts.append("")
    thought = [(data, one) for data in every for one in data["answers"][0].get("stronger", ())]
    if thought:
        parts += ["## What hard players say\n", HARD]
        parts += ["| question | hard players | games | may be off by |", "|---|---|---|---|"]
        for data, one in thought:
            few = f"{grouped(one['games'])} | {one['within']}"
            parts.append(f"| {_link(data)} | {_cell(one['says'])} | {few} |")
        parts.append("")
    return "\n".join(parts)


def _otherwise(answer: Mapping[str, Any]) -> bool:
    """Whether an answer is known, and not what whoever asked expected."""
    known = answer["outcome"] not in {"open", "no claim"}
    return bool(answer["expected"]) and known and answer["outcome"] != answer["expected"]


def _link(data: Data) -> str:
    return f"[{_cell(data['question'])}]({data['name']}.md)"


def _cell(said: str) -> str:
    return capital(line(said)).replace("|", "\\|")
