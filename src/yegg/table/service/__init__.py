"""Services of the server: tables that go on, bots, the coach, the lobby, several processes."""
