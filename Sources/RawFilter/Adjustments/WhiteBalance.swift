public import ImageCore
import RawDecode

/// Which illuminant is rendered neutral.
public enum WhiteBalance: Sendable, Hashable {
  /// The white that the camera recorded.
  case asShot
  /// Correlated color temperature, kelvin, 2000…50000, and tint, −150…150 (positive: magenta); a
  /// part that is nil stays as shot.
  case temperature(kelvin: Float?, tint: Float?)
  /// CIE xy chromaticity of the illuminant.
  case chromaticity(Chromaticity)
  /// The color at this native pixel, before orientation.
  case location(PixelPoint)
  /// The illuminant estimated from the colors of the picture; as shot for files without colors.
  case automatic
  /// The illuminant of the raw at this path: measured on a neutral patch, or its white as shot if
  /// that is nil.
  case reference(String, ReferencePatch?)
}

/// The alternative white settings as documents write them; nil for those not in use.
extension RAWSettings {
  /// Range of CIE x and y of a white.
  static let chromaticities: ClosedRange<Double> = 0.05...0.9

  /// `white` clamped to ``chromaticities``; nil for NaN and infinity.
  static func clamped(_ white: Chromaticity) -> Chromaticity? {
    guard white.x.isFinite, white.y.isFinite else { return nil }
    func clamp(_ v: Double) -> Double {
      min(max(v, chromaticities.lowerBound), chromaticities.upperBound)
    }
    let (x, y) = (clamp(white.x), clamp(white.y))
    return Chromaticity(x: x, y: x + y >= 1 ? 0.999 - x : y)
  }

  var neutralTemperature: Float? {
    get { if case .temperature(let kelvin, _) = neutral { kelvin } else { nil } }
    set { setTemperature(newValue, tint: neutralTint) }
  }

  var neutralTint: Float? {
    get { if case .temperature(_, let tint) = neutral { tint } else { nil } }
    set { setTemperature(neutralTemperature, tint: newValue) }
  }

  private mutating func setTemperature(_ kelvin: Float?, tint: Float?) {
    neutral = kelvin == nil && tint == nil ? .asShot : .temperature(kelvin: kelvin, tint: tint)
  }

  var neutralChromaticity: NumberPair<Double>? {
    get { if case .chromaticity(let xy) = neutral { NumberPair(xy.x, xy.y) } else { nil } }
    set { neutral = newValue.map { .chromaticity(Chromaticity(x: $0.x, y: $0.y)) } ?? .asShot }
  }

  var neutralLocation: NumberPair<Int>? {
    get { if case .location(let point) = neutral { NumberPair(point.x, point.y) } else { nil } }
    set { neutral = newValue.map { .location(PixelPoint(x: $0.x, y: $0.y)) } ?? .asShot }
  }

  /// An empty path means none.
  var whiteFrom: String? {
    get { if case .reference(let path, _) = neutral, !path.isEmpty { path } else { nil } }
    set { setReference(newValue, whitePatch) }
  }

  var whitePatch: ReferencePatch? {
    get { if case .reference(_, let patch) = neutral { patch } else { nil } }
    set { setReference(whiteFrom, newValue) }
  }

  private mutating func setReference(_ path: String?, _ patch: ReferencePatch?) {
    neutral = path == nil && patch == nil ? .asShot : .reference(path ?? "", patch)
  }

  var isAutomaticWhiteBalanceEnabled: Bool? {
    get { neutral == .automatic ? true : nil }
    set { neutral = newValue == true ? .automatic : .asShot }
  }
}

/// Two numbers, as documents write them: `[x, y]`.
package struct NumberPair<Number: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  let x, y: Number

  init(_ x: Number, _ y: Number) { (self.x, self.y) = (x, y) }

  package init(from decoder: any Decoder) throws {
    let numbers = try decoder.singleValueContainer().decode([Number].self)
    guard numbers.count == 2 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "\(decoder.codingPath.last?.stringValue ?? "this") takes two numbers"))
    }
    (x, y) = (numbers[0], numbers[1])
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode([x, y])
  }
}
