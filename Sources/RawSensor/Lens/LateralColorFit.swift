package import ImageCore
package import RawData

/// Estimates the lateral color of a picture from its pixels: the displacement of red and blue from
/// green.
///
/// Source: Lucas and Kanade, "An iterative image registration technique" (1981), one fit for the
/// full picture as in Bergen et al., "Hierarchical model-based motion estimation" (1992). It works
/// on superpixels before the demosaic, which would correlate the colors. In each window
/// (``LateralWindows``) red, resampled by the shift known so far, is compared with green times the
/// window's own contrast α: the residual is E ≈ −g·δ, g being the mean of both gradients. Windows
/// whose colors correlate by less than `minCorrelation` are ignored. The ten terms of
/// ``LateralShift`` are fitted to all windows by iteratively reweighted least squares: each is
/// weighted by one over its residual variance after its own shift, and by Cauchy's function of its
/// distance from the fit. Terms without evidence stay near 0 (`deviations`, the usual size of
/// each). Units: pixels of the sensor. A shift is significant if it is more than `minAmount` (root
/// mean square over the picture) and more than `minRatio` times the difference of two fits, each of
/// every second window. Known limits: shifts above two superpixels are not found; scenes with few
/// or unevenly distributed edges, or noise above their contrast, give no result; nor do pictures
/// with fewer than `minWindows` windows.
package struct LateralColorFit: Sendable {
  /// The fitted field of one color.
  package struct Fit: Sendable, Hashable {
    package let shift: LateralShift
    /// Root mean square over the picture, in pixels of the sensor.
    package let amount: Float
    /// Root mean square of the difference between two fits, each of every second window.
    package let disagreement: Float
    /// Number of windows used.
    package let windows: Int

    package var isSignificant: Bool {
      windows >= LateralColorFit.minWindows && amount >= LateralColorFit.minAmount
        && amount >= LateralColorFit.minRatio * disagreement
        && amount <= LateralColorFit.maxAmount
    }
  }

  package let red: Fit
  package let blue: Fit
  private let pixelAspect: Double

  /// The significant shifts.
  package var color: LateralColor {
    LateralColor(
      red: red.isSignificant ? red.shift : nil, blue: blue.isSignificant ? blue.shift : nil,
      pixelAspect: pixelAspect)
  }

  static let minWindows = 60
  static let minAmount: Float = 0.1
  static let maxAmount: Float = 6
  static let minRatio: Float = 3
  private static let minCorrelation: Float = 0.8
  private static let iterations = 4
  private static let reweightings = 8
  /// Reweighting ends when no term changes by more, in pixels at the corner.
  private static let smallest = 2e-4
  /// In pixels at the corner.
  private static let deviations: [Double] = [0.5, 0.5, 2, 0.5, 0.5, 0.5, 2, 1, 0.5, 0.5]
  /// Minimum of the residual variance: rounding and aliasing, on the scale of roots.
  static let minVariance = 1e-6

  /// `windows` of superpixels of `factor` photosites of a sensor of `size`; `offsets`: mean
  /// positions of red, green and blue of a superpixel, in photosites from its center.
  init(
    _ windows: [LateralWindow], factor: Int, size: PixelSize, aspect: Double,
    offsets: [SIMD2<Double>], workers: Int
  ) throws(PixelError) {
    pixelAspect = aspect
    let frame = Frame(size: size, factor: Double(factor), aspect: aspect)
    func fit(_ color: Int) throws(PixelError) -> Fit {
      let offset = (offsets[color] - offsets[1]) / Double(factor)
      var shift = [Double](repeating: 0, count: LateralShift.termCount)
      var (halves, counted) = ([shift, shift], 0)
      for iteration in 1...Self.iterations {
        let known = LateralShift(shift)
        // The first steps are large, and need not be exact.
        let step = iteration * 2 <= Self.iterations ? max(1, min(3, windows.count / 400)) : 1
        let count = (windows.count + step - 1) / step
        let found = try Parallel.map(count: count, workers: workers) { index in
          let window = windows[index * step]
          let position = frame.position(window)
          let at = known.displacement(position.x, position.y) / frame.factor - offset
          return LateralComparison(window, color: color, displaced: at, at: position)
        }
        let usable = found.filter { $0.correlation >= Self.minCorrelation }
        counted = usable.count
        if iteration == Self.iterations {
          halves = (0...1).map { half in
            let every = usable.indices.filter { $0 % 2 == half }.map { usable[$0] }
            return Self.change(every, from: shift, frame.factor)
          }
        }
        let change = Self.change(usable, from: shift, frame.factor)
        for k in shift.indices { shift[k] += change[k] }
      }
      let difference = zip(halves[0], halves[1]).map { $0 - $1 }
      return Fit(
        shift: LateralShift(shift), amount: frame.amount(LateralShift(shift)),
        disagreement: frame.amount(LateralShift(difference)), windows: counted)
    }
    (red, blue) = (try fit(0), try fit(2))
  }

  /// Positions in the picture as fractions of the distance from its center to its corner.
  private struct Frame: Sendable {
    let middle: SIMD2<Double>
    let half: SIMD2<Double>
    let factor: Double

    init(size: PixelSize, factor: Double, aspect: Double) {
      let sides = SIMD2(Double(size.width), Double(size.height))
      let diagonal =
        (sides.x * sides.x + sides.y * sides.y / (aspect * aspect)).squareRoot() / 2
      middle = (sides - 1) / 2
      half = SIMD2(diagonal, diagonal * aspect)
      self.factor = factor
    }

    func position(_ window: LateralWindow) -> SIMD2<Double> {
      let cell = SIMD2(Double(window.x), Double(window.y)) + Double(window.side - 1) / 2
      return (cell * factor + (factor - 1) / 2 - middle) / half
    }

    /// Root mean square over the picture.
    func amount(_ shift: LateralShift) -> Float {
      let steps = 16
      var sum = 0.0
      for i in 0...steps {
        for j in 0...steps {
          let part = SIMD2(Double(i), Double(j)) * (2 / Double(steps)) - 1
          let d = shift.displacement(
            part.x * middle.x / half.x, part.y * middle.y / half.y)
          sum += (d * d).sum()
        }
      }
      return Float((sum / Double((steps + 1) * (steps + 1))).squareRoot())
    }
  }

  /// The change of `shift` that fits `comparisons` best.
  private static func change(
    _ comparisons: [LateralComparison], from shift: [Double], _ factor: Double
  ) -> [Double] {
    let terms = LateralShift.termCount
    var fields: [SIMD2<Double>] = []
    fields.reserveCapacity(comparisons.count * terms)
    for c in comparisons {
      for term in 0..<terms {
        fields.append(LateralShift.field(term, c.position.x, c.position.y) / factor)
      }
    }
    var weights = comparisons.map { 1 / $0.variance }
    var result = [Double](repeating: 0, count: terms)
    var distances = [Double](repeating: 0, count: comparisons.count)
    for _ in 0..<reweightings {
      var equations = NormalEquations(count: terms)
      fields.withUnsafeBufferPointer { fields in
        for (index, c) in comparisons.enumerated() {
          let own = UnsafeBufferPointer(rebasing: fields[index * terms..<(index + 1) * terms])
          equations.add(own, c.information, c.target, weights[index])
        }
      }
      for k in 0..<terms {
        let strength = 1 / (deviations[k] * deviations[k])
        equations.matrix[k * terms + k] += strength
        equations.right[k] -= strength * shift[k]
      }
      let before = result
      result = equations.solution
      if zip(before, result).allSatisfy({ abs($0 - $1) < smallest }) { break }
      for (index, c) in comparisons.enumerated() {
        var model = SIMD2<Double>()
        for k in 0..<terms { model += fields[index * terms + k] * result[k] }
        distances[index] = c.distance(model)
      }
      let median = distances.isEmpty ? 1 : distances.sorted()[distances.count / 2]
      let scale = 4 * max(median, 0.5)
      for index in weights.indices {
        weights[index] = 1 / (comparisons[index].variance * (1 + distances[index] / scale))
      }
    }
    return result
  }
}

