public import ImageCore

/// The exposure of a raw, as far as it identifies frames of one bracket.
public struct ExposureInfo: Sendable, Hashable, Codable {
  /// Shutter time, seconds.
  public var seconds: Double?
  /// Aperture, f-number.
  public var fNumber: Double?
  /// Focal length, millimeters.
  public var focalLength: Double?
  /// Stops of exposure compensation set on the camera.
  public var bias: Double?
  /// Whether the camera declares it as part of a bracket.
  public var isBracketed: Bool
  /// Fraction of a second of the time of capture.
  public var subsecond: Double

  /// The exposure in `metadata`.
  public init(_ metadata: CaptureMetadata) {
    (seconds, fNumber) = (metadata.exposureTime, metadata.fNumber)
    (focalLength, bias) = (metadata.focalLength, metadata.exposureBias)
    (isBracketed, subsecond) = (metadata.isBracketed, metadata.subsecond)
  }
}
