/// How large a picture is printed: XResolution, YResolution and ResolutionUnit of TIFF 6.0, which
/// Exif, JFIF and PNG repeat.
extension CaptureMetadata {
  private static let (across, down, unit): (UInt16, UInt16, UInt16) = (0x011A, 0x011B, 0x0128)
  /// The tags of the three.
  package static let resolutionTags: Set<UInt16> = [across, down, unit]
  private static let plausible = 1.0...100_000
  private static let perInch = 2.54

  /// Pixels per inch, across and down; nil where not given, and for a pure ratio.
  package var dotsPerInch: SIMD2<Double>? {
    guard case .rationals(let x)? = self[.image, Self.across],
      case .rationals(let y)? = self[.image, Self.down],
      let width = x.first?.value, let height = y.first?.value
    else { return nil }
    let factor: Double
    switch self[.image, Self.unit] {
    case .shorts([2]), nil: factor = 1
    case .shorts([3]): factor = Self.perInch
    default: return nil
    }
    let found = SIMD2(width, height) * factor
    return Self.plausible.contains(found.x) && Self.plausible.contains(found.y) ? found : nil
  }

  /// Sets pixels per inch, or per centimeter, where they are plausible.
  package mutating func setResolution(_ value: SIMD2<Double>, isMetric: Bool) {
    let found = value * (isMetric ? Self.perInch : 1)
    guard Self.plausible.contains(found.x), Self.plausible.contains(found.y) else { return }
    // PNG stores integer pixels per meter: per inch they are integers, or nearly.
    func rational(_ dots: Double) -> Rational {
      let nearest = dots.rounded()
      return abs(dots - nearest) < 0.02
        ? Rational(UInt32(nearest), 1) : Rational(UInt32((dots * 1000).rounded()), 1000)
    }
    self[.image, Self.across] = .rationals([rational(found.x)])
    self[.image, Self.down] = .rationals([rational(found.y)])
    self[.image, Self.unit] = .shorts([2])
  }
}
