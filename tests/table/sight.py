"""What is in sight on a page, and what a frame around the focus covers."""

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
