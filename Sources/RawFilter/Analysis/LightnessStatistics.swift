import Charts
import ImageCore

/// Lightness and chroma of a small display-referred picture, in CIE 1976 L\*a\*b\* under D65.
///
/// Pixels darker than ``signal`` show nothing on any display, such as the frame of a fisheye
/// picture or an unlit room. Percentiles and means are those of the other pixels, so that the size
/// of a black area does not count.
struct LightnessStatistics: Sendable, Hashable {
  /// L\* of the darkest pixels that hold a picture: 11 stops below white, code 2 of 8-bit sRGB.
  static let signal = 0.5

  /// Fraction of the pixels that hold a picture.
  let coverage: Double
  /// 1st percentile of all pixels.
  let black: Double
  /// Mean chroma of the pixels that hold a picture.
  let chroma: Double
  /// The lightnesses of the brightest pixels, in order: of the fraction ``coverage``.
  private let lightness: ArraySlice<Double>

  /// Of pixels of these lightnesses and this mean chroma. `coverage`: the fraction of the pixels
  /// that hold a picture where this is known from another rendering, so that renderings of
  /// different exposure are compared over the same pixels.
  init(lightness: [Double], chroma: Double, coverage: Double? = nil) {
    let sorted = lightness.sorted()
    let count = Double(max(sorted.count, 1))
    self.coverage = coverage ?? Double(sorted.count { $0 >= Self.signal }) / count
    self.chroma = chroma
    black = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 100]
    self.lightness = sorted.suffix(max(Int((self.coverage * count).rounded()), 1))
  }

  /// Of `picture`, whose values above reference white count as white.
  init(_ picture: Image<DisplayReferred>, coverage: Double? = nil) {
    let toXYZ = picture.info.primaries.toXYZ
    let white = Chromaticity.d65.xyz
    let (width, height) = (picture.size.width, picture.size.height)
    var lightness: [Double] = []
    lightness.reserveCapacity(picture.size.area)
    var (chroma, count) = (0.0, 0.0)
    for y in 0..<height {
      let rows = (0..<3).map { picture.row($0, y) }
      for x in 0..<width {
        let rgb = SIMD3(Double(rows[0][x]), Double(rows[1][x]), Double(rows[2][x]))
        let lab = LabColor(
          toXYZ * rgb.clamped(lowerBound: .zero, upperBound: .one), white: white)
        lightness.append(lab.lightness)
        guard lab.lightness >= Self.signal else { continue }
        chroma += (lab.a * lab.a + lab.b * lab.b).squareRoot()
        count += 1
      }
    }
    self.init(lightness: lightness, chroma: chroma / max(count, 1), coverage: coverage)
  }

  /// Mean lightness of the pixels that hold a picture.
  var mean: Double { lightness.reduce(0, +) / Double(max(lightness.count, 1)) }

  /// A percentile of their lightness, 0…100.
  func percentile(_ part: Double) -> Double {
    guard !lightness.isEmpty else { return 0 }
    return lightness[lightness.startIndex + Int(Double(lightness.count - 1) * part / 100)]
  }
}
