"""Take the README's pictures of the table in the browser, by day and by night: `make pictures`.

A server is started, and a game of Second Story is played at it against bots until there is
something to be seen: a bag that is worth a second look, and a house whose odds are not clear.
"""

import base64
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import chromium
import msgspec
from playwright.sync_api import sync_playwright

from yegg import Bot
from yegg.client import Table
from yegg.client.playing import view_of
from yegg.parts.decktet import RANK

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE, SHARPNESS, QUALITY = {"width": 1280, "height": 800}, 1.5, 85
GAMES = 20  # in which the moment is looked for
CHOOSE = """async ([table, choice, after]) => {
    const csrf = document.querySelector("meta[name=csrf]").content;
    const answer = await fetch(`/api/games/${table}/choices`, {
        method: "POST",
        headers: {"Content-Type": "application/json", "X-CSRF-Token": csrf},
        body: JSON.stringify({choice, after}),
    });
    return answer.status;
}"""
THERE = "n => document.querySelector('#live [data-number]').dataset.number >= n"


@contextmanager
def server():
    """The address of a server that is there for the pictures alone."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--no-warm", "--pace", "0", "--port", str(port), "--db", f"{folder}/t.db"]
        serving = subprocess.Popen(
            [sys.executable, "-m", "yegg.cli", *words], stdout=subprocess.DEVNULL
        )
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(f"http://localhost:{port}/health").close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield f"http://localhost:{port}"
        finally:
            serving.terminate()
            serving.wait()


def sit_down(page):
    """Open a table for Ann and three bots."""
    page.goto("/?game=second-story")
    for seat, sits in ((2, "medium"), (3, "medium"), (4, "medium"), (5, "")):
        page.select_option(f"select[name=seat{seat}]", sits)
    page.click("button:has-text('Open the table')")
    page.wait_for_selector(".at-table")


def worth_seeing(view):
    """Everybody has something at home, and much lies in the bag before a house that is hard."""
    s = view.state
    homes = [s.lair[seat].sum() for seat in range(view.players)]
    hard = 6 <= RANK[s.house] <= 8
    return "thorough" in view.texts and hard and s.bag.sum() >= 4 and min(homes) >= 2


def bold(view, bot):
    """As the bot plays, but not home before there is something in the bag."""
    if "continue" in view.texts and view.state.bag.sum() < 5:
        return view.hear("continue")
    return bot.choose(view)


def played(page):
    """Play until the moment is there; whether it came."""
    bot, path = Bot("medium"), f"/api/games/{page.url.partition('/t/')[2][:22]}"
    while True:
        table = msgspec.json.decode(page.request.get(path).body(), type=Table)
        if table.over:
            return False
        if not table.choices:
            time.sleep(0.05)
            continue
        view = view_of(table)
        if worth_seeing(view):
            page.wait_for_function(THERE, arg=table.number)
            return True
        page.evaluate(CHOOSE, [table.id, bold(view, bot), table.number])


def take(page, scheme):
    """A picture by day or by night."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(500)
    session = page.context.new_cdp_session(page)
    how = {"format": "webp", "quality": QUALITY}
    taken = base64.b64decode(session.send("Page.captureScreenshot", how)["data"])
    path = PICTURES / f"table-{scheme}.webp"
    path.write_bytes(taken)
    print(f"{path.name}: {len(taken) // 1000} kB")


with server() as base, sync_playwright() as play:
    browser = play.chromium.launch(
        executable_path=chromium.program(), args=["--no-sandbox", "--disable-gpu"]
    )
    context = browser.new_context(base_url=base, viewport=SIZE, device_scale_factor=SHARPNESS)
    context.add_cookies([{"name": "yegg-name", "value": "Ann", "url": base}])
    context.add_init_script("try { localStorage['yegg-pace'] = 'at once' } catch { }")
    page = context.new_page()
    page.set_default_timeout(300_000)
    for _ in range(GAMES):
        sit_down(page)
        if played(page):
            break
    else:
        raise SystemExit("the moment did not come")
    for scheme in ("light", "dark"):
        take(page, scheme)
    browser.close()
