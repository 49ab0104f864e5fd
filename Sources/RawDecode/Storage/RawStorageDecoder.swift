import Containers

/// Decodes how a maker stores the samples of a raw. LibRaw stays the source of all else: sizes,
/// margins, pattern, levels. A new storage is a type of this kind and its line in
/// ``RawStorageDecoders/all``.
protocol RawStorageDecoder: Sendable {
  /// The decoder of the raw `file`, whose structure is `tiff` where it is a TIFF, and of which
  /// LibRaw read `facts`; nil for other storages.
  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ facts: LibRawFacts)

  /// The samples; nil where LibRaw has to decode them.
  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData?
}

/// What is wanted of a ``RawStorageDecoder``.
struct RawStorageRequest {
  let file: FileBytes
  /// What LibRaw read of it before decoding.
  let facts: LibRawFacts
  let layout: SensorData.Layout
  /// Whether the whole stored picture is wanted, or the visible area.
  let isWhole: Bool
  let workers: Int
}

/// The storages that are decoded here.
enum RawStorageDecoders {
  /// In the order in which they are asked.
  static let all: [any RawStorageDecoder.Type] = [
    CanonRawDecoder.self, FujifilmRawDecoder.self, SamsungRawDecoder.self,
    SonyLosslessDecoder.self, SonyARW6Decoder.self,
  ]

  /// The decoder of `file`; nil where LibRaw decodes it.
  static func decoder(
    _ file: FileBytes, _ tiff: TIFFFile?, _ facts: LibRawFacts
  ) -> (any RawStorageDecoder)? {
    for kind in all {
      if let own = kind.init(file, tiff, facts) { return own }
    }
    return nil
  }
}
