import Foundation
import ImageCore
import RawDecode

/// Estimates the illuminant of a picture from its colors and a prior of common illuminants.
///
/// Finlayson, Hordley, Hubel, "Color by correlation" (2001), with parametric densities. The
/// log-likelihood of each white of a grid along the black-body locus is the sum of three terms:
/// 1. prior: 75 % daylight (180 ± 30 mired), 15 % lamps (310 ± 50), 10 % any; tint 8 ± 8 for
///   daylight, which is that much greener than a black body, falling to 0 for lamps; one in ten ±
///   20;
/// 2. likelihood of the surface colors. With a = ln R/G, b = ln B/G in linear BT.2020 under that
///   illuminant, p = (a − b)/√2 runs from cool to warm, q = (a + b)/√2 from green to magenta.
///   Surfaces follow Student's t of 3 degrees of freedom around gray, whose tails give vivid colors
///   little weight;
/// 3. distance to the shades-of-gray estimate (Finlayson & Trezzi 2004), with the ninth power, by a
///   Cauchy density of ln R/G and ln B/G: bright areas show the illuminant.
/// The number of surfaces counts, not their size (Gershon, Jepson, Tsotsos 1987): colors are binned
/// in cells of 20 %, a cell has the square root of its luminance as weight w, and the effective
/// number of surfaces is n = (Σw)²/Σw². A picture of one color does not separate illuminant and
/// surface: (2) and (3) are weighted by the spread of p and q, fully from 0.35 and 0.22 on, and by
/// n, fully from 7 on. So leaves stay green and a sunset warm. The result is the posterior mean
/// over the grid. The remaining weight goes to the white as shot, if the file has a plausible one.
/// Units: camera values without white balance, at any scale; mired; tint. The constants were chosen
/// on simulated scenes and ten raws. Mean error on others: 2.5° (mixtures of chart colors), 3.3°
/// (scenes of natural statistics), where gray world has 7.3° and 5.4°. Known failures: two warm
/// colors under daylight may be mistaken for a lamp; illuminants off the grid (stage, aquarium) are
/// not neutralized; of two illuminants the one on more and brighter surfaces wins.
struct AutomaticWhite: Sendable {
  /// The illuminant.
  let white: Chromaticity
  /// Weight of the estimate from the picture, 0 … 1; the white as shot has the rest.
  let confidence: Double

  private static let mireds = Array(stride(from: 100.0, through: 450, by: 10))
  private static let tints = Array(stride(from: -30.0, through: 30, by: 5))
  private static let cell = 0.2
  /// Fraction of the 95th percentile of luminance below which a sample is ignored.
  private static let darkest = 0.02
  /// Deviations of p and q of surfaces.
  private static let surfaceScale = SIMD2(0.22, 0.15)
  /// Deviations of p and q from which on the colors count fully.
  private static let fullSpread = SIMD2(0.35, 0.22)
  /// Effective surfaces from which on colors count, and from which on they count fully.
  private static let manySurfaces = 3.0...7.0
  /// Weight of a surface, as neighboring cells are correlated, and the limit of the sum.
  private static let independence = 0.5
  private static let maxSurfaces = 5.0
  /// Effective surfaces from which on shades of gray counts fully.
  private static let enoughSurfaces = 20.0
  private static let grayPower = 9.0
  private static let grayScale = 0.12
  private static let grayWeight = 3.0

  /// The illuminant of a picture with these colors; `asShot` is the declared one, if any.
  init(_ colors: [SIMD3<Double>], profile: CameraProfile, asShot: Chromaticity?) {
    let reference = profile.neutral(for: .d50)
    let usable = Self.usable(colors, reference: reference)
    let cells = Self.cells(usable, reference: reference)
    let sum = cells.reduce(0) { $0 + $1.weight }
    let squares = cells.reduce(0) { $0 + $1.weight * $1.weight }
    let surfaces = squares > 0 ? sum * sum / squares : 0
    let (few, many) = (Self.manySurfaces.lowerBound, Self.manySurfaces.upperBound)
    confidence =
      Self.spread(cells, profile.cameraToBT2020(white: .d50))
      * min(max((surfaces - few) / (many - few), 0), 1)
    let fitWeight = confidence * min(Self.independence * surfaces, Self.maxSurfaces)
    let grayWeight = Self.grayWeight * confidence * min(1, surfaces / Self.enoughSurfaces)
    let gray = Self.shadesOfGray(usable, reference: reference)
    var candidates: [(illuminant: SIMD2<Double>, logarithm: Double)] = []
    for mired in Self.mireds {
      for tint in Self.tints {
        let illuminant = CorrelatedColorTemperature(temperature: 1e6 / mired, tint: tint)
          .chromaticity
        let matrix = profile.cameraToBT2020(white: illuminant)
        let fit = cells.reduce(0) { $0 + $1.weight * Self.density(matrix * $1.color) }
        let apart = (Self.ratios(profile.neutral(for: illuminant)) - gray) / Self.grayScale
        candidates.append(
          (
            SIMD2(mired, tint),
            log(Self.prior(mired, tint)) + (sum > 0 ? fitWeight * fit / sum : 0)
              - grayWeight * log(1 + (apart * apart).sum())
          ))
      }
    }
    let best = candidates.map(\.logarithm).max() ?? 0
    var (total, mean) = (0.0, SIMD2<Double>())
    for candidate in candidates {
      let weight = exp(candidate.logarithm - best)
      total += weight
      mean += candidate.illuminant * weight
    }
    mean /= total
    if let recorded = asShot.flatMap(Self.plausible) {
      mean = mean * confidence + recorded * (1 - confidence)
    }
    white = CorrelatedColorTemperature(temperature: 1e6 / mean.x, tint: mean.y).chromaticity
  }

