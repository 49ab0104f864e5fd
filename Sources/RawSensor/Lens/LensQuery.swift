package import ImageCore

/// Camera and lens of a file, to look them up in a lens database.
package struct LensQuery: Sendable, Hashable {
  var make: String
  var model: String
  /// Empty when not known.
  var lensMake: String
  /// Empty when not known.
  var lens: String
  var shot: LensShot
  /// Focal length with the same angle of view on 36 × 24 mm; nil when not known.
  var equivalentFocalLength: Double?

  /// Meters, where the distance is not known: most subjects are far away, where vignetting hardly
  /// depends on it.
  static let unknownDistance = 1000.0

  /// nil without camera or focal length.
  package init?(_ metadata: CaptureMetadata) {
    guard let make = metadata.make, let model = metadata.model,
      let focal = metadata.focalLength, focal.isFinite, focal > 0.1, focal < 10_000
    else { return nil }
    func text(_ tag: UInt16) -> String {
      if case .ascii(let text)? = metadata[.exif, tag] { text.asName } else { "" }
    }
    (self.make, self.model) = (make, model)
    lensMake = text(0xA433)
    lens = metadata.lens ?? ""
    let fNumber = metadata.fNumber.flatMap { $0 > 0.1 && $0 < 1000 ? $0 : nil }
    var distance = Self.unknownDistance
    if case .rationals(let values)? = metadata[.exif, 0x9206], let meters = values.first?.value,
      meters > 0
    {
      distance = min(max(meters, 0.01), Self.unknownDistance)
    }
    shot = LensShot(focalLength: focal, fNumber: fNumber, distance: distance)
    if case .shorts(let values)? = metadata[.exif, 0xA405], let value = values.first, value > 0 {
      equivalentFocalLength = Double(value)
    }
  }
}
