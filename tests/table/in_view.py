"""Whether all that one needs is on the screen at once: found by boxes."""

# What one plays with; it lies on the screen, whole, at every moment.
BOARDS = {
    "second-story": ".street, .lair, .loot",
    "thiefs-market": ".market, .centre, .player",
    "magnate": ".duchy, .seat, .hand",
    "secrets": ".spies, .houses",
}

# What is out of sight, covered, cut off, too small to read or to press.  `log` is what scrolls.
FAULTS = """([board, letters, pressed, scrolls]) => {
    const [wide, high] = [innerWidth, innerHeight];
    const faults = [];
    const say = (e) => `<${e.localName} ${e.id || e.value || e.className?.baseVal || e.className}> `
        + (e.textContent ?? "").replace(/\\s+/g, " ").trim().slice(0, 40);
    const shown = (e) => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const aside = (e) => e.closest(`.vh, svg, noscript, option, .skip, ${scrolls}`);
    const out = (r) => r.top < -0.5 || r.left < -0.5 || r.bottom > high + 0.5
        || r.right > wide + 0.5;
    const clipped = (e) => e && (getComputedStyle(e).clipPath !== "none"
        || clipped(e.parentElement));
    const paints = (e) => {
        const how = getComputedStyle(e);
        return how.backgroundImage !== "none" || !/, 0\\)$|transparent/.test(how.backgroundColor);
    };
    // Whether something that is not seen through lies over an element.
    const covers = (hit, e) => {
        for (let over = hit; over && !over.contains(e); over = over.parentElement)
            if (paints(over) || over.localName === "svg") return true;
        return false;
    };
    const live = [...document.querySelectorAll("body *")]
        .filter(e => shown(e) && !aside(e) && !clipped(e));
    const at = (x, y) => document.elementFromPoint(x, y);
    const deep = document.documentElement;
    if (deep.scrollHeight > high + 1) faults.push(`the page is ${deep.scrollHeight} high`);
    if (deep.scrollWidth > wide + 1) faults.push(`the page is ${deep.scrollWidth} wide`);
    for (const e of document.querySelectorAll(board)) {
        if (shown(e) && out(e.getBoundingClientRect())) faults.push(`off the screen: ${say(e)}`);
    }
    const can = "button, a[href], summary, select, label, input:not(.vh, [type=hidden])";
    for (const e of live.filter(e => e.matches(can))) {
        const wide = getComputedStyle(e, "::after").position === "absolute" && e.matches("label");
        const r = (wide ? e.offsetParent : e).getBoundingClientRect();
        if (out(r)) { faults.push(`off the screen: ${say(e)}`); continue; }
        const flows = e.matches("a, .why, .clause") && getComputedStyle(e).display === "inline"
            || e.closest("p") && e.matches(".why, a");
        if (!flows && Math.min(r.width, r.height) < pressed - 0.5)
            faults.push(`${Math.round(r.width)} x ${Math.round(r.height)}: ${say(e)}`);
        const hit = at(r.x + r.width / 2, r.y + r.height / 2);
        if (!hit || !(e.contains(hit) || hit.contains(e) || hit.control && hit.control === e))
            faults.push(`under ${hit && say(hit)}: ${say(e)}`);
    }
    const texts = [];
    for (const e of live) {
        for (const n of e.childNodes) {
            if (n.nodeType !== 3 || !n.data.trim()) continue;
            const style = getComputedStyle(e);
            const size = parseFloat(style.fontSize);
            if (size < letters - 0.1) faults.push(`${size} px: ${say(e)}`);
            const range = document.createRange();
            range.selectNodeContents(n);
            for (const r of range.getClientRects()) {
                if (r.width < 1) continue;
                const air = Math.max(0, (r.height - 0.7 * size) / 2);
                const box = {e, x: r.left, X: r.right, y: r.top + air, Y: r.bottom - air};
                for (let over = e; over; over = over.parentElement) {
                    const how = getComputedStyle(over);
                    if (how.overflow === "visible" || over === document.body) continue;
                    if (over.localName === "html") continue;
                    const b = over.getBoundingClientRect();
                    if (how.textOverflow === "ellipsis") {  // a name too long for its place
                        [box.x, box.X] = [Math.max(box.x, b.left), Math.min(box.X, b.right)];
                        continue;
                    }
                    if (box.x < b.left - 1.5 || box.X > b.right + 1.5 || box.y < b.top - 1.5
                        || box.Y > b.bottom + 1.5) faults.push(`cut off: ${say(e)}`);
                }
                if (out({top: box.y, bottom: box.Y, left: box.x, right: box.X}))
                    faults.push(`off the screen: ${say(e)}`);
                const hit = at((box.x + box.X) / 2, (box.y + box.Y) / 2);
                if (hit && !e.contains(hit) && !hit.closest(scrolls) && covers(hit, e))
                    faults.push(`under ${say(hit)}: ${say(e)}`);
                texts.push(box);
            }
        }
    }
    texts.forEach((a, i) => {
        for (const b of texts.slice(i + 1)) {
            if (a.e === b.e || a.e.contains(b.e) && getComputedStyle(b.e).position === "absolute")
                continue;
            if (a.x < b.X - 1.5 && b.x < a.X - 1.5 && a.y < b.Y - 1.5 && b.y < a.Y - 1.5)
                faults.push(`${say(a.e)} and ${say(b.e)} overlap`);
        }
    });
    return [...new Set(faults)];
}"""


def faults(page, game, *, letters=14, pressed=28, scrolls=".log, .lines, .cardlist p"):
    """What is wrong with the screen as it is, in words."""
    return page.evaluate(FAULTS, [BOARDS[game], letters, pressed, scrolls])
