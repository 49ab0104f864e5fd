import Foundation
import ImageCore

/// How one frame lies against another: shift, rotation and scale, to hundredths of a photosite.
///
/// Source: Lucas and Kanade (1981) on a pyramid, with the mean of both gradients as in Benhimane
/// and Malis, "Real-time image-based tracking of planes using efficient second-order minimization"
/// (2004), and weights of Geman and McClure against moving objects; the first shift by exhaustive
/// search on the coarsest level (``ShiftSearch``). Formula: minimizes Σ w ρ(F(W(u)) − R(u) − c)
/// over the similarity W and the offset c, R and F being the log luminance of both, smoothed, so
/// that exposure is an offset. Pixels near a saturated one in either frame are ignored. Units:
/// photosites from the center of the picture; luminance in stops. Domain: shifts up to an eighth of
/// the longer side, rotations up to some degrees; frames of more than a few photosites in each
/// dimension. Known failures: periodic scenes with a longer period; parallax and moving water,
/// where the larger area decides.
struct FrameAlignment: Sendable {
  /// What was found.
  enum Outcome: Sendable {
    case found(Similarity)
    /// There is too little that both show, or no structure in it.
    case unknown
    /// They do not show the same scene.
    case different
  }

  /// Pixels of the level that decides.
  private static let finestArea = 2_200_000
  /// Pixels of a level above which only some of its rows are compared.
  private static let comparedArea = 60_000
  /// Fraction of the pixels that must count.
  static let minFraction = 0.02
  /// Residual over the spread of the picture above which scenes are considered different, and the
  /// spread in stops below which that is unknown.
  private static let maxResidual = 0.5
  private static let minSpread = 0.05
  private static let iterations = 24
  /// Deviation with a weight of 1/4, in units of the median. At 2 placements of the terrace scene
  /// were off by 0.019 photosites in the mean, at 1.5 by as much, at 3 by 0.023, at 5 by 0.029.
  private static let tolerated = 2.0
  /// Steps in pixels after which a level is done: for the last level, and for the earlier ones.
  private static let finestStep = 1e-3
  private static let coarseStep = 0.02

  let frameSize: PixelSize
  let workers: Int

  /// Where `frame` lies against `reference`.
  func align(_ frame: LuminanceProxy, to reference: LuminanceProxy) throws(PixelError) -> Outcome {
    let floor = 4 * max(frame.blackNoise, reference.blackNoise, 1e-7)
    var levels = [(LogLuminance(reference, floor: floor), LogLuminance(frame, floor: floor))]
    while max(levels[0].0.size.width, levels[0].0.size.height) > ShiftSearch.coarsest,
      min(levels[0].0.size.width, levels[0].0.size.height) >= 24
    {
      levels.insert((levels[0].0.halved, levels[0].1.halved), at: 0)
    }
    let used = levels.filter { $0.0.size.area <= Self.finestArea }
    guard let first = used.first else { return .unknown }
    let pairs = used.map { ($0.0.smoothed(margin: 4), $0.1.smoothed(margin: 4)) }
    let isSmall = first.0.size.area < 64
    guard !isSmall else { return .unknown }
    let shift = try ShiftSearch(first.0.size).shift(of: first.1, against: first.0, workers: workers)
    var found = Similarity(
      right: Double(shift.x) * first.0.cell, down: Double(shift.y) * first.0.cell)
    var judged: (residual: Double, spread: Double)?
    var isBetter = false
    for (index, (reference, frame)) in pairs.enumerated() {
      let end = index == pairs.count - 1 ? Self.finestStep : Self.coarseStep
      guard let step = try refine(found, reference, frame, until: end) else { continue }
      found = step.similarity
      if index == pairs.count - 1 { isBetter = try isSignificant(step, reference, frame) }
      if judged == nil || reference.size.area <= 40_000 {
        judged = (step.residual, spread(reference))
      }
    }
    guard let judged, judged.spread > Self.minSpread else { return .unknown }
    let halves = (Double(frameSize.width) / 2, Double(frameSize.height) / 2)
    guard judged.residual < Self.maxResidual * judged.spread, abs(found.scale - 1) < 0.1,
      abs(found.rotation) < 10,
      found.farthest(halves.0, halves.1) < 0.4 * 2 * max(halves.0, halves.1)
    else { return .different }
    return .found(isBetter ? found : .identity)
  }

