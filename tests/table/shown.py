"""A page at a table with bots, on which all that others did has been shown."""

from .browsing import all_shown, bots, may_act

# Writes down every view that is shown: after how many events, and whether something is played.
WATCH = """() => {
    window.seen = [];
    const look = () => {
        const view = document.querySelector("#live [data-events]");
        const line = document.getElementById("now").textContent;
        seen.push([Number(view.dataset.events), document.body.classList.contains("playing"), line]);
    };
    new MutationObserver(look).observe(document.getElementById("live"), {childList: true});
}"""
EVENTS = "() => Number(document.querySelector('#live [data-events]').dataset.events)"


def table(visitor, pace, game="second-story", script="", **how):
    """Sit down with bots, and wait until nothing is played."""
    page = visitor(pace=None, **how)
    page.add_init_script(script)
    page.add_init_script(f"try {{ localStorage['yegg-pace'] ??= {pace!r} }} catch {{ }}")
    bots(page, game)
    assert may_act(page)
    all_shown(page)
    page.evaluate(WATCH)
    return page
