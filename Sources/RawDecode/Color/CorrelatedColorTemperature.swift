public import ImageCore

/// White balance as correlated color temperature and tint, and the corresponding chromaticity.
///
/// A. R. Robertson, "Computation of Correlated Color Temperature and Distribution Temperature", J.
/// Opt. Soc. Am. 58 (1968): 31 isotemperature lines in CIE 1960 uv, with the values of Wyszecki &
/// Stiles, Color Science, 2nd ed. 1982, table 1(3.11) (0.24792 at 325 mired, where some printings
/// have 0.24702). The reciprocal temperature is interpolated between two lines. Tint is the
/// distance from the Planckian locus along the isotherm times −3000, as in the DNG reference: a
/// positive tint is an illuminant greener than the locus, and correcting it makes the picture more
/// magenta. Known failure: far from the locus the isotherms cross, and the temperature is
/// meaningless.
public struct CorrelatedColorTemperature: Sendable, Hashable {
  /// Accepted temperatures, kelvin.
  public static let temperatures = 2000.0...50000.0
  /// Accepted tints.
  public static let tints = -150.0...150.0
  private static let tintScale = -3000.0

  /// Correlated color temperature, kelvin.
  public var temperature: Double
  /// Distance from the Planckian locus; 0 on it, positive towards green.
  public var tint: Double

  /// These values, without range check.
  public init(temperature: Double, tint: Double) {
    self.temperature = temperature
    self.tint = tint
  }

  /// The temperature and tint of an illuminant with chromaticity `white`.
  public init(_ white: Chromaticity) {
    let denominator = -2 * white.x + 12 * white.y + 3
    let u = 4 * white.x / denominator
    let v = 6 * white.y / denominator
    var last = (distance: 0.0, direction: SIMD2<Double>(0, 0))
    self.init(temperature: 5000, tint: 0)
    for index in 1..<Self.lines.count {
      let line = Self.lines[index]
      let direction = Self.unit(SIMD2(1, line.slope))
      let distance = max(
        -((v - line.v) * direction.x - (u - line.u) * direction.y),
        index == Self.lines.count - 1 ? 0 : -Double.infinity)
      if distance >= 0 {
        let fraction = index == 1 ? 0 : distance / (last.distance + distance)
        let before = Self.lines[index - 1]
        func mix(_ a: Double, _ b: Double) -> Double { a * fraction + b * (1 - fraction) }
        let along = Self.unit(last.direction * fraction + direction * (1 - fraction))
        let off = SIMD2(u - mix(before.u, line.u), v - mix(before.v, line.v))
        temperature = 1e6 / mix(before.mired, line.mired)
        tint = (off * along).sum() * Self.tintScale
        return
      }
      last = (-distance, direction)
    }
  }

  /// The chromaticity of the illuminant.
  public var chromaticity: Chromaticity {
    let mired = 1e6 / max(temperature, 1)
    let index = Self.lines.indices.dropLast().first { mired < Self.lines[$0 + 1].mired }
    let low = Self.lines[index ?? Self.lines.count - 2]
    let high = Self.lines[(index ?? Self.lines.count - 2) + 1]
    let fraction = (high.mired - mired) / (high.mired - low.mired)
    let along = Self.unit(
      Self.unit(SIMD2(1, low.slope)) * fraction + Self.unit(SIMD2(1, high.slope)) * (1 - fraction))
    let u = low.u * fraction + high.u * (1 - fraction) + along.x * tint / Self.tintScale
    let v = low.v * fraction + high.v * (1 - fraction) + along.y * tint / Self.tintScale
    let denominator = u - 4 * v + 2
    return Chromaticity(x: 1.5 * u / denominator, y: v / denominator)
  }

  private static func unit(_ v: SIMD2<Double>) -> SIMD2<Double> {
    v / (v * v).sum().squareRoot()
  }

  private static let lines: [(mired: Double, u: Double, v: Double, slope: Double)] = [
    (0, 0.18006, 0.26352, -0.24341), (10, 0.18066, 0.26589, -0.25479),
    (20, 0.18133, 0.26846, -0.26876), (30, 0.18208, 0.27119, -0.28539),
    (40, 0.18293, 0.27407, -0.30470), (50, 0.18388, 0.27709, -0.32675),
    (60, 0.18494, 0.28021, -0.35156), (70, 0.18611, 0.28342, -0.37915),
    (80, 0.18740, 0.28668, -0.40955), (90, 0.18880, 0.28997, -0.44278),
    (100, 0.19032, 0.29326, -0.47888), (125, 0.19462, 0.30141, -0.58204),
    (150, 0.19962, 0.30921, -0.70471), (175, 0.20525, 0.31647, -0.84901),
    (200, 0.21142, 0.32312, -1.0182), (225, 0.21807, 0.32909, -1.2168),
    (250, 0.22511, 0.33439, -1.4512), (275, 0.23247, 0.33904, -1.7298),
    (300, 0.24010, 0.34308, -2.0637), (325, 0.24792, 0.34655, -2.4681),
    (350, 0.25591, 0.34951, -2.9641), (375, 0.26400, 0.35200, -3.5814),
    (400, 0.27218, 0.35407, -4.3633), (425, 0.28039, 0.35577, -5.3762),
    (450, 0.28863, 0.35714, -6.7262), (475, 0.29685, 0.35823, -8.5955),
    (500, 0.30505, 0.35907, -11.324), (525, 0.31320, 0.35968, -15.628),
    (550, 0.32129, 0.36011, -23.325), (575, 0.32931, 0.36038, -40.770),
    (600, 0.33724, 0.36051, -116.45),
  ]
}
