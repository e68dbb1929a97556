"""A person at a browser: what they see, press and wait for.

Others play meanwhile, and the machine may be slow: so nothing is looked for once that may come
later, and what others may end first is tried again.
"""

from contextlib import contextmanager

from waiting import until

from yegg import games

from .people import SS, Player

try:
    from playwright.sync_api import TimeoutError as TooLate
except ImportError:  # the browser's tests are left out
    TooLate = TimeoutError

SOON = 30_000  # milliseconds: nothing is waited for any longer
SIZES = {"desktop": (1280, 800), "tablet": (820, 1180), "across": (1180, 820), "phone": (360, 740)}
MORE = [(size, scheme) for size in ("desktop", "phone") for scheme in ("dark", "light")]
MORE += [("tablet", "dark"), ("across", "light")]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

TO_ACT = "[data-over=yes], button[name=choice]:not([aria-disabled])"
NUMBER = "Number(document.querySelector('#live [data-number]').dataset.number)"
LEGAL = """() => [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")]
    .filter(b => !b.value.includes("*") || document.querySelector("[name=who]:checked"))
    .filter(b => b.checkVisibility() || b.closest("details:not([open])")?.checkVisibility())
    .map(b => b.value)"""  # pressed now, or after its drawer has been opened
# Choices that cannot be pressed with a finger, whatever is scrolled, opened or chosen before.
HIDDEN = """() => {
    const all = [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")];
    const missing = new Set(all.map(b => b.value));
    const look = () => {
        for (const b of all.filter(b => missing.has(b.value) && b.checkVisibility())) {
            b.scrollIntoView({block: "center", inline: "center"});
            const r = b.getBoundingClientRect();
            const at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
            if (b.contains(at)) missing.delete(b.value);
        }
    };
    look();
    for (const drawer of document.querySelectorAll("#live details")) {
        drawer.open = true;
        look();
        drawer.open = false;
    }
    const radios = [...document.querySelectorAll("#live input[type=radio]")];
    const chosen = radios.find(r => r.checked);
    for (const radio of radios) {
        radio.click();
        look();
    }
    for (const radio of radios) radio.checked = radio === chosen;
    scrollTo(0, 0);
    return [...missing];
}"""


def number(page):
    return page.evaluate(NUMBER)


def over(page):
    return page.query_selector("[data-over=yes]") is not None


def seen(page, event):
    """Wait until the view knows of an event."""
    page.wait_for_function(f"n => {NUMBER} >= n", arg=event)


class StaleWrite(AssertionError):
    """The game has gone on since somebody looked, so that what was chosen does not count."""


@contextmanager
def making_a_choice(page):
    """What is done now makes a choice: wait until it is on the disk and in the view."""
    with page.expect_response(lambda r: r.url.endswith(("/choices", "/seal"))) as answer:
        yield
    if answer.value.status == 409:
        raise StaleWrite(answer.value.text())
    assert answer.value.ok, answer.value.text()
    seen(page, answer.value.json()["number"])


@contextmanager
def unless_overtaken(page, before):
    """A choice that counts, unless the others were ready first and the game has gone on."""
    try:
        yield
    except (TooLate, StaleWrite):
        seen(page, before + 1)


# Whether the page shows what is so now, and nothing is played.
QUIET = "() => !document.body.matches('.playing, .behind')"
# Whether nothing plays, moves or scrolls any more: so it has been for some frames.
STILL = """() => {
    const ends = (a) => Number.isFinite(a.effect?.getComputedTiming().endTime);
    const moves = document.getAnimations().some(a => a.playState === "running" && ends(a));
    const busy = moves || document.body.matches(".playing, .telling, .behind");
    const lies = `${scrollX} ${scrollY} ${document.documentElement.scrollHeight}`;
    window.rested = !busy && lies === window.lay ? (window.rested ?? 0) + 1 : 0;
    window.lay = lies;
    return rested > 8;
}"""


