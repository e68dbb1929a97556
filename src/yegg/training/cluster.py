"""Training on a Ray cluster: each worker plays its part of a step, and sends back gradients.

A worker is told the weights and which step it is, so it remembers nothing: where one dies, another
does the same.  Decision 0060.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from yegg import cluster
from yegg.engine import Refused
from yegg.engine.game import find
from yegg.machine import versions
from yegg.players.value_net.value_function import fingerprint

from .kernels import gradient
from .trainer import Course, Executor, Gradient, Training

TRIES = 3  # how often a worker that dies is replaced


class Worker:
    """In a process of its own: plays games and sums up what they say."""

    def __init__(
        self, paths: Sequence[str], code: Mapping[str, bytes], game: str, course: Course
    ) -> None:
        """``code`` is machine code, so that it need not be compiled again."""
        cluster.find_as(paths)
        cluster.unpack(code)
        self.training = Training(find(game), course)
        self.training.warm()

    def look(self) -> dict[str, str]:
        """The versions, code and features with which this worker would learn."""
        return looked(self.training)

    def gradient(self, flat: Any, step: int, worker: int) -> Gradient:
        """A worker's part of a step."""
        self.training.flat[:], self.training.step = flat, step
        return self.training.gradient(worker)


def looked(training: Training) -> dict[str, str]:
    """The versions, code and features with which a process would learn."""
    code = training.engine.compiler.digest(gradient.__module__)
    return {**versions(), "code": code, "senses": fingerprint(training.game)}


@contextmanager
def at_work(training: Training, cores: int | None = None) -> Iterator[Executor]:
    """Workers on all nodes, as many as the training wants.  Raises Refused."""
    course = training.course
    with cluster.opened(cores) as ray:
        free = sum(node["cores"] for node in cluster.nodes(ray))
        if free < course.workers:
            raise Refused(
                f"{course.workers} workers want a core each, and the cluster has {free}; "
                "give fewer (--workers), but other weights come of that"
            )
        actor = ray.remote(Worker).options(
            num_cpus=1, max_restarts=TRIES, max_task_retries=TRIES, scheduling_strategy="SPREAD"
        )
        code = ray.put(cluster.code())
        workers = [
            actor.remote(cluster.paths(), code, training.game.name, course)
            for _ in range(course.workers)
        ]
        here = looked(training)
        for number, worker in enumerate(workers, 1):
            cluster.agree(f"worker {number}", _answer(ray, worker.look.remote()), here)

        def executor(training: Training) -> list[Gradient]:
            flat = ray.put(training.flat)
            parts = [
                worker.gradient.remote(flat, training.step, number)
                for number, worker in enumerate(workers)
            ]
            return [_answer(ray, part) for part in parts]

        yield executor


def _answer(ray: Any, asked: Any) -> Any:
    """What a worker answers.  Raises Refused if there is none, though it was replaced."""
    try:
        return ray.get(asked)
    except (ray.exceptions.RayError, RuntimeError) as error:
        raise Refused(f"a worker failed ({cluster.why(error)}); --resume goes on") from None
