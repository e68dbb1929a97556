"""The deal of the day with several processes on one database, and after a kill."""

import re

from waiting import until

from .devices import Device
from .serving import running

SS = "second-story"


def begin(device, game=SS):
    """Begin today's deal, or go back to it; the table's key."""
    answer = device.post(f"/daily/{game}")
    assert answer.status_code == 303, answer.text
    return re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]


def play(device, key, most=10_000):
    """Make so many choices at most, the first each time; how many were made."""
    for made in range(most):
        until(lambda: (now := seen(device, key))["over"] or now["choices"])
        now = seen(device, key)
        if now["over"]:
            return made
        choice, after = now["choices"][0]["text"], now["number"]
        sent = device.post(f"/t/{key}/choose", choice=choice, after=after)
        assert sent.status_code == 303, sent.text
    return most


def seen(device, key):
    return device.get(f"/api/games/{key}").json()


def seals(device):
    return re.findall(r"<code>(\w{64})</code>", device.get("/daily").text)


def body(device, key):
    return device.get(f"/api/games/{key}/record").text.split("\n\n")[1]


def test_all_processes_have_one_key_of_the_day_and_one_try(two):
    one, other = (Device(server.client) for server in two)
    assert seals(one) == seals(other)
    assert len(set(seals(one))) == 4
    key = begin(one)
    other.cookies = one.cookies
    assert begin(other) == key
    play(one, key, 4)
    play(other, key)
    ben = Device(two[1].client, name="Ben")
    own = begin(ben)
    play(ben, own)
    assert body(ben, own) == body(one, key)


def test_the_levels_play_on_whichever_process_they_were_opened(two):
    begin(Device(two[0].client, name="Cy"), "magnate")
    page = Device(two[0].client)
    key = begin(page, "magnate")
    play(page, key)
    link = re.search(r'href="(/daily/magnate/[\d-]+)"', page.get("/daily").text)[1]
    assert until(lambda: {"easy", "medium"} <= set(levels(page.get(link).text)), seconds=60)


def levels(text):
    """The bots that are marked in the histogram."""
    return re.findall(r"</svg>(easy|medium|hard)</span>", text)


def test_no_result_is_lost_when_the_server_is_killed(tmp_path):
    with running(tmp_path) as server:
        ann, ben = Device(server.client), Device(server.client, name="Ben")
        key, half = begin(ann), begin(ben)
        play(ann, key)
        assert play(ben, half, 3) == 3
        server.kill()
        server.start()
        ann.client = ben.client = server.client
        assert "Your result" in ann.get("/daily").text
        assert begin(ben) == half
        play(ben, half)
        assert body(ben, half) == body(ann, key)


def shown(device, client, link):
    """The histogram of a deal as one process shows it, and how many it counts."""
    twin = Device(client)
    twin.cookies = dict(device.cookies)
    page = twin.get(link).text
    rows = re.search(r'<table class="spread">.*?</table>', page, re.DOTALL)[0]
    return rows, sum(map(int, re.findall(r"</svg><span>(\d+)</span></div>", rows)))


def test_both_processes_show_the_same_results_and_count_each_once(two):
    clients = [server.client for server in two]
    ann = Device(clients[0], name="Zoe")
    play(ann, begin(ann, "magnate"))
    link = re.search(r'href="(/daily/magnate/[\d-]+)"', ann.get("/daily").text)[1]
    before = shown(ann, clients[0], link)[1]  # others have played it in this module
    assert before >= 1
    for n in (1, 2):
        friend = Device(clients[n % 2], name=f"Guest {n}")
        for client in clients:  # both keep what there was
            assert shown(ann, client, link)[1] == before + n - 1
        key = begin(friend, "magnate")
        assert [shown(ann, client, link)[1] for client in clients] == [before + n - 1] * 2
        play(friend, key)
        for client in clients * 2:
            until(lambda c=client, all_now=before + n: shown(ann, c, link)[1] == all_now)
    until(lambda: len({shown(ann, client, link)[0] for client in clients}) == 1)
