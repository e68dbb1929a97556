"""The commands that pages and helps show are commands that there are; those that can be run, run.

Examples with what they print (``console``) are run by ``test_docs.py``, all of them.
"""

import re
import shlex

import click
import pytest
from programs import command
from test_docs import PAGES, short, text
from test_documented import COMMANDS

from yegg.cli import cli

SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LEFT_OUT = {
    r"^(play|learn \w|daily|puzzle)\b": "a person has to answer",
    r"^(serve|sit|house|mcp)\b": "it needs a server, or is one: tests/table",
    r"^(train|benchmark|mine)\b|^lab (preflight|tune|counter)": "it takes minutes by design",
    r"--on cluster|--device cuda": "it needs a cluster or a graphics card: tests/lab, tests/cuda",
    r"mybots:|chat:|\b(my|mine|ben|before|first)\.(game|csv)\b|-story\b|bold\.json|new-game\b": (
        "it needs something that only the reader has"
    ),
    r"^lab (run|plan|show|report|check) ": "a chain that tests/lab goes through, with fewer games",
    r"^lab answers": "it is about the files of a checkout: tests/lab",
    r"^bot ": "another program talks to it: tests/test_bot.py",
}
"""Which commands of ``sh`` blocks are not run, and why; their words are checked all the same."""


def shown(block):
    """The words of each ``yegg …`` of a block of shell: no comment, no pipe, no redirection."""
    for line in block.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        for sign in ("&&", "|", ">", "<"):
            words = words[: words.index(sign)] if sign in words else words
        while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
            words = words[1:]
        if words[:1] == ["yegg"]:
            yield words[1:]


ON_PAGES = sorted(
    {
        (short(path), *words)
        for path in PAGES
        for block in SHELL.findall(path.read_text("utf-8"))
        for words in shown(block)
    }
)


def in_helps():
    """The examples of each help: the words before two spaces, in paragraphs that keep columns."""
    for name, one in COMMANDS.items():
        for part in re.findall(r"\x08\n(.*?)(?:\n\s*\n|\Z)", one.help or "", re.DOTALL):
            for line in part.splitlines():
                if line.strip().startswith("yegg "):
                    yield name, *shlex.split(re.split(r"  +|\s[|<>]\s", line.strip())[0])[1:]


def fault(words):
    """What Click has against these words, by their form alone; "" where they are well."""
    one, context, words = cli, click.Context(cli, info_name="yegg"), list(words)
    try:
        while isinstance(one, click.Group) and words and not words[0].startswith("-"):
            name, found, words = one.resolve_command(context, words)
            context, one = click.Context(found, info_name=name, parent=context), found
        _, left, _ = one.make_parser(context).parse_args(words)
    except click.UsageError as error:
        return error.format_message()
    return f"too many words: {left}" if left and not isinstance(one, click.Group) else ""


@pytest.mark.parametrize("example", ON_PAGES, ids=" ".join)
def test_a_command_on_a_page_is_one_that_there_is(example):
    assert not fault(example[1:])


def test_examples_of_helps_are_commands_that_there_are():
    examples = list(in_helps())
    assert len(examples) > 40
    assert not {" ".join(words): said for _, *words in examples if (said := fault(words))}


def reason(example):
    """Why an example is not run; None where it is."""
    line = " ".join(example)
    return next((why for form, why in LEFT_OUT.items() if re.search(form, line)), None)


RUN = [example for example in ON_PAGES if not reason(example[1:])]


@pytest.mark.wide
@pytest.mark.parametrize("example", RUN, ids=" ".join)
def test_a_command_on_a_page_runs(example, tmp_path):
    done = command(*example[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_each_reason_for_not_running_is_needed():
    """And some are run."""
    lines = [" ".join(words) for _, *words in ON_PAGES]
    assert not [form for form in LEFT_OUT if not any(re.search(form, line) for line in lines)]
    assert len(RUN) > 6


def test_console_blocks_are_written_as_they_are_found():
    """``test_docs.py`` runs those that begin at the margin; there are no others."""
    for path in PAGES:
        page = path.read_text("utf-8")
        assert page.count("```console") == len(re.findall(r"^```console$", page, re.MULTILINE))
    for path in (*PAGES[0].parents[0].glob("docs/**/*.rst"),):
        assert "code-block:: console" not in text(path)
