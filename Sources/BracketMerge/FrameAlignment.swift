import Foundation
import ImageCore

/// How one frame lies against another: shift, rotation and scale, to hundredths of a photosite.
///
/// Source: Lucas and Kanade (1981) on a pyramid, with the mean of both gradients as in Benhimane
/// and Malis, "Real-time image-based tracking of planes using efficient second-order minimization"
/// (2004), and weights of Geman and McClure for what moved; the first shift by exhaustive search on
/// the coarsest level. Formula: minimizes Σ w ρ(F(W(u)) − R(u) − c) over the similarity W and the
/// offset c, R and F being the logarithms of the light of both, smoothed, so that exposure is an
/// offset. Only pixels count that no saturated one is near in either. Units: photosites from the
/// middle of the picture; light in stops. Domain: shifts up to `searched` of the longer side,
/// rotations up to some degrees. Known failures: scenes that repeat themselves farther than that;
/// parallax and moving water, of which the larger part decides.
struct FrameAlignment: Sendable {
  /// What was found.
  enum Outcome: Sendable {
    case found(Similarity)
    /// There is too little that both show, or no structure in it.
    case unknown
    /// They do not show the same scene.
    case different
  }

  /// Pixels of the longer side of the coarsest level, and the largest shift that is looked for.
  private static let coarsest = 96
  private static let searched = 0.125
  /// Pixels of the level that decides.
  private static let finestArea = 2_200_000
  /// Fraction of the pixels that must count.
  private static let leastShare = 0.02
  /// Residual over the spread of the picture above which scenes differ, and spread in stops below
  /// which that cannot be told.
  private static let mostResidual = 0.5
  private static let leastSpread = 0.05
  private static let iterations = 24

  let whole: PixelSize
  let workers: Int

  /// Where `frame` lies against `reference`.
  func align(_ frame: LightProxy, to reference: LightProxy) -> Outcome {
    let floor = 4 * max(frame.blackNoise, reference.blackNoise, 1e-7)
    var levels = [(LogLight(reference, floor: floor), LogLight(frame, floor: floor))]
    while max(levels[0].0.size.width, levels[0].0.size.height) > Self.coarsest,
      min(levels[0].0.size.width, levels[0].0.size.height) >= 24
    {
      levels.insert((levels[0].0.halved, levels[0].1.halved), at: 0)
    }
    let used = levels.filter { $0.0.size.area <= Self.finestArea }
    guard let first = used.first else { return .unknown }
    let pairs = used.map { ($0.0.smoothed(margin: 4), $0.1.smoothed(margin: 4)) }
    let isSmall = first.0.size.area < 64
    guard !isSmall else { return .unknown }
    var found = search(first.0, first.1)
    var judged: (residual: Double, spread: Double)?
    var isBetter = false
    for (reference, frame) in pairs {
      guard let step = refine(found, reference, frame) else { continue }
      found = step.similarity
      isBetter = isSignificant(step, reference, frame)
      if judged == nil || reference.size.area <= 40_000 {
        judged = (step.residual, spread(reference))
      }
    }
    guard let judged, judged.spread > Self.leastSpread else { return .unknown }
    let halves = (Double(whole.width) / 2, Double(whole.height) / 2)
    guard judged.residual < Self.mostResidual * judged.spread, abs(found.scale - 1) < 0.1,
      abs(found.rotation) < 10,
      found.farthest(halves.0, halves.1) < 0.4 * 2 * max(halves.0, halves.1)
    else { return .different }
    return .found(isBetter ? found : .identity)
  }

  /// Whether the frame lies better so than exactly on the reference, beyond what noise explains:
  /// even gradients fit as well at any shift, because they look like another exposure.
  private func isSignificant(_ step: Step, _ reference: LogLight, _ frame: LogLight) -> Bool {
    let (size, middle, cell) = (reference.size, reference.middle(of: whole), reference.cell)
    let rows = Parallel.map(count: max(size.height - 2, 0), workers: workers) { line in
      var pairs: [SIMD2<Float>] = []
      for x in 1..<max(size.width - 1, 1) {
        let i = (line + 1) * size.width + x
        let (ux, uy) = ((Double(x) - middle.x) * cell, (Double(line + 1) - middle.y) * cell)
        let w = step.similarity(ux, uy)
        guard reference.weights[i] > 0, frame.weights[i] > 0,
          let moved = frame.sample(w.x / cell + middle.x, w.y / cell + middle.y)
        else { continue }
        pairs.append(
          SIMD2(
            Float(moved.value) - reference.values[i], frame.values[i] - reference.values[i]))
      }
      return pairs
    }
    let pairs = rows.flatMap { $0 }
    guard !pairs.isEmpty else { return true }
    let offset = pairs.map(\.y).sorted()[pairs.count / 2]
    func cost(_ error: Float) -> Double {
      let ratio = Double(error) / step.tolerance
      return ratio * ratio / (1 + ratio * ratio)
    }
    var (gain, squares) = (0.0, 0.0)
    for pair in pairs {
      let difference = cost(pair.y - offset) - cost(pair.x - Float(step.offset))
      gain += difference
      squares += difference * difference
    }
    // Neighbors are not independent: both pictures are smoothed.
    return gain > Self.significance * (squares * Self.correlated).squareRoot()
  }

