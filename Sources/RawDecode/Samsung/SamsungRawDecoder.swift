import Containers
import ImageCore

/// Samsung's SRWs in blocks (``SamsungBlockDecoder``), as from the NX1 and NX500.
///
/// Sizes, margins, pattern and levels come from LibRaw. Its 0.20 decoder does not detect truncated
/// data.
struct SamsungRawDecoder: RawStorageDecoder {
  private let offset: Int
  private let bytes: Int

  /// Nil if LibRaw would use another decoder.
  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ metadata: LibRawMetadata) {
    guard metadata.decoder.hasPrefix("samsung3"),
      let raw = tiff?.directories.first(where: {
        $0[TIFFTag.compression]?.integer == TIFFTag.Compression.packBits
      }),
      let offset = raw[TIFFTag.stripOffsets]?.integers,
      let bytes = raw[TIFFTag.stripByteCounts]?.integers,
      offset.count == 1, bytes.count == 1, bytes[0] > 0, file.holds(offset[0], bytes[0])
    else { return nil }
    (self.offset, self.bytes) = (offset[0], bytes[0])
  }

  func decode(_ request: RawStorageRequest) throws(RAWError) -> SensorData? {
    let (file, metadata) = (request.file, request.metadata)
    guard let stream = file.view(offset, bytes),
      let blocks = SamsungBlockDecoder(stream), blocks.size == metadata.storedArea.size,
      !metadata.visibleArea.isEmpty, metadata.storedArea.contains(metadata.visibleArea)
    else { throw .contradictingHeader(file) }
    return try SensorData.decoded(request) { windows in
      blocks.decode { y, row in
        for window in windows { window.take(row, y) }
        return !file.clock.isOver
      }
    }
  }
}
