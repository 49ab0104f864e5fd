import Foundation
import HDRRender

/// The change of each hue: rotation, saturation and luminance by eight ranges.
///
/// Source: the usual eight ranges, with our own interpolation. They are centered on the Oklab hues
/// cᵢ of the colors in their names (``ColorRange``); between two neighbors, u = 0…1 of the way,
/// weights are (1 + cos πu) / 2 and (1 − cos πu) / 2, so they sum to 1 at every hue and have no
/// corners. With h the hue and hueᵢ … in −1…1:
///
///     rotation     a monotone spline through (cᵢ, cᵢ + 0.45 · hueᵢ · gap to that neighbor) − h
///     saturation   Σ wᵢ (1 + saturationᵢ)
///     stops        Σ wᵢ · 1.5 · luminanceᵢ      in black and white  Σ wᵢ · 2 · grayᵢ
///     vibrance     1 − 0.6 · cos²(90° · (h − 53°) / 35°) within 35° of the hue of skin
///
/// Domain: hues 0…360°, indexed by n = |a| + |b|, d = a / n, position 1 − d where b ≥ 0, else 3 +
/// d, in 0…4: the hue on a square instead of a circle, which needs no arctangent. Constants: below
/// 0.5 of the gap neighbors that move towards each other do not meet, so the order of hues stays.
/// Laws: continuous over the circle; neutral changes are the identity. Known failure: orange and
/// red are only 24° apart in Oklab, so transitions between them are steep.
struct HueTable: Sendable, Hashable {
  /// Number of entries over the four sides of the square; the first is repeated at the end.
  static let count = 1024

  /// Four floats for each hue: cosine and sine of the rotation times the saturation factor, the
  /// stops, and the weight of vibrance.
  let entries: [Float]

  init(_ mixer: ColorMixer, isBlackAndWhite: Bool) {
    let changes = ColorRange.allCases.map { mixer[$0] }
    let centers = ColorRange.allCases.map { Oklab.hue(wheel: $0.angle) }
    let turns = Self.turns(changes.map { Double($0.hue) }, centers)
    var entries: [Float] = []
    for index in 0...Self.count {
      let hue = Self.hue(index % Self.count)
      let (low, high, u) = Self.neighbors(hue, centers)
      func mixed(_ part: (ColorMixer.Change) -> Float) -> Double {
        Double(part(changes[low])) * (1 + cos(.pi * u)) / 2
          + Double(part(changes[high])) * (1 - cos(.pi * u)) / 2
      }
      let turn = (Double(turns(Float(hue))) - hue) * .pi / 180
      let factor = isBlackAndWhite ? 0 : 1 + mixed(\.saturation)
      let stops = isBlackAndWhite ? 2 * mixed(\.gray) : 1.5 * mixed(\.luminance)
      entries += [
        Float(cos(turn) * factor), Float(sin(turn) * factor), Float(stops), Self.vibrance(hue),
      ]
    }
    self.entries = entries
  }

  /// The hue, in degrees, at an index of the table.
  private static func hue(_ index: Int) -> Double {
    let position = Double(index) * 4 / Double(count)
    let a = position <= 2 ? 1 - position : position - 3
    let b = (1 - abs(a)) * (position <= 2 ? 1 : -1)
    let degrees = atan2(b, a) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// The ranges before and after `hue`, and its position between them, 0…1.
  private static func neighbors(
    _ hue: Double, _ centers: [Double]
  ) -> (low: Int, high: Int, part: Double) {
    let last = centers.count - 1
    let low = centers.lastIndex { $0 <= hue } ?? last
    let high = low == last ? 0 : low + 1
    func distance(_ from: Double, _ to: Double) -> Double {
      from <= to ? to - from : to - from + 360
    }
    return (low, high, distance(centers[low], hue) / distance(centers[low], centers[high]))
  }

  /// Maps each hue to its new hue, in degrees from −360 to 720.
  private static func turns(_ amounts: [Double], _ centers: [Double]) -> MonotoneSpline {
    let count = centers.count
    func center(_ i: Int) -> Double {
      let turn = (Double(i) / Double(count)).rounded(.down)
      return centers[i - Int(turn) * count] + 360 * turn
    }
    return MonotoneSpline(
      (-count..<2 * count).map { i in
        let amount = amounts[(i + count) % count]
        let gap = amount < 0 ? center(i) - center(i - 1) : center(i + 1) - center(i)
        return SIMD2(center(i), center(i) + 0.45 * amount * gap)
      })
  }

  private static func vibrance(_ hue: Double) -> Float {
    let distance = abs(hue - 53) / 35
    guard distance < 1 else { return 1 }
    let cosine = cos(.pi / 2 * distance)
    return Float(1 - 0.6 * cosine * cosine)
  }
}
