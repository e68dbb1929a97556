"""Lessons in a real browser: each is walked as learners would, and what is ringed can be seen."""

import itertools

import pytest

from yegg import games
from yegg.lessons import lessons

from .browsing import MORE, at, still
from .page_checks import found, shot

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide

NUMBERED = {
    (name, lesson.number): lesson for name in games.names() for lesson in lessons(games.find(name))
}
LESSONS = [pytest.param(lesson, id=f"{name}-{n}") for (name, n), lesson in NUMBERED.items()]
WAYS = {f"{size}-{scheme}": (size, scheme) for size, scheme in MORE if size in ("desktop", "phone")}

# What is ringed and hidden, or covered by something else.  A heading stands for its region, the
# label for a box.  The first must be in sight without scrolling, of a region at least a part.
COVERED = """() => {
    const shown = (e) => e.checkVisibility();
    const ringed = (e) => e.labels?.[0] ?? (e.matches("h2, h3") ? e.closest("section") : e);
    const rings = [...document.querySelectorAll("[data-ring]")].map(ringed);
    const bare = (e) => {
        const r = e.getBoundingClientRect();
        const parts = e.matches("section") ? [0.1, 0.3, 0.5, 0.7, 0.9] : [0.5];
        return parts.some((part) => {
            const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height * part);
            return top !== null && e.contains(top);
        });
    };
    if (rings.length && !rings.some(shown)) return ["nothing that is ringed is shown"];
    const first = rings.find(shown);
    const faults = first && !bare(first) ? [`not in sight: ${first.outerHTML.slice(0, 120)}`] : [];
    for (const ring of rings.filter(shown)) {
        const before = scrollY;
        ring.scrollIntoView({block: "nearest", behavior: "instant"});
        if (!bare(ring)) faults.push(`covered: ${ring.outerHTML.slice(0, 120)}`);
        scrollTo({top: before, behavior: "instant"});
    }
    return faults;
}"""
ON = """n => {
    const step = document.body.dataset.step;
    return Number(step) > n && new URL(location).searchParams.get("at") === step;
}"""
STEP = "n => new URL(location).searchParams.get('at') === n && document.body.dataset.step === n"


def pressed(page, lesson, n, by):
    """Do what a step waits for."""
    wanted = lesson.wanted(n)
    if wanted is None:
        return page.keyboard.press("Enter") if by == "keys" else page.click("#go-on")
    plain = page.locator(f'button[name=choice][value="{wanted}"]:not([aria-disabled]):visible')
    pick = page.locator(f'input[name=pick][value="{wanted}"]')
    if not plain.count() and pick.count():
        use(page, pick.first, by)
    sent = page.locator('button[value="+ done"]')
    if not plain.count() and (pick.count() or wanted == "done"):
        return use(page, sent, by)
    if not plain.count() and page.locator("#live [name=who]:checked").count():
        words = wanted.split()
        starred = ["*", *words[1:]] if words[0] != "allocate" else [words[0], "*", *words[2:]]
        plain = page.locator(f'button[name=choice][value="{" ".join(starred)}"]:visible')
    if not plain.count():  # a card and what becomes of it are chosen first
        how, card, *_ = wanted.split()
        use(page, page.locator(f'[name=way][data-keep="{card}:{how}"]'), by)
        plain = page.locator(f'button[name=choice][value="{wanted}"]:visible')
    return use(page, plain.first, by)


def use(page, what, by):
    """Press a button or a box, by its key on the keyboard or by a finger."""
    box = what.get_attribute("type") in ("radio", "checkbox")
    if by == "keys":
        what.focus()
        page.keyboard.press("Space" if box else "Enter")
    elif box:
        page.click(f"label[for={what.get_attribute('id')}]:not(.copy label)")
    else:
        what.click()


def walked(page, lesson, way, by):
    """Go through a lesson; what is wrong on the way."""
    where = at(page, *WAYS[way])
    page.goto(f"/learn/{lesson.game.name}/{lesson.key}")
    still(page)
    faults, n = [], 0
    while n < len(lesson.steps) - 1:
        name = f"lesson-{lesson.game.name}-{lesson.number}-{n:02}-{where}-{by}"
        shot(page, name)
        faults += [f"{name}: {fault}" for fault in page.evaluate(COVERED)]
        if by == "keys":
            faults += found(page, name)
        pressed(page, lesson, n, by)
        page.wait_for_function(ON, arg=n)
        n = int(page.evaluate("document.body.dataset.step"))
        still(page)
    shot(page, f"lesson-{lesson.game.name}-{lesson.number}-{n:02}-{where}-{by}")
    assert page.locator(".dot.done[aria-current], .dot[aria-current]").count() == 1
    assert "lesson" in page.inner_text("#teacher")
    return faults


