import Containers

/// Decodes a maker's sample storage. Everything else comes from LibRaw: sizes, margins, pattern,
/// levels. To add a storage format, add a type and its line in ``RawStorageDecoders/all``.
protocol RawStorageDecoder: Sendable {
  /// The decoder of the raw `file` with LibRaw's `metadata`, whose structure is `tiff` if it is a
  /// TIFF; nil for other formats.
  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata)

  /// The samples; nil if LibRaw must decode them.
  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData?
}

/// Parameters of a ``RawStorageDecoder``.
struct RawStorageRequest {
  let file: FileBytes
  /// LibRaw's metadata before decoding.
  let metadata: LibRawMetadata
  let layout: SensorData.Layout
  /// Whether the complete stored picture is requested instead of the visible area.
  let includesBorders: Bool
  let workers: Int
}

/// The supported maker formats.
enum RawStorageDecoders {
  /// In the order of their checks.
  static let all: [any RawStorageDecoder.Type] = [
    CanonRawDecoder.self, FujifilmRawDecoder.self, SamsungRawDecoder.self,
    SonyLosslessDecoder.self, SonyARW6Decoder.self,
  ]

  /// The decoder of `file`; nil if LibRaw decodes it.
  static func decoder(
    _ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata
  ) -> (any RawStorageDecoder)? {
    for kind in all {
      if let own = kind.init(file, tiff, metadata) { return own }
    }
    return nil
  }
}
