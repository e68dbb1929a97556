"""Whether a phone shows what one decides about together with the decision: found by boxes."""

# What one decides about: it lies whole on the screen, above what is fixed at the bottom.
ABOUT = {
    "second-story": ".stage .turn h2, .house.now, .sack, .stake b",
    "thiefs-market": ".splitting .centre, .splitting .keep .picked, .buying .keep, "
    ".thiefs-market:has(> .splitting) .mcard",
    "magnate": ".turn h2, .dist:has(.spot) .district, .way .spot, .spot.place",
    "secrets": ".turn h2, .secrets:has(.goal.ask, .home.due) .spylist, .home.due",
}

# What is wrong on a phone; what scrolls within itself may be longer than its box.
FAULTS = """([about, letters, least]) => {
    const [wide, high] = [innerWidth, innerHeight];
    const faults = [];
    const say = (e) => `<${e.localName} ${e.id || e.value || e.className?.baseVal || e.className}> `
        + (e.textContent ?? "").replace(/\\s+/g, " ").trim().slice(0, 40);
    const shown = (e) => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
    // What lies over the page: it may have other things under it.
    const above = (e) => e.matches(".menu .panel")
        || ["fixed", "sticky"].includes(getComputedStyle(e).position);
    const fixed = (e) => e && (above(e) ? e : fixed(e.parentElement));
    const clipped = (e) => e && (getComputedStyle(e).clipPath !== "none"
        || clipped(e.parentElement));
    if (document.documentElement.scrollWidth > wide) faults.push("it scrolls to the side");
    const bottom = [...document.querySelectorAll(".dock, .does, .slider")].filter(shown)
        .filter(e => fixed(e) === e && e.children.length);
    for (const e of bottom) {
        const r = e.getBoundingClientRect();
        if (r.height > 0.4 * high + 1) faults.push(`${Math.round(r.height)} high: ${say(e)}`);
    }
    const floor = Math.min(high, ...bottom.map(e => e.getBoundingClientRect().top));
    for (const e of document.querySelectorAll(about)) {
        const r = e.getBoundingClientRect();
        if (shown(e) && (r.top < -0.5 || r.bottom > floor + 0.5))
            faults.push(`out of sight: ${say(e)}`);
    }
    const texts = [];
    for (const e of document.querySelectorAll(".bar *, main *")) {
        if (!shown(e) || e.closest(".vh, svg, noscript, option, .skip") || clipped(e)) continue;
        const style = getComputedStyle(e);
        const size = parseFloat(style.fontSize);
        for (const n of e.childNodes) {
            if (n.nodeType !== 3 || !n.data.trim()) continue;
            if (!size) continue;
            if (size < letters - 0.1) faults.push(`${size} px: ${say(e)}`);
            const range = document.createRange();
            range.selectNodeContents(n);
            for (const r of range.getClientRects()) {
                const air = Math.max(0, (r.height - 0.7 * size) / 2);
                const [y, Y] = [r.top + air, r.bottom - air];
                const box = {e, over: fixed(e), x: r.left, X: r.right, y, Y};
                let gone = false;
                for (let up = e; up; up = up.parentElement) {
                    const how = getComputedStyle(up);
                    if (how.overflow === "visible" || up.matches("body, html")) continue;
                    const b = up.getBoundingClientRect();
                    const scrolls = /auto|scroll/.test(how.overflow);
                    const dots = how.textOverflow === "ellipsis" || how.webkitLineClamp !== "none";
                    if (dots || scrolls) {
                        [box.x, box.X] = [Math.max(box.x, b.left), Math.min(box.X, b.right)];
                        [box.y, box.Y] = [Math.max(box.y, b.top), Math.min(box.Y, b.bottom)];
                        gone ||= box.X - box.x < 1 || box.Y - box.y < 1;
                    } else if (box.x < b.left - 1.5 || box.X > b.right + 1.5 || box.y < b.top - 1.5
                        || box.Y > b.bottom + 1.5) faults.push(`cut off: ${say(e)}`);
                }
                if (gone || r.width < 1) continue;
                if (box.x < -0.5 || box.X > wide + 0.5) faults.push(`beside the screen: ${say(e)}`);
                texts.push(box);
            }
        }
    }
    texts.forEach((a, i) => {
        for (const b of texts.slice(i + 1)) {
            if (a.e === b.e || a.over !== b.over) continue;
            if (a.e.contains(b.e) && getComputedStyle(b.e).position === "absolute") continue;
            if (a.x < b.X - 1.5 && b.x < a.X - 1.5 && a.y < b.Y - 1.5 && b.y < a.Y - 1.5)
                faults.push(`${say(a.e)} and ${say(b.e)} overlap`);
        }
    });
    for (const e of document.querySelectorAll(least)) {
        if (!shown(e)) continue;
        const r = e.getBoundingClientRect();
        if (Math.min(r.width, r.height) < 43.5)
            faults.push(`${Math.round(r.width)} x ${Math.round(r.height)}: ${say(e)}`);
    }
    return [...new Set(faults)];
}"""
# What cannot be taken back, or not by everybody: choices, sealing, leaving, closing, handing over.
FINAL = (
    "button[name=choice]:not([aria-disabled], :disabled, .sec), #seal-now, label.pick, "
    ".menu .panel :is(.btn, summary), .ending .next :is(.act, .btn), .gone .btn, #go-on, "
    ".lo :is(.btn, .my a)"
)


def faults(page, game="", about=None):
    """What is wrong with a phone's screen as it is, in words."""
    return page.evaluate(FAULTS, [ABOUT[game] if about is None else about, 12.9, FINAL])
