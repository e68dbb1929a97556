"""The API as it describes itself, asked at random."""

import warnings

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")

from hypothesis import HealthCheck
from hypothesis import settings as how
from schemathesis.checks import load_all_checks

from yegg.table.app import application
from yegg.table.settings import Settings

load_all_checks()


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    folder = tmp_path_factory.mktemp("described")
    options = Settings(
        db=f"sqlite:///{folder}/t.db", limits=False, pace=0.0, hosts=("*",), warm=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schema = schemathesis.openapi.from_asgi("/api/schema/openapi.json", application(options))
    return schema.exclude(path_regex="events$")


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@how(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.filterwarnings("ignore")
def test_no_answer_is_a_fault_of_ours(case):
    answer = case.call(base_url="http://localhost")
    assert answer.status_code < 500, answer.content
    assert "Traceback" not in answer.text