# Whether something is so at last; else which step is shown, once that is another.
SO_OR_SHOWN = """before => {
    const step = document.querySelector("#live [data-events]")?.dataset.events;
    return (%s)() ? "so" : step !== before && step;
}"""


def all_shown(page, so=QUIET):
    """Wait until all that others did has been shown; each step comes within half a minute."""
    step = None
    while step != "so":
        step = page.wait_for_function(SO_OR_SHOWN % so, arg=step).json_value()


def still(page):
    """Wait until nothing plays, moves or scrolls."""
    page.evaluate("() => { window.rested = 0; }")
    all_shown(page, STILL)


def moving_at(page, rate):
    """Let everything on the page move so fast, compared with what it should; 0: it stands."""
    chromium = page.context.new_cdp_session(page)
    chromium.send("Animation.enable")
    chromium.send("Animation.setPlaybackRate", {"playbackRate": rate})
    return chromium


# A new view comes although nothing has happened, as when somebody begins to watch.
ANEW = """async () => {
    const table = await import(document.querySelector("script[src*='table.js']").src);
    const now = await fetch(location.pathname + "/now");
    const old = document.querySelector("#live > *");
    await table.show(await now.text());
    if (old.isConnected) throw Error("no new view is shown");
}"""


def may_act(page):
    """Wait for one's turn, be it to seal a full sheet; whether the game goes on."""
    page.wait_for_function(f"""() => ({LEGAL})().length || document.querySelector("#seal-now")
        || document.querySelector("[data-over=yes] #now")?.checkVisibility()""")
    return not over(page)


SHORT = {"second-story": ("chips", "3"), "secrets": ("turns", "2")}  # a house rule for each


def seated(page, player):
    """Look at a table with the eyes of whoever plays there by the API, too."""
    cookie = {"name": "yegg", "value": player.token, "url": page.server.base}
    page.context.add_cookies([cookie])
    page.goto(f"/t/{player.key}")
    there(page)
    return player


def bots(page, game=SS, bot="uniform", *, short=False, **options):
    """Sit at a table against simple bots."""
    if short:
        options |= dict([SHORT[game]])
    seats = ["me"] + [bot] * (games.find(game).usual - 1)
    player = Player(page.server.client)
    return seated(page, player.open(game, seats, you=page.called, options=options))


def friends(*pages, game=SS, **more):
    """Let everybody sit at one table: the page of whoever is to act, and those of the others."""
    first, *others = pages
    seats = ["me"] + ["open"] * len(others)
    host = Player(first.server.client).open(game, seats, you=first.called, **more)
    people = [host]
    for page in others:
        people.append(Player(page.server.client))
        assert people[-1].join(host.key, you=page.called).status_code == 200
    for page, person in zip(pages, people, strict=True):
        page.player = seated(page, person)
    return whose(*pages)


def whose(*pages):
    """The page of whoever is to act, and those of the others."""
    wanted = ".table[data-begun=yes] .turn"
    for page in pages:
        page.wait_for_selector(f"#live {wanted}")
    mine = until(lambda: next((p for p in pages if p.query_selector(".turn.mine")), None))
    return [mine, *(page for page in pages if page is not mine)]


def there(page):
    """Wait for a table that a press leads to, and for its scripts, which hear keys and presses."""
    page.wait_for_selector(".at-table #live .table")
    page.wait_for_load_state()


def looked_again(page, found):
    """What is found on a page without scripts, which is loaded until it is there."""
    return until(lambda: found() or (page.reload() and None))


def pick(page, dice, pressed=None):
    """Pick some of what is picked before it is sent, but not all; which."""
    picks = page.query_selector_all("input[name=pick]")
    some = dice.sample(picks, dice.randint(1, max(1, len(picks) - 1))) if picks else []
    for box in some:
        if pressed:
            keys(page, box.get_attribute("data-key"))
        else:
            page.click(f"label[for={box.get_attribute('id')}]:not(.copy label)")
    return some


