import CKernels
import CVector
import ImageCore

/// The local tone map of a picture, at low resolution (``ChangeLines``).
///
/// Made from a ``LuminanceProxy``: its ``BilateralGrid`` base is compressed about the mean, so
/// small contrasts are preserved. With d = base − mean, and D and U the distances of the 1st and
/// 99th percentile of the picture from the mean,
///
///     change = (β − 1) · d · (1 − (d/D)²)²        d < 0, 0 from D on; D of 3 to 8 stops
///     change = (β − 1) · d · (1 − 0.6 · (d/U)²)   d > 0, constant from U on; U of 1.5 to 4
///
/// so that black and bright tones are preserved, without a veil: the change is largest in the
/// middle of either half, 0.17 of D and 0.3 of U. Lines are fitted to it over windows of 17 × 17
/// and 7 × 7 samples with ε = 0.1 EV, so that texture, whose base is flat, is not flattened; slopes
/// are limited to −0.6…0.6. A weight fades the change out towards the brightest pixels; a constant
/// is added so that the weighted mean over the picture is 0. Independent of the amount, so it can
/// be cached while that changes. Known failure: steps below 0.4 stops are preserved like texture,
/// so the flat parts beside them tilt, by less than 0.04 stops.
package struct LocalToneGains: Sendable {
  /// Bounds of D and U, in stops.
  static let depths: ClosedRange<Float> = 3...8
  static let heights: ClosedRange<Float> = 1.5...4
  /// Slope of the compression of the base near the mean.
  static let beta: Float = 0.4
  static let windows = ChangeLines.Windows(
    radius: 8, meanRadius: 3, epsilon: 0.01, slopeLimit: 0.6)
  /// Largest changes at amount 1, in stops.
  static let limits: (Float, Float) = (-1, 1.5)
  /// Stops below the peak over which the change fades.
  static let fade: Float = 3

  let lines: ChangeLines
  private var proxy: LuminanceProxy { lines.proxy }

  init(_ proxy: LuminanceProxy) throws(PixelError) {
    let size = proxy.size
    guard size.area > 0 else {
      lines = try ChangeLines(proxy)
      return
    }
    let stops = try proxy.stops()
    var sum = 0.0
    for y in 0..<size.height {
      let row = stops.row(y)
      for x in 0..<size.width { sum += Double(row[x]) }
    }
    let changes = TilePlane()
    try changes.reshape(stops.rect)
    BilateralGrid(stops).slice(stops, into: changes)
    let mean = Float(sum / Double(size.area))
    let (low, high) = Self.ends(stops)
    let middle = SIMD8(repeating: mean)
    let perDepth = 1 / min(max(mean - low, Self.depths.lowerBound), Self.depths.upperBound)
    let perHeight = 1 / min(max(high - mean, Self.heights.lowerBound), Self.heights.upperBound)
    for y in 0..<size.height {
      let row = changes.row(y)
      for x in vectors(size.width) {
        let difference = row.lanes(x) - middle
        let depth = cv_clamp8(difference * perDepth, -.one, .zero)
        let dark = 1 - depth * depth
        let height = cv_clamp8(difference * perHeight, .zero, .one)
        let bright = 1 - 0.6 * height * height
        let raised = depth * dark * dark / perDepth
        row.setLanes(x, (raised + height * bright / perHeight) * (Self.beta - 1))
      }
    }
    lines = try ChangeLines(proxy, changes, over: stops, Self.windows)
    try center(stops)
  }

  /// The 1st and 99th percentile of the samples in stops, of every third sample of every third row.
  private static func ends(_ stops: TilePlane) -> (low: Float, high: Float) {
    var values: [Float] = []
    for y in stride(from: 0, to: stops.rect.height, by: 3) {
      let row = stops.row(y)
      for x in stride(from: 0, to: stops.rect.width, by: 3) { values.append(row[x]) }
    }
    values.sort()
    return (values[values.count / 100], values[values.count - 1 - values.count / 100])
  }

  /// Makes the mean of the applied change 0. Because changes are clamped, this takes a few
  /// iterations, each of which leaves about a tenth of the mean.
  private func center(_ stops: TilePlane) throws(PixelError) {
    for _ in 0..<4 {
      let mean = SIMD8(repeating: try meanChange(stops))
      for y in 0..<stops.rect.height {
        let offset = lines.planes.row(1, y)
        for i in vectors(stops.rect.width) {
          offset.setLanes(i, offset.lanes(i) - mean)
        }
      }
    }
  }

  /// Weighted mean of the clamped change.
  private func meanChange(_ stops: TilePlane) throws(PixelError) -> Float {
    var (sum, weights) = (0.0, 0.0)
    let (changes, counts) = (TilePlane(), TilePlane())
    let line = PixelRect(x: 0, y: 0, width: stops.rect.width, height: 1)
    for plane in [changes, counts] { try plane.reshape(line) }
    let (change, weight) = (changes.row(0), counts.row(0))
    var kernel = kernel
    for y in 0..<stops.rect.height {
      let (slope, offset) = (lines.planes.row(0, y), lines.planes.row(1, y))
      ck_toneChangeRow(
        &kernel, stops.row(y).start, slope.start, offset.start,
        proxy.planes.row(1, y).start, change.start, weight.start, Int64(line.width))
      for x in 0..<line.width {
        sum += Double(change[x])
        weights += Double(weight[x])
      }
    }
    return weights > 0 ? Float(sum / weights) : 0
  }

  /// The bounds of the change and its weight, for the kernels: the weight of a pixel is 1, falling
  /// to 0 at the picture's peak, by its largest channel.
  var kernel: ck_localTone {
    ck_localTone(
      lowest: Self.limits.0, highest: Self.limits.1, peak: proxy.peak, fade: Self.fade,
      floor: LogLuminance.floor)
  }
}
