/// The white of Camera Raw's WhiteBalance.
///
/// Temperature and Tint mean the same as `neutralTemperature` and `neutralTint`: correlated color
/// temperature by Robertson's method and 3000 times the distance from the Planckian locus, with the
/// same DNG profile. With another profile the numbers for the same white differ slightly. By the
/// value of WhiteBalance:
/// - As Shot: null, which is as shot here, too. The numbers with it are what Camera Raw computed
///   from the as-shot white, and are not used.
/// - Auto: estimated here, by another method than Camera Raw's.
/// - a preset: its numbers if present, otherwise the ones that Camera Raw shows for it
///   (photoshopfaceoff.com, "Adjusting white balance", has a table).
/// - Custom, or no name: the numbers.
enum AdobeWhiteBalance: Sendable, Hashable {
  case asShot
  case automatic
  case numbers(kelvin: Double, tint: Double)
  /// Only one of the two numbers is present.
  case part(kelvin: Double?, tint: Double?)
  case unknown

  /// Kelvin and tint of the presets.
  static let presets: [String: (kelvin: Double, tint: Double)] = [
    "daylight": (5500, 10), "cloudy": (6500, 10), "shade": (7500, 10), "tungsten": (2850, 0),
    "fluorescent": (3800, 21), "flash": (5500, 0),
  ]

  init(name: String?, kelvin: Double?, tint: Double?) {
    let name = name?.lowercased() ?? "custom"
    switch (name, kelvin, tint) {
    case ("as shot", _, _): self = .asShot
    case ("auto", _, _): self = .automatic
    case (_, .some(let kelvin), .some(let tint)): self = .numbers(kelvin: kelvin, tint: tint)
    case (_, nil, nil):
      self = Self.presets[name].map { .numbers(kelvin: $0.kelvin, tint: $0.tint) } ?? .unknown
    default: self = .part(kelvin: kelvin, tint: tint)
    }
  }
}
