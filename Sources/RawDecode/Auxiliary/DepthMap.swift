package import Containers
public import ImageCore

/// How far away each pixel lies: values from 0 (near) to 1 (far), and what they mean (DNG 1.7.1,
/// chapter 6, DepthFormat to DepthMeasureType).
public struct DepthMap: Sendable {
  /// How distance depends on the stored value d.
  public enum Format: String, Sendable, Hashable, Codable {
    /// Undeclared.
    case unknown
    /// near + d (far − near).
    case linear
    /// The reciprocal of distance is linear: near far / (far − d (far − near)).
    case inverse
  }

  /// What near and far are measured in.
  public enum Units: String, Sendable, Hashable, Codable {
    /// Undeclared: only relations count.
    case unknown
    /// Meters.
    case meters
  }

  /// Along which line distance is measured.
  public enum Measure: String, Sendable, Hashable, Codable {
    /// Undeclared.
    case unknown
    /// Parallel to the optical axis.
    case opticalAxis
    /// Along the ray of the pixel.
    case opticalRay
  }

  /// How distance depends on the stored value.
  public let format: Format
  /// Distance at 0; nil if undeclared.
  public let near: Double?
  /// Distance at 1, may be infinite; nil if undeclared.
  public let far: Double?
  /// What near and far are measured in.
  public let units: Units
  /// Along which line distance is measured.
  public let measure: Measure
  /// The picture.
  public let picture: AuxiliaryPicture

  package init(_ main: TIFFDirectory, picture: AuxiliaryPicture) {
    let formats: [Format] = [.unknown, .linear, .inverse]
    let measures: [Measure] = [.unknown, .opticalAxis, .opticalRay]
    func choice<T>(_ tag: UInt16, _ all: [T]) -> T {
      let value = main[tag]?.integer ?? 0
      return all[all.indices.contains(value) ? value : 0]
    }
    format = choice(DNGTag.depthFormat, formats)
    near = Self.distance(main[DNGTag.depthNear])
    far = Self.distance(main[DNGTag.depthFar])
    units = choice(DNGTag.depthUnits, [.unknown, .meters])
    measure = choice(DNGTag.depthMeasureType, measures)
    self.picture = picture
  }

  /// A distance; 1/0 is infinity, 0/0 unknown.
  private static func distance(_ entry: TIFFEntry?) -> Double? {
    guard let entry, case .rationals(let values)? = entry.exifValue, let value = values.first
    else { return entry?.number.flatMap { $0 >= 0 ? $0 : nil } }
    return value.denominator == 0 ? (value.numerator == 0 ? nil : .infinity) : value.value
  }

  /// Columns and rows of ``image()``.
  public var size: PixelSize { picture.size }
  /// Decodes the map: 0 near, 1 far; see ``AuxiliaryPicture/image()``.
  public func image() throws(RAWError) -> MatteImage { try picture.image() }

  /// The distance for the value `d` of ``image()``, in meters; nil when the file does
  /// not declare enough.
  public func meters(_ d: Float) -> Double? {
    guard units == .meters, let near, let far, near.isFinite, far >= near else { return nil }
    let d = Double(min(max(d, 0), 1))
    switch format {
    case .unknown: return nil
    case .linear: return far.isFinite ? near + d * (far - near) : nil
    case .inverse:
      let fraction = far.isFinite ? (far > 0 ? (far - near) / far : 0) : 1
      return d * fraction < 1 ? near / (1 - d * fraction) : .infinity
    }
  }
}
