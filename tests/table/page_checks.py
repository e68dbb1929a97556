"""What is wrong with a page as it is seen: for axe, the eye, a finger, and whoever uses keys."""

import os
from functools import cache
from pathlib import Path

from .browsing import SIZES, at

SHOTS = os.environ.get("YEGG_SHOTS")  # the folder of pictures; without it none are taken


@cache
def axe():
    """What finds pages that somebody could not use."""
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


def found(page, where):
    """What axe finds on the page as it is."""
    return [
        f"{where}: {fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in axe().run(page).response["violations"]
    ]


def shot(page, name):
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def looked_at(page, name, ways):
    """What is wrong with the page as it is, at every size, by day and by night."""
    faults = page.faults
    for way in ways:
        where = at(page, *way)
        shot(page, f"{name}-{where}")
        faults += found(page, where)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > SIZES[way[0]][0]:
            faults.append(f"{where}: the page is {wide} wide")
    return "\n".join(faults)


# Which of the things that a selector finds cannot be seen whole without scrolling.
OUT_OF_SIGHT = """(wanted) => {
    const there = [...document.querySelectorAll(wanted)].filter(e => e.checkVisibility());
    if (!there.length) return [`nothing is ${wanted}`];
    const seen = (e) => {
        const r = e.getBoundingClientRect();
        if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) return false;
        const at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
        return at && (e.contains(at) || at.contains(e));
    };
    return there.filter(e => !seen(e)).map(e => e.id || e.className || e.localName);
}"""

# Texts that the frame of something in the focus runs over.
COVERED = """() => {
    const shown = (e) => e.checkVisibility({visibilityProperty: true});
    const readable = (n) => n.data.trim() && shown(n.parentElement)
        && !n.parentElement.closest(".vh, .tool span, svg, script, noscript, option, select");
    const texts = () => {
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        for (let n = walk.nextNode(); n; n = walk.nextNode()) {
            if (!readable(n)) continue;
            const range = document.createRange();
            range.selectNodeContents(n);
            const size = parseFloat(getComputedStyle(n.parentElement).fontSize);
            for (const r of range.getClientRects()) {
                const air = Math.max(0, (r.height - 0.72 * size) / 2);  // around the letters
                found.push({n, x: r.left, X: r.right, y: r.top + air, Y: r.bottom - air});
            }
        }
        return found;
    };
    const grown = (r, by) => ({x: r.left - by, X: r.right + by, y: r.top - by, Y: r.bottom + by});
    const meet = (a, b) => a.x < b.X - 2.5 && a.X > b.x + 2.5 && a.y < b.Y - 1 && a.Y > b.y + 1;
    const within = (a, b) => a.x > b.x - 1 && a.X < b.X + 1 && a.y > b.y - 1 && a.Y < b.Y + 1;
    const faults = [];
    const focused = "a[href], button, input, select, summary, [tabindex]";
    for (const e of document.querySelectorAll(focused)) {
        if (!shown(e) || e.matches(".skip")) continue;
        e.focus({focusVisible: true});
        for (const framed of [e, e.nextElementSibling, e.parentElement, e.closest(".spy")]) {
            if (!framed || framed.closest(".vh")) continue;
            const style = getComputedStyle(framed);
            const [wide, off] = [parseFloat(style.outlineWidth), parseFloat(style.outlineOffset)];
            const meant = framed === e || framed.matches(":has(:focus-visible), :focus-visible+*");
            if (style.outlineStyle === "none" || !wide || !meant) continue;
            const box = framed.getBoundingClientRect();
            const [outer, inner] = [grown(box, off + wide), grown(box, off)];
            for (const text of texts()) {
                if (!meet(text, outer) || within(text, inner)) continue;
                if (off >= 0 && framed.contains(text.n.parentElement)) continue;  // cut off there
                const x = (Math.max(text.x, outer.x) + Math.min(text.X, outer.X)) / 2;
                const y = (Math.max(text.y, outer.y) + Math.min(text.Y, outer.Y)) / 2;
                const over = document.elementFromPoint(x, y);
                const docked = text.n.parentElement.closest(".dock, .does");
                if (!text.n.parentElement.contains(over) || docked?.contains(e) === false) continue;
                faults.push(`${e.id || e.className || e.localName} covers ${text.n.data.trim()}`);
            }
        }
    }
    return faults;
}"""

