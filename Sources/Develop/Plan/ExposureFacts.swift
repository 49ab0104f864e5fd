public import ImageCore

/// How a raw was exposed, as far as frames of one bracket are told by it.
public struct ExposureFacts: Sendable, Hashable, Codable {
  /// Shutter time, seconds.
  public var seconds: Double?
  /// Aperture, f-number.
  public var fNumber: Double?
  /// Focal length, millimeters.
  public var focalLength: Double?
  /// Stops that the camera was told to expose above its own choice.
  public var bias: Double?
  /// Whether the camera says that it is one of a bracket.
  public var isBracketed: Bool
  /// Fraction of a second of the time of capture.
  public var subsecond: Double

  /// Those of `metadata`.
  public init(_ metadata: CaptureMetadata) {
    (seconds, fNumber) = (metadata.exposureTime, metadata.fNumber)
    (focalLength, bias) = (metadata.focalLength, metadata.exposureBias)
    (isBracketed, subsecond) = (metadata.isBracketed, metadata.subsecond)
  }
}
