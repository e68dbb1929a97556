"""Names for tables and evenings that nobody has named."""

import random

FIRST = "Amber Ashen Blue Brass Copper Cobbled Crooked Drowned Gilded Hollow Ivory Lantern Moth Old Painted Quiet Rusty Salt Silver Thirteenth Velvet Wren's".split()  # noqa: E501, SIM905
SECOND = "Alley Anchor Arcade Bell Bridge Cellar Court Door Gate Ink House Kettle Lamp Mews Quay Room Row Shutters Stair Steps Terrace Well".split()  # noqa: E501, SIM905


def drawn_name() -> str:
    """A name for a table, or for an evening."""
    return f"{random.choice(FIRST)} {random.choice(SECOND)}"  # noqa: S311
