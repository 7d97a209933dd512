"""Equations of a network of resistors, which the games between players are to a rating's fit.

Each pair of nodes has a conductance; the sums of what flows out of the nodes are given, and the
potentials are wanted. The matrix is the weighted Laplacian of the graph. Potentials are told up to
a constant in each connected part: here their mean in each part is 0.

Conjugate gradients need few steps where many lines cross, and long chains need many; for these the
sparse factors, which fill up where many lines cross, are short.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from elo_xl.engine.arrays import FloatArray, IntArray
from elo_xl.engine.errors import DomainError

_EXACT: Final = 1e-11
"""The residual, relative to the first one, that ends conjugate gradients."""

_SPARSE: Final = 12
"""Lines per node up to which factors are tried after so few steps:"""
_FEW: Final = 100
_SINGULAR: Final = "the equations are singular: the games tell too little"
_MANY: Final = 5_000


class Network:
    """Lines between nodes 0 to ``size`` - 1, each of which has one; in the order of ``first``.

    Its methods raise DomainError for conductances so near 0 that they cannot be told from it.

    >>> chain = Network(np.array([0, 1]), np.array([1, 2]), 3)
    >>> chain.conduct(np.array([1.0, 2.0]))
    >>> chain.solve(np.array([[1.0], [0.0], [-1.0]]))[:, 0].round(4).tolist()
    [0.8333, -0.1667, -0.6667]
    """

    def __init__(self, first: IntArray, second: IntArray, size: int) -> None:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        self.first, self.second = first, second
        ends = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=size))])
        # small indices, and one direction of each line: the arrays are read again and again
        small = second.astype(np.int32), ends.astype(np.int32)
        self.lines = csr_array((np.ones(first.size), *small), shape=(size, size))
        self.back = self.lines.T
        self.part: IntArray = connected_components(self.lines, directed=False)[1].astype(np.int64)
        self._members = np.bincount(self.part).astype(float)
        self.total: FloatArray = np.ones(size)
        self._chains = False
        """whether conjugate gradients have taken too long"""

    def conduct(self, conductance: FloatArray) -> None:
        """Set the conductances of the lines."""
        self.lines.data = self.back.data = conductance
        size = self.total.size
        self.total = np.bincount(self.first, conductance, size).astype(float)
        self.total += np.bincount(self.second, conductance, size)

    def solve(self, flow: FloatArray) -> FloatArray:
        """The potentials for flows that add up to 0 in each part, a column for each case."""
        if not flow.size:
            return flow
        flow = self._balanced(flow)
        x = None
        if not self._chains:
            sparse = self.lines.nnz <= _SPARSE * self.part.size
            x = self._by_gradients(flow, _FEW if sparse else _MANY)
        if x is None:
            self._chains = True
            x = self._by_factors(flow)
        return self._balanced(x)

    def _balanced(self, x: FloatArray) -> FloatArray:
        """The columns without their mean in each part, which only rounding leaves in flows."""
        means = [np.bincount(self.part, column) / self._members for column in x.T]
        return np.asarray(x - np.stack(means, axis=1)[self.part])

    def _by_gradients(self, flow: FloatArray, most: int) -> FloatArray | None:
        """Conjugate gradients, with the diagonal as preconditioner; None if they take too long."""
        scale = 1 / self.total[:, None]
        x, r = np.zeros_like(flow), flow.copy()
        z = scale * r
        p, size = z.copy(), (r * z).sum(axis=0)
        enough = _EXACT**2 * size
        for _ in range(most):
            if (size <= enough).all():
                return x
            q = self.total[:, None] * p - self.lines @ p - self.back @ p
            work = (p * q).sum(axis=0)
            going = (size > enough) & (work > 0)
            step = np.divide(size, work, out=np.zeros_like(size), where=going)
            x += step * p
            r -= step * q
            z = scale * r
            before, size = size, np.where(going, (r * z).sum(axis=0), 0)
            p *= np.divide(size, before, out=np.zeros_like(size), where=before > 0)
            p += z
        return None

    def _by_factors(self, flow: FloatArray) -> FloatArray:
        """Sparse factors, with one node of each part at potential 0."""
        from scipy.sparse import csc_array, diags_array
        from scipy.sparse.linalg import splu

        kept = np.ones(self.part.size, bool)
        kept[np.unique(self.part, return_index=True)[1]] = False
        matrix = csc_array(diags_array(self.total) - self.lines - self.back)[kept][:, kept]
        x = np.zeros_like(flow)
        if kept.any():
            options = {"SymmetricMode": True}
            try:
                factors = splu(
                    csc_array(matrix),
                    permc_spec="MMD_AT_PLUS_A",
                    diag_pivot_thresh=0,
                    options=options,
                )
            except RuntimeError:
                raise DomainError(_SINGULAR) from None
            x[kept] = factors.solve(flow[kept])
        return x

    def diagonal(self, nodes: IntArray) -> FloatArray:
        """The potential of each node of one part for a flow of 1 into it, which leaves in equal
        shares everywhere in that part: the diagonal of Moore and Penrose's inverse.

        It takes the dense matrix, and a time that grows with the cube of the nodes.
        """
        from scipy.linalg.lapack import dpotrf, dtrtri
        from scipy.sparse import csc_array

        own = self.lines[nodes][:, nodes].tocoo()
        low, high = np.minimum(own.row, own.col), np.maximum(own.row, own.col)
        # the lower triangle is enough, and a matrix in Fortran's order is not copied
        matrix = csc_array((-own.data, (high, low)), shape=own.shape).toarray(order="F")
        matrix[np.diag_indices(nodes.size)] += self.total[nodes]
        shift = self.total[nodes].mean() / nodes.size
        matrix += shift  # then the constant, which the matrix turns to 0, has an inverse, too
        factor, singular = dpotrf(matrix, lower=1, overwrite_a=1)
        if not singular:
            factor, singular = dtrtri(factor, lower=1, overwrite_c=1)
        if singular:
            raise DomainError(_SINGULAR)
        squares: FloatArray = np.einsum("ij,ij->j", factor, factor)
        return np.asarray(squares - 1 / (shift * nodes.size**2))
