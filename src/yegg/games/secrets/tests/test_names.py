"""Names with dots in written orders."""

import pytest

from .test_orders import faults, match_of, understood


@pytest.mark.parametrize("name", ["St. John", "M. C. Ann-Lee", "J.R.", "Will & Co."])
def test_a_dot_within_a_name_ends_no_order(name):
    match = match_of(["Ann", name, "Charles"])
    text = f"Club steals 2 from {name}, Diamond takes {name} 9. Heart Charles 3. Spade {name} 4."
    assert understood(f"{text} Guard 7.", 0, match) == [
        f"2 from {name}", f"9 from {name}", "3 from Charles", f"4 from {name}", "guards 7",
    ]  # fmt: skip
    text = "Club 2 from St. Diamond 9 from Bill. Heart Derek 9, Spade Eric 8. P 7"
    assert "“Club 2 from St”" in faults(text)[0], "elsewhere a dot ends it"
