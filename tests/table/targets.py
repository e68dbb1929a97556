"""What a finger may miss on a phone: WCAG 2.2, 2.5.8, things to press and how far they are apart.

All are 24 px high and wide.  A link in a sentence may be as low as its line; then a circle around
its middle, 24 px across, meets nothing else to press, nor the circle of another such link.
"""

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