def press(page, dice, likes=()):
    """Press any legal choice where it lies, mostly one that is liked; whether the game goes on."""
    if not may_act(page):
        return False
    before, legal = page.evaluate(f"() => [{NUMBER}, ({LEGAL})()]")
    liked = [value for value in legal if value.startswith(likes)] if likes else []
    if page.query_selector("#seal-now"):
        seal(page)
        return True
    if not legal:  # the others were ready between two looks
        return press(page, dice, likes)
    with unless_overtaken(page, before):
        pick(page, dice)
        click(page, dice.choice(liked if liked and dice.random() < 0.7 else legal))
    return True


def seal(page):
    """Hand in a full sheet of orders."""
    with making_a_choice(page):
        page.click("#seal-now")


def click(page, value):
    """Press a choice, in its drawer if it lies in one; an open drawer lies over all else."""
    name = f'button[name=choice][value="{value}"]:not([aria-disabled])'
    button = page.locator(name)
    if not button.locator("visible=true").count():
        page.locator("#live details", has=button).locator("summary").first.click()
    in_drawer = page.locator(f"#live details[open] {name}").locator("visible=true")
    with making_a_choice(page):
        (in_drawer if in_drawer.count() else button.locator("visible=true")).first.click()


def at(page, size, scheme):
    """Look through a window of this size, by day or by night."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    return f"{size}-{scheme}"


def sit(page, moment):
    """Look at a laid table with the eyes of its moment."""
    page.faults.clear()
    laid = page.server.laid[str(moment)]
    page.context.clear_cookies()
    if laid.cookie:
        page.context.add_cookies([{"name": "yegg", "value": laid.cookie, "url": page.server.base}])
    page.goto(laid.path)
    page.wait_for_selector("#live .table")


# Choices that no key makes, whatever is chosen or opened by its key before.
KEYLESS = """() => {
    const all = [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")];
    const missing = new Set(all.map(b => b.value));
    const shown = (e) => e.checkVisibility();
    const own = (e) => e?.dataset.key ? e : e?.querySelector("[data-key]");
    const meant = (e, keyed) => e && keyed.find(k => k.dataset.key === e.dataset.key) === e;
    const look = () => {
        const keyed = [...document.querySelectorAll("[data-key]")].filter(shown);
        const who = document.querySelector("[name=who]:checked")?.value ?? "*";
        for (const b of all.filter(shown)) {
            if (!meant(own(b), keyed)) continue;
            missing.delete(b.value);
            missing.delete(b.value.replace("*", who));  // it may stand in a list too
        }
        return (e) => meant(own(e), keyed);
    };
    const may = look();
    for (const drawer of document.querySelectorAll("#live details:not([open])")) {
        if (!may(drawer.querySelector("summary"))) continue;
        drawer.open = true;
        look();
        drawer.open = false;
    }
    const radios = [...document.querySelectorAll("#live input[type=radio]")];
    const chosen = radios.filter(r => r.checked);
    const pressed = (radio) => {
        const label = document.querySelector(`label[for="${radio.id}"]:has([data-key])`);
        return radio.dataset.key ? radio : label;
    };
    const choose = (list, then) => {
        for (const radio of list) {
            radio.checked = true;
            then(look());
        }
    };
    // a card first, then what becomes of it
    choose(radios.filter(r => may(pressed(r))), (can) => {
        choose(radios.filter(r => can(pressed(r))), () => {});
    });
    for (const radio of radios) radio.checked = chosen.includes(radio);
    return [...missing];
}"""


# What is read out to those who do not see the page.
LISTEN = """() => {
    window.told = [];
    const hear = seen => seen.forEach(m => m.addedNodes.forEach(n => told.push(n.textContent)));
    new MutationObserver(hear).observe(document.getElementById("told"), {childList: true});
}"""

READ_OUT = "() => told.length > 0 || document.getElementById('said').textContent"


def keys(page, typed):
    for key in typed:
        page.keyboard.press(key)