# What can be pressed by a key, and does not show it; what has two keys says so elsewhere.
KEYS_HIDDEN = """() => [...document.querySelectorAll("[data-key]:not(input, .sec, .counts .act)")]
    .filter(e => e.checkVisibility())
    .filter(e => !e.matches(".tok") || !document.querySelector(".toks .how")?.checkVisibility())
    .filter(e => ![e, ...e.querySelectorAll("*")].some(k => k.matches("kbd") && k.offsetParent))
    .map(e => e.id || e.className)"""

# How high the bars are that stay in sight.
BARS = """() => [...document.querySelectorAll(".bar, .dock, .does")]
    .filter(e => e.matches(".bar") || getComputedStyle(e).position === "fixed")
    .filter(e => e.checkVisibility())
    .map(e => e.getBoundingClientRect().height)"""

# What a finger may miss on a phone: WCAG 2.2, 2.5.8, things to press and how far they are apart.
# All are 24 px high and wide.  A link in a sentence may be as low as its line; then a circle around
# its middle, 24 px across, meets nothing else to press, nor the circle of another such link.
# A label, what it names and what is in it are one thing.  What is fixed over the page, such as a
# menu, is not beside what scrolls away under it.
MISSED = """(least) => {
    const all = "a[href], button, summary, select, textarea, label, input:not([type=hidden])";
    const sort = (e) => e.matches("label") ? e.control : e;
    const over = (e) => {
        for (; e; e = e.parentElement) {
            if (e.matches("dialog, .menu[open] > :not(summary)")) return e;
            if (["fixed", "sticky"].includes(getComputedStyle(e).position)) return e;
        }
        return null;
    };
    const [boxes, radius] = [new Map(), least / 2];
    for (const e of document.querySelectorAll(all)) {
        const { x, y, right, bottom } = e.getBoundingClientRect();
        if (!sort(e) || !e.checkVisibility({ visibilityProperty: true })) continue;
        if (right - x < 3 || bottom - y < 3) continue;  // its label is pressed
        const had = boxes.get(sort(e)) ?? { e, over: over(e), x, y, right, bottom };
        boxes.set(sort(e), {
            ...had,
            x: Math.min(x, had.x),
            y: Math.min(y, had.y),
            right: Math.max(right, had.right),
            bottom: Math.max(bottom, had.bottom),
        });
    }
    const small = (b) => Math.min(b.right - b.x, b.bottom - b.y) < least - 0.5;
    const middle = (b) => [(b.x + b.right) / 2, (b.y + b.bottom) / 2];
    const away = ([x, y], b) =>
        Math.hypot(Math.max(b.x - x, 0, x - b.right), Math.max(b.y - y, 0, y - b.bottom));
    const meets = (a, b) => {
        const [x, y] = middle(b);
        if (away(middle(a), b) < radius) return true;
        return small(b) && away(middle(a), { x, y, right: x, bottom: y }) < least;
    };
    const flows = ({ e }) => e.matches("a") && [...e.parentElement.childNodes].some(
        (n) => n.nodeType === 3 && n.data.trim());
    const size = (b) => `${Math.round(b.right - b.x)} x ${Math.round(b.bottom - b.y)}`;
    const say = (b) => `${b.e.outerHTML.replace(/\\s+/g, " ").slice(0, 100)}, ${size(b)}`;
    const found = [];
    for (const a of [...boxes.values()].filter(small)) {
        if (!flows(a)) found.push(`${say(a)} is small`);
        for (const b of boxes.values()) {
            const one = a === b || a.over !== b.over || a.e.contains(b.e) || b.e.contains(a.e);
            if (!one && meets(a, b)) found.push(`${say(a)} is too near to ${say(b)}`);
        }
    }
    return found;
}"""


def missed(page):
    """What is too small or too near to something else on a page, in words."""
    return page.evaluate(MISSED, 24)
