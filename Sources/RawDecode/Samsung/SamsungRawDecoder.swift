import Containers
import ImageCore

/// Samsung's SRWs in blocks (``SamsungBlockDecoder``), as of the NX1 and NX500.
///
/// LibRaw stays the source of sizes, margins, pattern and levels. Its decoder of 0.20 takes no
/// notice of data that end early.
struct SamsungRawDecoder: RawStorageDecoder {
  private let offset: Int
  private let bytes: Int

  /// Nil where LibRaw would decode the file otherwise.
  init?(_ file: FileBytes, _ tiff: TIFFFile?, _ facts: LibRawFacts) {
    guard facts.decoder.hasPrefix("samsung3"),
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
    let (file, facts) = (request.file, request.facts)
    guard let stream = file.view(offset, bytes),
      let blocks = SamsungBlockDecoder(stream), blocks.size == facts.storedArea.size,
      !facts.visibleArea.isEmpty, facts.storedArea.contains(facts.visibleArea)
    else { throw .contradictingHeader(file) }
    return try SensorData.decoded(request) { windows in
      blocks.decode { y, row in
        for window in windows { window.take(row, y) }
        return !file.clock.isOver
      }
    }
  }
}