/// Normal equations of least squares.
private struct NormalEquations {
  /// Row by row; only the lower triangle is used.
  var matrix: [Double]
  var right: [Double]

  init(count: Int) {
    matrix = Array(repeating: 0, count: count * count)
    right = Array(repeating: 0, count: count)
  }

  /// Adds two equations, whose information matrix is (x, y, y, z), for a sum of `fields`.
  mutating func add(
    _ fields: UnsafeBufferPointer<SIMD2<Double>>, _ information: SIMD3<Double>,
    _ target: SIMD2<Double>, _ weight: Double
  ) {
    let count = fields.count
    matrix.withUnsafeMutableBufferPointer { matrix in
      for i in 0..<count {
        let f = fields[i] * weight
        let row = SIMD2(
          information.x * f.x + information.y * f.y, information.y * f.x + information.z * f.y)
        right[i] += (f * target).sum()
        for j in 0...i { matrix[i &* count &+ j] += (row * fields[j]).sum() }
      }
    }
  }

  /// By Cholesky decomposition.
  var solution: [Double] {
    let count = right.count
    var lower = matrix
    var x = right
    for i in 0..<count {
      for j in 0...i {
        var sum = lower[i * count + j]
        for k in 0..<j { sum -= lower[i * count + k] * lower[j * count + k] }
        lower[i * count + j] = i == j ? max(sum, 1e-12).squareRoot() : sum / lower[j * count + j]
      }
      for k in 0..<i { x[i] -= lower[i * count + k] * x[k] }
      x[i] /= lower[i * count + i]
    }
    for i in (0..<count).reversed() {
      for k in i + 1..<count { x[i] -= lower[k * count + i] * x[k] }
      x[i] /= lower[i * count + i]
    }
    return x
  }
}

extension SensorPipeline {
  /// The lateral color of the picture, whose pixels are `aspect` times as wide as high; nil without
  /// a mosaic of several colors.
  package func lateralColor(
    aspect: Double, workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) -> LateralColorFit? {
    guard case .mosaic(_, _, let reduction) = pixels,
      bounds.cfa.channelCount > 1
    else {
      return nil
    }
    let factor = reduction.factor
    let size = PixelSize(width: fullSize.width / factor, height: fullSize.height / factor)
    // Windows with saturated photosites are not compared, so highlights need not be reconstructed.
    let stored = ignoringHighlights()
    let windows = try LateralWindow.windows(
      size, factor: factor, saturation: saturation, workers: workers
    ) { rect, buffer throws(PixelError) in try stored.read(rect, into: buffer, isReduced: true) }
    let fit = try LateralColorFit(
      windows, factor: factor, size: fullSize, aspect: aspect,
      offsets: (0..<3).map { reduction.displacement(of: $0) }, workers: workers)
    return fit
  }
}