# Each lesson in one of the ways, each game in all of them.
EACH = [
    pytest.param(lesson, way, id=f"{name}-{number}-{way}")
    for ((name, number), lesson), way in zip(NUMBERED.items(), itertools.cycle(WAYS), strict=False)
]


@pytest.mark.wide(but=["magnate-2-desktop-light"])
@pytest.mark.parametrize(("lesson", "way"), EACH)
def test_a_lesson_is_walked_by_keys(visitor, lesson, way):
    faults = walked(visitor(), lesson, way, "keys")
    assert not faults, "\n".join(faults)


@WIDE
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_is_walked_without_scripts(visitor, lesson):
    page = visitor("phone", java_script_enabled=False)
    page.goto(f"/learn/{lesson.game.name}/{lesson.key}")
    n = 0
    while n < len(lesson.steps) - 1:
        pressed(page, lesson, n, "finger")
        page.wait_for_url(lambda url, n=n: int(url.partition("?at=")[2] or 0) > n)
        n = int(page.url.partition("?at=")[2])
    assert page.locator("#teacher .says").count()


@pytest.mark.wide
def test_enter_presses_the_one_choice_that_is_ringed(visitor):
    page = visitor()
    at(page, *WAYS["desktop-dark"])
    lesson = NUMBERED["magnate", 1]
    n = next(i for i, step in enumerate(lesson.steps) if list(step.look) == ["end"])
    page.goto(f"/learn/magnate/{lesson.key}?at={n}")
    assert page.locator("#live [data-ring]:visible").get_attribute("value") == "end"
    page.keyboard.press("Enter")
    page.wait_for_function(STEP, arg=str(n + 1))


FEW = [NUMBERED[name, 3] for name in ("second-story", "magnate")]
LAST = [
    pytest.param(lesson, id=f"{name}-{number}", marks=() if lesson in FEW else WIDE)
    for (name, number), lesson in NUMBERED.items()
]


@pytest.mark.parametrize("lesson", LAST)
def test_at_the_end_of_a_lesson_the_page_stands_still_under_its_bar(visitor, lesson):
    page = visitor()
    page.goto(f"/learn/{lesson.game.name}/{lesson.key}?at={len(lesson.steps) - 1}")
    still(page)
    assert page.evaluate("scrollY") == 0
    teacher, live = (page.locator(part).bounding_box() for part in ("#teacher", "#live"))
    assert teacher["y"] + teacher["height"] <= live["y"] + 1
    if lesson.game.name == "magnate" and not lesson.match.over:  # else nobody has a hand
        hand = page.locator(".below").bounding_box()
        assert hand["y"] + hand["height"] <= 800


# Where the buttons of the panel are that can be pressed, and what lies where "Go on" would be.
PLACES = """() => {
    const box = (e) => e.getBoundingClientRect();
    const place = ({ x, y, right, bottom }) => [x, y, right, bottom].join(" ");
    const ways = [...document.querySelectorAll(".ways [id]")];
    const room = box(document.querySelector(".ways .go"));
    const middle = [(room.x + room.right) / 2, (room.y + room.bottom) / 2];
    const under = document.elementFromPoint(...middle).closest("a, button")?.id ?? "";
    const places = Object.fromEntries(ways.map((e) => [e.id, place(box(e))]));
    return { ...places, room: place(room), under };
}"""


@pytest.mark.wide
def test_skip_back_and_go_on_have_each_their_own_place_at_every_step(visitor):
    page = visitor()
    lesson = NUMBERED["second-story", 2]
    path = f"/learn/second-story/{lesson.key}"
    known = {}
    for n in range(len(lesson.steps)):
        page.goto(f"{path}?at={n}")
        still(page)
        found = page.evaluate(PLACES)
        on = "go-on" in found
        assert on == (lesson.wanted(n) is None and n < len(lesson.steps) - 1)
        assert found.pop("under") == ("go-on" if on else ""), "nothing else is pressed there"
        for button, place in found.items():
            assert known.setdefault(button, place) == place, (n, button)
    assert set(known) == {"skip", "step-back", "go-on", "room"}
    assert known["room"] == known["go-on"]