  /// Whether the fit is better than no motion by more than noise explains: even gradients fit
  /// equally well at any shift, because a shift looks like another exposure.
  private func isSignificant(_ found: Step, _ reference: LogLuminance, _ frame: LogLuminance)
    throws(PixelError) -> Bool
  {
    let (size, middle, cell) = (reference.size, reference.middle(of: frameSize), reference.cell)
    let (rows, step) = (lines(size), stepOfLines(size))
    let moved = try Parallel.map(count: rows, workers: workers) { line in
      var (here, there): ([Float], [Float]) = ([], [])
      let y = 1 + line * step
      for x in 1..<max(size.width - 1, 1) {
        let i = y * size.width + x
        let (ux, uy) = ((Double(x) - middle.x) * cell, (Double(y) - middle.y) * cell)
        let w = found.similarity(ux, uy)
        guard reference.weights[i] > 0, frame.weights[i] > 0,
          let moved = frame.values.withUnsafeBufferPointer({
            frame.sample($0, w.x / cell + middle.x, w.y / cell + middle.y)
          })
        else { continue }
        here.append(frame.values[i] - reference.values[i])
        there.append(moved.value - reference.values[i])
      }
      return (here, there)
    }
    guard let offset = OrderStatistic.median(moved.map(\.0)) else { return true }
    func cost(_ error: Float) -> Double {
      let ratio = Double(error) / found.tolerance
      return ratio * ratio / (1 + ratio * ratio)
    }
    var (gain, squares) = (0.0, 0.0)
    for (here, there) in moved {
      for i in here.indices {
        let difference = cost(here[i] - offset) - cost(there[i] - Float(found.offset))
        gain += difference
        squares += difference * difference
      }
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
  private func spread(_ luminance: LogLuminance) -> Double {
    let values = zip(luminance.values, luminance.weights).filter { $1 > 0 }.map(\.0)
    guard let middle = OrderStatistic.median([values]) else { return 0 }
    return OrderStatistic.median([values.map { abs($0 - middle) }]).map(Double.init) ?? 0
  }

  /// Sums of one row for the normal equations: five unknowns, then the right side.
  private struct Sums {
    var rows = (
      SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero,
      SIMD8<Float>.zero
    )
    /// Errors in stops, without their signs.
    var residuals: [Float] = []
  }

  /// Distance of the compared rows: this many pixels determine shifts to hundredths.
  private func stepOfLines(_ size: PixelSize) -> Int { max(size.area / Self.comparedArea, 1) }

  /// How many rows are compared.
  private func lines(_ size: PixelSize) -> Int {
    let step = stepOfLines(size)
    return max(size.height - 2 + step - 1, 0) / step
  }

  /// `start` made better by what the pictures of one level show; nil where too little counts.
  private func refine(
    _ start: Similarity, _ reference: LogLuminance, _ frame: LogLuminance, until end: Double
  ) throws(PixelError) -> Step? {
    let size = reference.size
    let (middle, cell) = (reference.middle(of: frameSize), reference.cell)
    let (lines, step) = (lines(size), stepOfLines(size))
    var (similarity, offset) = (start, 0.0)
    var tolerance = Double.infinity
    var residual = 0.0
    var faster = FixedPointAcceleration(measured: 4)
    for iteration in 0..<Self.iterations {
      let rows = try Parallel.map(count: lines, workers: workers) {
        [similarity, offset, tolerance] line in
        sums(1 + line * step, similarity, Float(offset), Float(tolerance), reference, frame, middle)
      }
      let count = rows.reduce(0) { $0 + $1.residuals.count } * step
      guard Double(count) >= Double(size.area) * Self.minFraction, count >= 40,
        let median = OrderStatistic.median(rows.map(\.residuals))
      else { return nil }
      var equations = [[Double]](repeating: [Double](repeating: 0, count: 6), count: 5)
      for row in rows {
        for (i, sums) in [row.rows.0, row.rows.1, row.rows.2, row.rows.3, row.rows.4].enumerated() {
          for j in 0..<6 { equations[i][j] += Double(sums[j]) }
        }
      }
      residual = Double(median)
      let isFirst = tolerance == .infinity
      tolerance = max(Self.tolerated * residual, 0.01)
      guard let step = LinearEquations.solution(equations, minPivot: 1e-10) else { return nil }
      let half = Double(max(frameSize.width, frameSize.height)) / 2
      let accelerated = faster.step(step.map { -$0 })
      // Rotation and scale were solved for in photosites at the longer side's end.
      similarity.right += accelerated[0]
      similarity.down += accelerated[1]
      similarity.a += accelerated[2] / half
      similarity.b += accelerated[3] / half
      offset -= accelerated[4]
      let moved = max(abs(step[0]), abs(step[1]), abs(step[2]), abs(step[3]))
      guard moved.isFinite, moved < half else { return nil }
      if !isFirst, iteration > 1, moved < end * cell { break }
    }
    return Step(
      similarity: similarity, offset: offset, residual: residual, tolerance: tolerance)
  }

  private func sums(
    _ y: Int, _ similarity: Similarity, _ offset: Float, _ tolerance: Float,
    _ reference: LogLuminance, _ frame: LogLuminance, _ middle: (x: Double, y: Double)
  ) -> Sums {
    let (width, cell) = (reference.size.width, reference.cell)
    let half = Double(max(frameSize.width, frameSize.height)) / 2
    var sums = Sums()
    var all = sums.rows
    let (slope, inverse) = (Float(1 / (2 * cell)), 1 / tolerance)
    // Where the row begins in the frame and where it goes, in pixels.
    let uy = (Double(y) - middle.y) * cell
    let start = similarity(-middle.x * cell, uy)
    let (fx, fy) = (start.x / cell + middle.x, start.y / cell + middle.y)
    reference.values.withUnsafeBufferPointer { values in
      reference.weights.withUnsafeBufferPointer { weights in
        frame.values.withUnsafeBufferPointer { others in
          sums.residuals = [Float](unsafeUninitializedCapacity: width) { residuals, count in
            for x in 1..<max(width - 1, 1) {
              let i = y &* width &+ x
              guard weights[i] > 0,
                let sample = frame.sample(
                  others, fx + Double(x) * (1 + similarity.a), fy + Double(x) * similarity.b)
              else { continue }
              // The mean of both gradients, stops per photosite.
              let gx = ((values[i &+ 1] - values[i &- 1]) * 0.5 + sample.dx) * slope
              let gy = ((values[i &+ width] - values[i &- width]) * 0.5 + sample.dy) * slope
              let error = sample.value - values[i] - offset
              residuals[count] = abs(error)
              count &+= 1
              let ratio = error * inverse
              let fit = 1 + ratio * ratio
              let weight = 1 / (fit * fit)
              // At the longer side's end.
              let ux = Float((Double(x) - middle.x) * cell / half)
              let vy = Float(uy / half)
              let (turned, scaled) = (gy * ux - gx * vy, gx * ux + gy * vy)
              let row = SIMD8<Float>(gx, gy, scaled, turned, 1, error, 0, 0) * weight
              all.0 += row * gx
              all.1 += row * gy
              all.2 += row * scaled
              all.3 += row * turned
              all.4 += row
            }
          }
        }
      }
    }
    sums.rows = all
    return sums
  }
}

extension LogLuminance {
  /// Value and gradient at a position in pixels, by cubic convolution (Keys 1981), where `values`
  /// belong to this level; nil where a pixel around it is ignored.
  @inline(__always) fileprivate func sample(
    _ values: UnsafeBufferPointer<Float>, _ x: Double, _ y: Double
  ) -> (value: Float, dx: Float, dy: Float)? {
    guard x >= 1, y >= 1, x < Double(size.width &- 2), y < Double(size.height &- 2),
      let start = values.baseAddress
    else { return nil }
    let (left, top) = (Int(x), Int(y))
    let i = top &* size.width &+ left
    let counts = weights.withUnsafeBufferPointer { $0[i] > 0 && $0[i &+ size.width &+ 1] > 0 }
    guard counts else { return nil }
    let (s, t) = (Float(x - Double(left)), Float(y - Double(top)))
    let (across, down) = (Self.taps(t: s), Self.taps(t: t))
    let (slopes, falls) = (Self.slopes(t: s), Self.slopes(t: t))
    @inline(__always) func row(_ j: Int) -> SIMD4<Float> {
      UnsafeRawPointer(start + (i &+ (j &- 1) &* size.width &- 1))
        .loadUnaligned(as: SIMD4<Float>.self)
    }
    let (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3))
    let value = (r0 * down.x + r1 * down.y) + (r2 * down.z + r3 * down.w)
    let fall = (r0 * falls.x + r1 * falls.y) + (r2 * falls.z + r3 * falls.w)
    return ((across * value).sum(), (slopes * value).sum(), (across * fall).sum())
  }

  /// Weights of four samples for the value at `t` between the middle two.
  @inline(__always) private static func taps(t: Float) -> SIMD4<Float> {
    let (t2, t3) = (t * t, t * t * t)
    return SIMD4(
      -0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t,
      0.5 * t3 - 0.5 * t2)
  }

  /// The weights for the slope there.
  @inline(__always) private static func slopes(t: Float) -> SIMD4<Float> {
    let t2 = t * t
    return SIMD4(
      -1.5 * t2 + 2 * t - 0.5, 4.5 * t2 - 5 * t, -4.5 * t2 + 4 * t + 0.5, 1.5 * t2 - t)
  }
}
