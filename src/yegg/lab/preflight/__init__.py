"""The pre-flight: in some minutes, what a publisher's playtest of a game would tell."""
