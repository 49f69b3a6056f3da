"""Drives Qhull for the benches, through SciPy: points come in by lines, times and measures go out.

First line: number of points; then the coordinates of each. Then `hull` answers with the seconds that the hull of the points
took, its area, its volume and its number of vertices. The clock runs around one call into the library.
"""

import sys
import time

import numpy
import scipy
from scipy.spatial import ConvexHull


def main():
    n = int(sys.stdin.readline())
    points = numpy.array([[float(x) for x in sys.stdin.readline().split()] for _ in range(n)])
    print(scipy.__version__, flush=True)

    for line in sys.stdin:
        if line.strip() != "hull":
            sys.exit(f"unknown command {line}")
        start = time.perf_counter()
        hull = ConvexHull(points)
        seconds = time.perf_counter() - start
        print(seconds, float(hull.area), float(hull.volume), len(hull.vertices), flush=True)


main()
