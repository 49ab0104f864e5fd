package import Containers
public import ImageCore

/// The distance of each pixel: values from 0 (near) to 1 (far), and their meaning (DNG 1.7.1,
/// chapter 6, DepthFormat to DepthMeasureType).
public struct DepthMap: Sendable {
  /// Relation between distance and the stored value d.
  public enum Format: String, Sendable, Hashable, Codable {
    /// Undeclared.
    case unknown
    /// near + d (far − near).
    case linear
    /// The reciprocal of distance is linear: near far / (far − d (far − near)).
    case inverse
  }

  /// Units of near and far.
  public enum Units: String, Sendable, Hashable, Codable {
    /// Undeclared: only ratios are meaningful.
    case unknown
    /// Meters.
    case meters
  }

  /// Direction in which distance is measured.
  public enum Measure: String, Sendable, Hashable, Codable {
    /// Undeclared.
    case unknown
    /// Parallel to the optical axis.
    case opticalAxis
    /// Along the ray of the pixel.
    case opticalRay
  }

  /// Relation between distance and the stored value.
  public let format: Format
  /// Distance at 0; nil if undeclared.
  public let near: Double?
  /// Distance at 1, may be infinite; nil if undeclared.
  public let far: Double?
  /// Units of near and far.
  public let units: Units
  /// Direction in which distance is measured.
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

  /// The distance for the value `d` of ``image()``, in meters; nil if the file does not declare
  /// enough.
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
