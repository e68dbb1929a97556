"""What tests of the contract start from, also where they are run from an installed package."""

from importlib import import_module

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark of long tests known, which ``-m "not wide"`` leaves out, then the fixtures."""
    config.addinivalue_line("markers", "wide(but): takes long, or looks at more of the same")
    config.pluginmanager.register(import_module("yegg.contract.cases"))
