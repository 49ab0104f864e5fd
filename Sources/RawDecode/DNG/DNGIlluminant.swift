import Containers
import ImageCore

/// The illuminant of a calibration: an Exif LightSource, or 255 and IlluminantData, which contains
/// a chromaticity or a spectrum (DNG 1.7.1 chapter 6).
struct DNGIlluminant: Sendable, Hashable {
  /// Correlated color temperature, kelvin, as the DNG reference assigns it.
  let temperature: Double
  let white: Chromaticity

  /// Nil for an unknown illuminant.
  init?(_ code: Int, data: TIFFEntry?, number: Int) throws(TagFault) {
    guard code != 255 else {
      guard let data, let white = try Self.custom(data, number: number) else { return nil }
      self.white = white
      temperature = CorrelatedColorTemperature(white).temperature
      return
    }
    guard let kelvin = Self.temperature(code) else { return nil }
    temperature = kelvin
    white =
      switch code {
      case 3, 17: Chromaticity(x: 0.4476, y: 0.4074)
      case 23: .d50
      case 20: Chromaticity(x: 0.3324, y: 0.3474)
      case 21: .d65
      case 22: Chromaticity(x: 0.2990, y: 0.3149)
      default: CorrelatedColorTemperature(temperature: kelvin, tint: 0).chromaticity
      }
  }

  private static func temperature(_ code: Int) -> Double? {
    switch code {
    case 3, 17: 2850
    case 24: 3200
    case 23: 5000
    case 1, 4, 9, 18, 20: 5500
    case 10, 19, 21: 6500
    case 11, 22: 7500
    case 12: 6400
    case 13: 5050
    case 2, 14: 4150
    case 15: 3525
    case 16: 2925
    default: nil
    }
  }

  /// The chromaticity in an IlluminantData tag.
  private static func custom(
    _ entry: TIFFEntry, number: Int
  ) throws(TagFault) -> Chromaticity? {
    var reader = TagReader(entry, name: "IlluminantData\(number)")
    let kind = try reader.integer(UInt16.self)
    if kind == 0 {
      guard let x = try reader.fraction(), let y = try reader.fraction(), x > 0, y > 0, x + y < 1
      else { throw reader.damaged("has an invalid chromaticity") }
      return Chromaticity(x: x, y: y)
    }
    guard kind == 1 else { throw reader.damaged("has the unknown type \(kind)") }
    let count = try reader.count("samples", in: 2...1000)
    guard let start = try reader.fraction(), let step = try reader.fraction(), start > 0, step > 0
    else { throw reader.damaged("has invalid wavelengths") }
    var spectrum: [Double] = []
    for _ in 0..<count { spectrum.append(try reader.fraction() ?? 0) }
    guard let white = chromaticity(spectrum, start: start, step: step) else {
      throw reader.damaged("has a spectrum without visible light")
    }
    return white
  }

  /// The chromaticity of a spectrum for the CIE 1931 observer. Spectrum and observer are linearly
  /// interpolated and summed each nanometer; the spectrum is 0 outside its samples. Normalized by
  /// the observer's sums, so that equal energy has x = y = 1/3.
  static func chromaticity(_ spectrum: [Double], start: Double, step: Double) -> Chromaticity? {
    var (sum, total) = (SIMD3<Double>(), SIMD3<Double>())
    for nanometers in 380..<780 {
      let cell = (nanometers - 380) / 10
      let part = Double((nanometers - 380) % 10) / 10
      let seen = observer[cell] * (1 - part) + observer[cell + 1] * part
      total += seen
      let position = (Double(nanometers) - start) / step
      guard position >= 0, position <= Double(spectrum.count - 1) else { continue }
      let low = min(Int(position), spectrum.count - 2)
      let fraction = position - Double(low)
      sum += seen * (spectrum[low] * (1 - fraction) + spectrum[low + 1] * fraction)
    }
    let xyz = sum / total
    return xyz.min() > 0 && xyz.sum().isFinite ? Chromaticity(xyz: xyz) : nil
  }

  /// CIE 1931 2° color matching functions, 380…780 nm in steps of 10 (CIE 15).
  private static let observer: [SIMD3<Double>] = [
    [0.001368, 0.000039, 0.006450], [0.004243, 0.000120, 0.020050], [0.01431, 0.000396, 0.06785],
    [0.04351, 0.00121, 0.2074], [0.13438, 0.0040, 0.6456], [0.2839, 0.0116, 1.3856],
    [0.34828, 0.0230, 1.74706], [0.3362, 0.0380, 1.77211], [0.2908, 0.0600, 1.6692],
    [0.19536, 0.09098, 1.28764], [0.09564, 0.13902, 0.81295], [0.03201, 0.20802, 0.46518],
    [0.0049, 0.3230, 0.2720], [0.0093, 0.5030, 0.1582], [0.06327, 0.7100, 0.07825],
    [0.1655, 0.8620, 0.04216], [0.2904, 0.9540, 0.0203], [0.43345, 0.99495, 0.00875],
    [0.5945, 0.9950, 0.0039], [0.7621, 0.9520, 0.0021], [0.9163, 0.8700, 0.00165],
    [1.0263, 0.7570, 0.0011], [1.0622, 0.6310, 0.0008], [1.0026, 0.5030, 0.00034],
    [0.85445, 0.3810, 0.00019], [0.6424, 0.2650, 0.00005], [0.4479, 0.1750, 0.00002],
    [0.2835, 0.1070, 0], [0.1649, 0.0610, 0], [0.0874, 0.0320, 0], [0.04677, 0.0170, 0],
    [0.0227, 0.00821, 0], [0.011359, 0.004102, 0], [0.00579, 0.002091, 0],
    [0.002899, 0.001047, 0], [0.00144, 0.00052, 0], [0.00069, 0.000249, 0],
    [0.000332, 0.00012, 0], [0.000166, 0.00006, 0], [0.000083, 0.00003, 0],
    [0.000042, 0.000015, 0],
  ]
}