  private static let significance = 4.0
  private static let correlated = 10.0

  /// What the pictures of one level show.
  private struct Step {
    var similarity: Similarity
    /// Stops that the frame is brighter.
    var offset: Double
    /// Median error in stops, and the error at which a pixel counts a quarter.
    var residual: Double
    var tolerance: Double
  }

  /// The median distance from the median of what counts.
  private func spread(_ light: LogLight) -> Double {
    let values = zip(light.values, light.weights).filter { $1 > 0 }.map { Double($0.0) }
    guard !values.isEmpty else { return 0 }
    let middle = values.sorted()[values.count / 2]
    return values.map { abs($0 - middle) }.sorted()[values.count / 2]
  }

  /// The shift in whole pixels at which both are most alike.
  private func search(_ reference: LogLight, _ frame: LogLight) -> Similarity {
    let size = reference.size
    let reach = Int((Double(max(size.width, size.height)) * Self.searched).rounded(.up))
    let side = 2 * reach + 1
    let scores = Parallel.map(count: side * side, workers: workers) { index -> Double in
      let (dx, dy) = (index % side - reach, index / side - reach)
      var (n, sr, sf, srr, sff, srf) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
      for y in max(0, -dy)..<max(max(0, -dy), min(size.height, size.height - dy)) {
        for x in max(0, -dx)..<max(max(0, -dx), min(size.width, size.width - dx)) {
          let (i, j) = (y * size.width + x, (y + dy) * size.width + x + dx)
          guard reference.weights[i] > 0, frame.weights[j] > 0 else { continue }
          let (r, f) = (Double(reference.values[i]), Double(frame.values[j]))
          n += 1
          sr += r
          sf += f
          srr += r * r
          sff += f * f
          srf += r * f
        }
      }
      guard n >= Double(size.area) * Self.leastShare else { return -1 }
      let (vr, vf) = (srr / n - sr * sr / n / n, sff / n - sf * sf / n / n)
      guard vr > 1e-9, vf > 1e-9 else { return -1 }
      let correlation = (srf / n - sr * sf / n / n) / (vr * vf).squareRoot()
      // Of shifts that are as good, the smaller one.
      return correlation - 1e-6 * Double(dx * dx + dy * dy)
    }
    var best = reach * side + reach
    for (index, score) in scores.enumerated() where score > scores[best] { best = index }
    return Similarity(
      right: Double(best % side - reach) * reference.cell,
      down: Double(best / side - reach) * reference.cell)
  }

  /// Sums of one row for the normal equations: five unknowns.
  private struct Sums {
    var matrix = [Double](repeating: 0, count: 25)
    var vector = [Double](repeating: 0, count: 5)
    var residuals: [Float] = []
    var count = 0
  }

  /// `start` made better by what the pictures of one level show; nil where too little counts.
  private func refine(
    _ start: Similarity, _ reference: LogLight, _ frame: LogLight
  ) -> Step? {
    let size = reference.size
    let (middle, cell) = (reference.middle(of: whole), reference.cell)
    var (similarity, offset) = (start, 0.0)
    var tolerance = Double.infinity
    var residual = 0.0
    for iteration in 0..<Self.iterations {
      let rows = Parallel.map(count: max(size.height - 2, 0), workers: workers) {
        [similarity, offset, tolerance] line in
        sums(line + 1, similarity, offset, tolerance, reference, frame, middle)
      }
      let count = rows.reduce(0) { $0 + $1.count }
      guard Double(count) >= Double(size.area) * Self.leastShare, count >= 40 else { return nil }
      var (matrix, vector) = ([Double](repeating: 0, count: 25), [Double](repeating: 0, count: 5))
      for row in rows where row.count > 0 {
        for i in 0..<25 { matrix[i] += row.matrix[i] }
        for i in 0..<5 { vector[i] += row.vector[i] }
      }
      let sizes = rows.flatMap(\.residuals).map { abs($0) }.sorted()
      residual = Double(sizes[sizes.count / 2])
      let isFirst = tolerance == .infinity
      tolerance = max(3 * residual, 0.01)
      guard let step = LinearEquations.solve(matrix, vector) else { return nil }
      let half = Double(max(whole.width, whole.height)) / 2
      // Rotation and scale were solved for in photosites at the longer side's end.
      similarity.right -= step[0]
      similarity.down -= step[1]
      similarity.a -= step[2] / half
      similarity.b -= step[3] / half
      offset += step[4]
      let moved = max(abs(step[0]), abs(step[1]), abs(step[2]), abs(step[3]))
      guard moved.isFinite, moved < half else { return nil }
      if !isFirst, iteration > 1, moved < 2e-4 * cell { break }
    }
    return Step(
      similarity: similarity, offset: offset, residual: residual, tolerance: tolerance)
  }

