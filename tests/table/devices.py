"""A browser that knows only cookies and forms, as on a device without scripts."""

import html
import re


class Device:
    """Asks a server as a browser does; each has its own cookies."""

    def __init__(self, client, agent="Mozilla/5.0 (X11; Linux) Firefox/140.0", name="Ann"):
        self.client, self.agent, self.cookies = client, agent, {}
        if name:
            self.cookies["yegg-name"] = name

    def ask(self, method, path, *, told=True, **more):
        """``told``: of a refused form the page that tells why."""
        self.client.cookies.clear()
        head = {"User-Agent": self.agent, **more.pop("headers", {})}
        if self.cookies:
            head["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        answer = self.client.request(method, path, headers=head, follow_redirects=False, **more)
        for line in answer.headers.get_list("set-cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value.strip('"')
            if "Max-Age=0" in line or not value:
                self.cookies.pop(name, None)
        self.client.cookies.clear()
        if told and "said=" in answer.headers.get("location", ""):  # the page that tells a refusal
            return self.get(answer.headers["location"])
        return answer

    def get(self, path):
        return self.ask("GET", path)

    def csrf(self):
        return re.search(r'name="csrf" content="([^"]*)"', self.get("/me").text)[1]

    def post(self, path, **fields):
        return self.ask("POST", path, data={"csrf": self.csrf(), **fields})

    def sent(self, path, **fields):
        """The page to which a form leads."""
        answer = self.post(path, **fields)
        return self.get(answer.headers["location"]) if answer.status_code == 303 else answer

    def api(self, path, body=None):
        """Send JSON, as the scripts of a page do."""
        return self.ask("POST", path, json=body, headers={"X-CSRF-Token": self.csrf()})

    def open(self, game="second-story", **seats):
        """Open a table; its key."""
        seats = seats or {"seat1": "me", "seat2": "open"}
        answer = self.post("/open", game=game, you="Ann", **seats)
        assert answer.status_code == 303, answer.text
        return re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]

    def code(self, path="/me/code"):
        """The code that a page shows."""
        answer = self.sent(path)
        assert answer.status_code == 200, answer.text
        return re.search(r"<b>(\w{5}-\w{5})</b>", answer.text)[1]

    def seat(self, key):
        """The seat that this device has at a table, from 1; None without one."""
        return self.get(f"/api/games/{key}").json()["seat"]

    def devices(self):
        """The keys of the devices on the page, with what it says of each."""
        text = self.get("/me").text
        rows = re.findall(
            r"<li><div><b>(.*?)</b><small>(.*?)</small></div>(.*?)</li>", text, re.DOTALL
        )
        found = [
            (name, said, re.findall(r'name="(?:key|game)" value="(\w+)"', form))
            for name, said, form in rows
        ]
        return [(html.unescape(name), html.unescape(said), *keys) for name, said, keys in found]
