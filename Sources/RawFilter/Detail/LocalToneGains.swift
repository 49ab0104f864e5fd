import CKernels
import CVector
import ImageCore

/// The local tone map of a picture, at low resolution: at each sample the change in stops as a
/// linear function of the pixel's log luminance, change = slope · L + offset.
///
/// Made from a ``LuminanceProxy``: its ``BilateralGrid`` base is compressed about the mean, change
/// = (β − 1) · d, d = base − mean, so small contrasts are kept. Below the mean the change is times
/// exp(−(d/8)²), so that black stays black and the picture keeps its depth (``Shadows/anchored``;
/// in versions 1 and 2, whose shadows look milky at amount 1, it is not). Lines over windows
/// of 17 × 17 samples are fitted to the change; their mean over 7 × 7 windows is taken (guided
/// upsampling, He & Sun 2015; beside an edge, windows with few samples of the other side say
/// nothing of that side). The regression is regularized by the fourth power of ε = 0.1 EV,
///
///     slope = cov(L, change) · var(L) / (var(L)² + ε⁴),
///
/// so that edges keep their slope in full, and texture, whose base is flat, is not flattened.
/// Slopes are limited to −0.6…0.6. A weight fades the change out towards the brightest
/// pixels; a constant is added so that the weighted mean over the picture is 0. Independent of the
/// amount, so it can be kept while that changes. Known failure: steps below 0.4 stops are kept like
/// texture, so the flat parts beside them tilt, by less than 0.04 stops.
package struct LocalToneGains: Sendable {
  /// What becomes of the darkest parts.
  enum Shadows: Sendable, Hashable {
    /// The darker, the more they are raised.
    case raised
    /// Raised most, by 1.5 stops, at 5.7 stops below the mean, and less and less below.
    case anchored
  }

  /// Stops below the mean over which the change of anchored shadows falls off.
  static let depth: Float = 8
  /// Fraction of its range that the base keeps.
  static let beta: Float = 0.55
  static let radius = 8
  static let meanRadius = 3
  /// ε² in stops².
  static let epsilon: Float = 0.01
  static let slopeLimit: Float = 0.6
  /// Largest changes at amount 1, in stops.
  static let limits: (Float, Float) = (-1, 1.5)
  /// Stops below the peak over which the change fades.
  static let fade: Float = 3

  package let proxy: LuminanceProxy
  /// Plane 0 slope, plane 1 offset.
  let lines: LuminanceProxy.Planes

  init(_ proxy: LuminanceProxy, shadows: Shadows = .anchored) {
    self.proxy = proxy
    let size = proxy.size
    lines = LuminanceProxy.Planes(buffer: PlanarBuffer(size: size))
    guard size.area > 0 else { return }
    let stops = TilePlane()
    stops.reshape(PixelRect(size))
    var sum = 0.0
    for y in 0..<size.height {
      let row = stops.row(y)
      row.update(from: proxy.planes.buffer.row(0, y), count: size.width)
      LogLuminance.replace(row, count: size.width)
      for x in 0..<size.width { sum += Double(row[x]) }
    }
    let changes = TilePlane()
    changes.reshape(stops.rect)
    BilateralGrid(stops).slice(stops, into: changes)
    let middle = SIMD8(repeating: Float(sum / Double(size.area)))
    for y in 0..<size.height {
      let row = changes.row(y)
      for x in vectors(size.width) {
        let difference = row.lanes(x) - middle
        var change = difference * (Self.beta - 1)
        if shadows == .anchored {
          let depth: SIMD8<Float> = difference / Self.depth
          let held = change * cv_exp2_8(depth * depth * -1.442695)
          change.replace(with: held, where: difference .< 0)
        }
        row.setLanes(x, change)
      }
    }
    fit(changes, over: stops)
    center(stops)
  }

  /// Fits the lines to the changes.
  private func fit(_ changes: TilePlane, over stops: TilePlane) {
    let rect = stops.rect
    let (slopes, offsets) = (TilePlane(), TilePlane())
    let sums = (0..<4).map { _ in TilePlane() }
    for plane in [slopes, offsets] + sums { plane.reshape(rect) }
    for y in 0..<rect.height {
      let (target, value) = (changes.row(y), stops.row(y))
      for i in vectors(rect.width) {
        let (level, change) = (value.lanes(i), target.lanes(i))
        sums[0].row(y).setLanes(i, level)
        sums[1].row(y).setLanes(i, change)
        sums[2].row(y).setLanes(i, level * level)
        sums[3].row(y).setLanes(i, level * change)
      }
    }
    let rows = TilePlane()
    for plane in sums { plane.boxMean(radius: Self.radius, rows) }
    let bound = SIMD8<Float>(repeating: Self.slopeLimit)
    for y in 0..<rect.height {
      for i in vectors(rect.width) {
        let (level, change) = (sums[0].row(y).lanes(i), sums[1].row(y).lanes(i))
        let variance = cv_max8(sums[2].row(y).lanes(i) - level * level, .zero)
        let common = sums[3].row(y).lanes(i) - level * change
        let regularized = variance * variance + Self.epsilon * Self.epsilon
        let slope = cv_clamp8(common * variance / regularized, -bound, bound)
        slopes.row(y).setLanes(i, slope)
        offsets.row(y).setLanes(i, change - slope * level)
      }
    }
    for (index, plane) in [slopes, offsets].enumerated() {
      plane.boxMean(radius: Self.meanRadius, rows)
      for y in 0..<rect.height {
        lines.buffer.row(index, y).update(from: plane.row(y), count: rect.width)
      }
    }
  }

  /// Makes the mean of the applied change 0. Because changes are clamped the constant is found in a
  /// few rounds, each of which leaves a tenth or so of the mean.
  private func center(_ stops: TilePlane) {
    for _ in 0..<4 {
      let mean = SIMD8(repeating: meanChange(stops))
      for y in 0..<stops.rect.height {
        let offset = lines.buffer.row(1, y)
        for i in vectors(stops.rect.width) {
          offset.setLanes(i, offset.lanes(i) - mean)
        }
      }
    }
  }

  /// Weighted mean of the clamped change.
  private func meanChange(_ stops: TilePlane) -> Float {
    var (sum, weights) = (0.0, 0.0)
    let (changes, counts) = (TilePlane(), TilePlane())
    let line = PixelRect(x: 0, y: 0, width: stops.rect.width, height: 1)
    for plane in [changes, counts] { plane.reshape(line) }
    let (change, weight) = (changes.row(0), counts.row(0))
    var kernel = kernel
    for y in 0..<stops.rect.height {
      let (slope, offset) = (lines.buffer.row(0, y), lines.buffer.row(1, y))
      ck_toneChangeRow(
        &kernel, stops.row(y).start, slope.start, offset.start,
        proxy.planes.buffer.row(1, y).start, change.start, weight.start, Int64(line.width))
      for x in 0..<line.width {
        sum += Double(change[x])
        weights += Double(weight[x])
      }
    }
    return weights > 0 ? Float(sum / weights) : 0
  }

  /// The change and its weight, as the loops take them: the weight of a pixel is 1, falling to 0 at
  /// the picture's peak, by its largest channel.
  var kernel: ck_localTone {
    ck_localTone(
      lowest: Self.limits.0, highest: Self.limits.1, peak: proxy.peak, fade: Self.fade,
      floor: LogLuminance.floor)
  }
}

extension TilePlane {
  /// Replaces each sample by the mean of the square around it, edges repeated; `rows` is scratch.
  func boxMean(radius: Int, _ rows: TilePlane) {
    precondition(radius <= Self.margin - 8, "a window wider than the margins")
    rows.reshape(rect)
    let (width, height) = (rect.width, rect.height)
    let tap = 1 / Float(2 * radius + 1)
    for y in 0..<height {
      let (from, out) = (row(rect.y + y), rows.row(rect.y + y))
      for k in 1...radius { from[-k] = from[0] }
      for k in 0..<radius { from[width + k] = from[width - 1] }
      for i in vectors(width) {
        var sum = from.lanes(i)
        for k in 1...radius { sum += from.lanes(i &- k) + from.lanes(i &+ k) }
        out.setLanes(i, sum * tap)
      }
    }
    for y in 0..<height {
      let out = row(rect.y + y)
      for i in vectors(width) {
        var sum = rows.row(rect.y + y).lanes(i)
        for k in 1...radius {
          sum += rows.row(rect.y + max(y - k, 0)).lanes(i)
          sum += rows.row(rect.y + min(y + k, height - 1)).lanes(i)
        }
        out.setLanes(i, sum * tap)
      }
    }
  }
}