  private func sums(
    _ y: Int, _ similarity: Similarity, _ offset: Double, _ tolerance: Double,
    _ reference: LogLight, _ frame: LogLight, _ middle: (x: Double, y: Double)
  ) -> Sums {
    let size = reference.size
    let cell = reference.cell
    let half = Double(max(whole.width, whole.height)) / 2
    var sums = Sums()
    var jacobian = [Double](repeating: 0, count: 5)
    reference.values.withUnsafeBufferPointer { values in
      for x in 1..<max(size.width - 1, 1) {
        let i = y * size.width + x
        guard reference.weights[i] > 0 else { continue }
        // Photosites from the middle.
        let (ux, uy) = ((Double(x) - middle.x) * cell, (Double(y) - middle.y) * cell)
        let w = similarity(ux, uy)
        guard
          let sample = frame.sample(w.x / cell + middle.x, w.y / cell + middle.y)
        else { continue }
        // The mean of both gradients, stops per photosite.
        let gx = (Double(values[i + 1] - values[i - 1]) / 2 + sample.dx) / 2 / cell
        let gy =
          (Double(values[i + size.width] - values[i - size.width]) / 2 + sample.dy) / 2 / cell
        let error = sample.value - Double(values[i]) - offset
        sums.residuals.append(Float(error))
        let ratio = tolerance.isFinite ? error / tolerance : 0
        let weight = 1 / ((1 + ratio * ratio) * (1 + ratio * ratio))
        jacobian[0] = gx
        jacobian[1] = gy
        jacobian[2] = (gx * ux + gy * uy) / half
        jacobian[3] = (gy * ux - gx * uy) / half
        jacobian[4] = 1
        for a in 0..<5 {
          sums.vector[a] += weight * jacobian[a] * error
          for b in 0..<5 { sums.matrix[a * 5 + b] += weight * jacobian[a] * jacobian[b] }
        }
        sums.count += 1
      }
    }
    return sums
  }
}

extension LogLight {
  /// Value and gradient at a position in pixels, by cubic convolution (Keys 1981); nil where a
  /// pixel around it does not count.
  fileprivate func sample(
    _ x: Double, _ y: Double
  ) -> (value: Double, dx: Double, dy: Double)? {
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    guard left >= 1, top >= 1, left + 2 < size.width, top + 2 < size.height,
      weights[top * size.width + left] > 0, weights[(top + 1) * size.width + left + 1] > 0
    else { return nil }
    let (across, down) = (Self.taps(x - Double(left)), Self.taps(y - Double(top)))
    var (value, dx, dy) = (0.0, 0.0, 0.0)
    values.withUnsafeBufferPointer { values in
      for j in 0..<4 {
        let row = (top - 1 + j) * size.width + left - 1
        var (sum, slope) = (0.0, 0.0)
        for i in 0..<4 {
          let v = Double(values[row + i])
          sum += across.value[i] * v
          slope += across.slope[i] * v
        }
        value += down.value[j] * sum
        dx += down.value[j] * slope
        dy += down.slope[j] * sum
      }
    }
    return (value, dx, dy)
  }

  /// Weights of four samples for the value and for the slope at `t` between the middle two.
  private static func taps(_ t: Double) -> (value: SIMD4<Double>, slope: SIMD4<Double>) {
    let (t2, t3) = (t * t, t * t * t)
    let value = SIMD4(
      -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t,
      0.5 * t3 - 0.5 * t2)
    let slope = SIMD4(
      -1.5 * t2 + 2 * t - 0.5, 4.5 * t2 - 5 * t, -4.5 * t2 + 4 * t + 0.5, 1.5 * t2 - t)
    return (value, slope)
  }
}
