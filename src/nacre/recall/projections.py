"""Draw what is remembered on a plane."""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from nacre.domain.hits import Kind
from nacre.domain.projections import Point, Projection
from nacre.models.embedders import Matrix, unpack
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories, turns, vectors
from nacre.store.evidence.vectors import StoredVector

SHOWN = 200

Points = npt.NDArray[np.float64]


def project(tx: Transaction, space: str, kinds: Collection[Kind], limit: int) -> Projection:
    """The newest memories and turns of a scope, by the two directions in which their vectors differ most."""
    memory_tx = sharing.moved(tx, sharing.of(tx).memory_home(tx.scope))
    places = {Kind.MEMORY: memory_tx, Kind.TURN: tx}
    found = [each for kind in kinds for each in vectors.newest(places[kind], space, kind, limit)]
    shown = sorted(found, key=lambda each: (each.at, each.item), reverse=True)[:limit]
    points = plane(unpack([each.data for each in shown]))
    return Projection(
        items=tuple(_points(memory_tx, tx, shown, points)),
        total=sum(vectors.count(places[kind], space, kind) for kind in kinds),
    )


def plane(matrix: Matrix) -> Points:
    """Each row as a point from -1 to 1, by the two principal components; the same rows give the same points."""
    count = len(matrix)
    if count == 0 or matrix.shape[1] < 2:
        return np.zeros((count, 2))
    centred = matrix.astype(np.float64) - matrix.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)
    axes = directions[:, [-1, -2]]
    # A component has no sign of its own: let its largest part be positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    points = centred @ axes
    reach = np.abs(points).max()
    # Adding nothing turns a zero with a minus into a plain one.
    return np.round(points / reach, 6) + 0.0 if reach > 1e-9 else np.zeros_like(points)


def _points(memory_tx: Transaction, turn_tx: Transaction, shown: Sequence[StoredVector], points: Points) -> list[Point]:
    of = {kind: [each.item for each in shown if each.kind is kind] for kind in (Kind.MEMORY, Kind.TURN)}
    known, heard = memories.by_id(memory_tx, of[Kind.MEMORY]), turns.by_id(turn_tx, of[Kind.TURN])
    drawn = []
    for each, (x, y) in zip(shown, points.tolist(), strict=True):
        memory = known.get(each.item)
        drawn.append(
            Point(
                id=each.item,
                kind=each.kind,
                content=(memory.content if memory else heard[each.item].turn.text)[:SHOWN],
                x=x,
                y=y,
                created_at=memory.created_at if memory else each.at,
                category=memory.category if memory else None,
                importance=memory.importance if memory else None,
            )
        )
    return drawn