@pytest.mark.wide
def test_after_a_side_line_the_panel_says_that_one_chooses_again(visitor):
    page = visitor()
    lesson = NUMBERED["second-story", 2]
    n = next(n for n, step in enumerate(lesson.steps) if "continue" in step.see)
    page.add_init_script("localStorage.setItem('yegg-pace', 'at once')")
    page.goto(f"/learn/second-story/{lesson.key}?at={n}")
    page.click("#act-continue")
    page.wait_for_selector(".demo", state="hidden")
    page.wait_for_selector(".demo", state="visible")
    assert page.inner_text(".demo") == "That was only one way it might have gone. Now choose again."
    assert page.locator("#act-continue").is_visible()


@pytest.mark.wide
def test_letters_in_secrets_stay_where_they_are_and_lie_on_the_table(visitor):
    page = visitor()
    page.goto("/learn/secrets/1-four-spies")
    places = (
        "() => [...document.querySelectorAll('.rivals .sec')].map((e) => Math.round(e.offsetTop))"
    )
    still(page)
    before = page.evaluate(places)
    page.keyboard.press("Enter")
    page.wait_for_function(STEP, arg="1")
    still(page)
    assert page.locator("#back").is_visible()
    assert page.evaluate(places) == before
    sheet = page.locator("section.sheet")
    assert sheet.evaluate("(e) => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"


def wheeled(page, down):
    """Turn the wheel so many pixels down, and wait until the page has scrolled and rests."""
    page.evaluate("""() => {
        window.scrolled = false;
        addEventListener("scrollend", () => { window.scrolled = true; }, {once: true});
    }""")
    page.mouse.wheel(0, down)
    page.wait_for_function("() => window.scrolled")
    still(page)


@pytest.mark.wide
def test_on_a_phone_the_panel_makes_room_for_the_report_while_one_scrolls_down(visitor):
    page = visitor()
    at(page, *WAYS["phone-light"])
    lesson = NUMBERED["secrets", 1]
    n = next(i for i, step in enumerate(lesson.steps) if step.look == ["#report"])
    page.goto(f"/learn/secrets/{lesson.key}?at={n}")
    still(page)
    panel = page.locator("#teacher").bounding_box()
    assert page.locator("#report").bounding_box()["y"] >= panel["y"] + panel["height"]
    assert not page.locator("#live .dock").is_visible(), "nothing is chosen here"
    wheeled(page, panel["height"])
    page.wait_for_selector("#teacher.aside")
    still(page)  # it glides
    aside = page.locator("#teacher").bounding_box()
    assert aside["y"] + aside["height"] < panel["height"] / 2
    assert page.locator("#go-on").bounding_box()["y"] >= 0, "its buttons stay"
    wheeled(page, -panel["height"] / 2)
    page.wait_for_selector("#teacher:not(.aside)")
    still(page)
    assert page.locator("#teacher").bounding_box()["y"] >= 0


# Nothing is drawn before a script has come that is asked for last.
LATE = """new MutationObserver((_, seen) => {
    if (!document.head) return;
    seen.disconnect();
    const script = {type: "module", blocking: "render", src: "/late.js"};
    document.head.append(Object.assign(document.createElement("script"), script));
}).observe(document, {childList: true, subtree: true})"""


@pytest.mark.wide
def test_what_is_ringed_is_in_sight_although_the_page_is_drawn_late(visitor):
    page = visitor("phone")
    page.add_init_script(LATE)
    late = []
    page.route("**/late.js", lambda route: late.append(route))  # noqa: PLW0108  it is marked
    lesson = NUMBERED["secrets", 1]
    n = next(i for i, step in enumerate(lesson.steps) if step.look == ["#report"])
    page.goto(f"/learn/secrets/{lesson.key}?at={n}", wait_until="domcontentloaded")
    late[0].fulfill(body="", content_type="text/javascript")
    page.wait_for_load_state()
    still(page)
    assert page.evaluate("scrollY") > 0, "the report begins low"
