// The curve that the program draws through points: monotone cubic, by Fritsch and Butland (1984).

/** The curve through `points`, `[x, y]` with rising x; level outside of them. */
export function spline(points) {
  const last = points.length - 1;
  const steps = points.slice(1).map(([x, y], k) => (y - points[k][1]) / (x - points[k][0]));
  const slopes = points.map((_, k) => {
    if (k === 0 || k === last) return steps[Math.min(k, last - 1)];
    const [before, behind] = [steps[k - 1], steps[k]];
    const [a, b] = [points[k][0] - points[k - 1][0], points[k + 1][0] - points[k][0]];
    const [w1, w2] = [2 * b + a, b + 2 * a];
    return before * behind > 0 ? (w1 + w2) / (w1 / before + w2 / behind) : 0;
  });
  return (value) => {
    if (value <= points[0][0]) return points[0][1];
    if (value >= points[last][0]) return points[last][1];
    const low = points.findLastIndex(([x]) => x <= value);
    const [[x0, y0], [x1, y1]] = [points[low], points[low + 1]];
    const t = (value - x0) / (x1 - x0);
    const u = 1 - t;
    return y0 + (y1 - y0) * t * t * (3 - 2 * t)
      + (x1 - x0) * t * u * (slopes[low] * u - slopes[low + 1] * t);
  };
}
