/// The light that Camera Raw's WhiteBalance names.
///
/// Temperature and Tint mean what `neutralTemperature` and `neutralTint` mean: correlated color
/// temperature after Robertson and 3000 times the distance from the Planckian locus, seen through
/// the same DNG profile; with another profile the picture is as neutral, the numbers a little
/// different. Read by WhiteBalance:
/// - As Shot: null, which is as shot here too. The numbers beside it are what Camera Raw computed
///   for the camera's white; they would freeze it.
/// - Auto: this program finds the light itself; Camera Raw's way is its own.
/// - a named light: its numbers where they are given, else those that Camera Raw shows for it
///   (photoshopfaceoff.com, "Adjusting white balance", has a table).
/// - Custom, or no name: the numbers.
enum AdobeWhiteBalance: Sendable, Hashable {
  case asShot
  case automatic
  case numbers(kelvin: Double, tint: Double)
  /// Only one of the numbers is given.
  case part(kelvin: Double?, tint: Double?)
  case unknown

  /// Kelvin and tint of the named lights.
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
