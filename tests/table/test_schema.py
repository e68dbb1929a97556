"""The API as it describes itself, asked at random."""

import warnings

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")
hypothesis = pytest.importorskip("hypothesis")

from yegg.table.app import application  # noqa: E402
from yegg.table.settings import Settings  # noqa: E402


@pytest.mark.wide
@pytest.mark.filterwarnings("ignore")
def test_no_answer_is_a_fault_of_ours(tmp_path):
    options = Settings(db=f"sqlite:///{tmp_path}/t.db", limits=False, hosts=("*",), warm=False)
    app = application(options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schema = schemathesis.openapi.from_asgi("/api/schema/openapi.json", app)
    asked = 0
    try:
        for found in schema.exclude(path_regex="events$").get_all_operations():
            operation = found.ok()

            @hypothesis.given(case=operation.as_strategy())
            @hypothesis.settings(
                max_examples=12,
                deadline=None,
                database=None,
                suppress_health_check=list(hypothesis.HealthCheck),
            )
            def ask(case):
                nonlocal asked
                answer = case.call(base_url="http://localhost")
                asked += 1
                assert answer.status_code < 500, answer.content
                assert b"Traceback" not in answer.content

            ask()
    finally:
        app.state.house.thinkers.close()
        app.state.house.store.close()
    assert asked > 50