  private struct Cell {
    var color = SIMD3<Double>()
    var weight = 0.0
  }

  /// The colors that are bright enough, 1 = the 95th percentile of luminance under D50.
  private static func usable(
    _ colors: [SIMD3<Double>], reference: SIMD3<Double>
  ) -> [SIMD3<Double>] {
    let luminances = colors.map { ($0 / reference).sum() / 3 }.filter(\.isFinite).sorted()
    guard let bright = luminances.isEmpty ? nil : luminances[luminances.count * 95 / 100],
      bright > 0
    else {
      return []
    }
    return colors.map { $0 / bright }.filter {
      let balanced = $0 / reference
      let luminance = balanced.sum() / 3
      return luminance.isFinite && luminance > darkest && balanced.min() > luminance * 0.003
    }
  }

  /// The distinct colors of the picture.
  private static func cells(_ colors: [SIMD3<Double>], reference: SIMD3<Double>) -> [Cell] {
    var cells: [PixelPoint: Cell] = [:]
    for color in colors {
      let balanced = color / reference
      let luminance = balanced.sum() / 3
      let position = (ratios(balanced) / cell).rounded(.down)
      let weight = min(luminance, 1)
      let key = PixelPoint(x: Int(position.x), y: Int(position.y))
      cells[key, default: Cell()].color += color / luminance * weight
      cells[key, default: Cell()].weight += weight
    }
    return cells.sorted { ($0.key.y, $0.key.x) < ($1.key.y, $1.key.x) }.map {
      Cell(color: $0.value.color / $0.value.weight, weight: $0.value.weight.squareRoot())
    }
  }

  /// Spread of the colors, 0 … 1; 1 for most pictures.
  private static func spread(_ cells: [Cell], _ matrix: Matrix3) -> Double {
    let (sum, points) = (
      cells.reduce(0) { $0 + $1.weight }, cells.map { (opponents(matrix * $0.color), $0.weight) }
    )
    guard sum > 0 else { return 0 }
    let mean = points.reduce(SIMD2<Double>()) { $0 + $1.0 * $1.1 } / sum
    let variance =
      points.reduce(SIMD2<Double>()) { total, point in
        total + (point.0 - mean) * (point.0 - mean) * point.1
      } / sum
    return min(1, (variance / (fullSpread * fullSpread)).sum() / 2)
  }

  /// ln R/G and ln B/G of the illuminant by shades of gray.
  private static func shadesOfGray(
    _ colors: [SIMD3<Double>], reference: SIMD3<Double>
  ) -> SIMD2<Double> {
    var sum = SIMD3<Double>()
    for color in colors {
      for c in 0..<3 { sum[c] += pow(color[c] / reference[c], grayPower) }
    }
    guard sum.min() > 0 else { return ratios(reference) }
    return ratios(sum) / grayPower + ratios(reference)
  }

  private static func ratios(_ rgb: SIMD3<Double>) -> SIMD2<Double> {
    SIMD2(log(rgb.x / rgb.y), log(rgb.z / rgb.y))
  }

  /// p and q of linear BT.2020.
  private static func opponents(_ color: SIMD3<Double>) -> SIMD2<Double> {
    let floor = 1e-3 * max(color.sum(), 1e-12)
    let logs = ratios(
      SIMD3(max(color.x, floor), max(color.y, floor), max(color.z, floor)))
    return SIMD2(logs.x - logs.y, logs.x + logs.y) * 0.5.squareRoot()
  }

  /// Log density of a surface color.
  private static func density(_ color: SIMD3<Double>) -> Double {
    let scaled = opponents(color) / surfaceScale
    return -2.5 * log(1 + (scaled * scaled).sum() / 3)
  }

  /// Prior density of an illuminant.
  private static func prior(_ mired: Double, _ tint: Double) -> Double {
    func normal(_ x: Double, _ deviation: Double) -> Double {
      exp(-x * x / (2 * deviation * deviation)) / deviation
    }
    let temperature = 0.75 * normal(mired - 180, 30) + 0.15 * normal(mired - 310, 50) + 0.1 / 140
    let center = 8 * min(max((330 - mired) / 110, 0), 1)
    return temperature * (0.9 * normal(tint - center, 8) + 0.1 * normal(tint - center, 20))
  }

  /// `white` as mired and tint, if it is plausible; else nil.
  private static func plausible(_ white: Chromaticity) -> SIMD2<Double>? {
    let balance = CorrelatedColorTemperature(white)
    let mired = 1e6 / balance.temperature
    guard mired.isFinite, mired > 50, mired < 500, abs(balance.tint) < 60 else { return nil }
    return SIMD2(mired, balance.tint)
  }
}
