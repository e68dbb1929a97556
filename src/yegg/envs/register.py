"""Makes the games known to Gymnasium, which calls this when it is imported."""

from yegg import games

from .setting import titled


def register() -> None:
    """Register ``yegg/NAME-vVERSION`` for each game; the version is that of its rules."""
    from gymnasium.envs import registration

    for name in games.names():
        spec = f"yegg/{titled(games.find(name))}"
        if spec not in registration.registry:
            registration.register(
                spec,
                entry_point="yegg.envs.gymnasium:OneSeat",
                vector_entry_point="yegg.envs.gymnasium:OneSeatVector",
                kwargs={"game": name},
            )
