"""The first page: what a browser loads of a warm server, and when it can be used."""

import gzip
import re
import shutil
import time
import urllib.request

SAME = re.compile(r'(?:href|src)="(/static/[^"#]+)')


def first_page(port):
    """The lobby with all that it needs, packed; and in a real browser, where there is one."""
    base = f"http://localhost:{port}"
    load(base, "/")  # the server is warm
    begun = time.perf_counter()
    page = load(base, "/")
    took = time.perf_counter() - begun
    files = dict.fromkeys(SAME.findall(unpacked(page).decode()))
    sizes = {path: len(load(base, path)) for path in files}
    total = len(page) + sum(sizes.values())
    print(f"the first page: {total / 1000:.1f} kB in all, packed", end=" ")
    print(f"(page {len(page) / 1000:.1f}, {len(sizes)} files), rendered in {1000 * took:.0f} ms")
    browsed(base)


def load(base, path):
    """The bytes that go over the line."""
    asked = urllib.request.Request(base + path, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked) as answer:
        return answer.read()


def unpacked(body):
    """As the browser reads it."""
    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body


def browsed(base):
    """Milliseconds until everything is there, in Chromium with nothing kept."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        chromium = None
    if not chromium:
        print("  no browser here to tell when it is usable")
        return
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        times = []
        for _ in range(5):
            page = browser.new_context().new_page()
            page.goto(base, wait_until="load")
            times.append(page.evaluate(TIMES))
        browser.close()
    usable, loaded = (sorted(column)[2] for column in zip(*times, strict=True))
    print(
        f"  in Chromium, nothing kept: usable after {usable:.0f} ms, all there after {loaded:.0f}"
    )


TIMES = """() => {
    const t = performance.getEntriesByType("navigation")[0];
    return [t.domInteractive, t.loadEventStart];
}"""
