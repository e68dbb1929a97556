"""Games by a deal that several people play: scripts that play one to its end by the pages."""

from waiting import until


def view(device, key):
    return device.get(f"/api/games/{key}").json()


def press(device, key, which=0):
    """Make a choice once it is one's turn: the first, or others in turn; the view after it."""
    until(lambda: (now := view(device, key))["over"] or now["choices"])
    now = view(device, key)
    if not now["over"]:
        at = which and which + now["number"]
        choice = now["choices"][at % len(now["choices"])]["text"]
        sent = device.api(f"/api/games/{key}/choices", {"choice": choice, "after": now["number"]})
        assert sent.status_code == 200, sent.text
    return view(device, key)


def finish(device, key, which=0):
    """Play a table to its end; its key."""
    while not press(device, key, which)["over"]:
        pass
    return key


def record(device, key):
    return device.get(f"/api/games/{key}/record").text


def events_of(text):
    """The events of a record, one a line."""
    return [line for line in text.split("\n\n", 1)[1].split("\n") if line]


def chance_of(text):
    return [line for line in text.split("\n") if line.startswith("* ")]
