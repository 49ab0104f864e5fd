import Containers
import ImageCore

/// Samsung's SRWs in blocks (``SamsungBlockDecoder``), as of the NX1 and NX500.
///
/// LibRaw stays the source of sizes, margins, pattern and levels. Its decoder of 0.20 takes no
/// notice of data that end early.
enum SamsungRawDecoder {
  /// Where the samples are stored.
  struct Storage: Sendable {
    fileprivate let offset: Int
    fileprivate let bytes: Int

    /// The storage of `file`, whose structure is `tiff`; nil where LibRaw would decode it
    /// otherwise.
    init?(_ tiff: TIFFFile, _ file: FileBytes, _ facts: LibRawFacts) {
      guard facts.decoder.hasPrefix("samsung3"),
        let raw = tiff.directories.first(where: { $0[259]?.integer == 32773 }),
        let offset = raw[273]?.integers, let bytes = raw[279]?.integers,
        offset.count == 1, bytes.count == 1, bytes[0] > 0, file.holds(offset[0], bytes[0])
      else { return nil }
      (self.offset, self.bytes) = (offset[0], bytes[0])
    }
  }

  /// The samples of the visible area, or, with `isWhole`, of the whole stored picture.
  static func decode(
    _ storage: Storage, _ file: FileBytes, layout: SensorData.Layout, isWhole: Bool
  ) throws(RAWError) -> SensorData {
    let facts = try LibRawHandle(file).facts
    guard let stream = file.view(storage.offset, storage.bytes),
      let blocks = SamsungBlockDecoder(stream), blocks.size == facts.storedArea.size,
      !facts.visibleArea.isEmpty, facts.storedArea.contains(facts.visibleArea)
    else { throw .contradictingHeader(file) }
    return try SensorData.decoded(facts, file, layout: layout, isWhole: isWhole) { windows in
      blocks.decode { y, row in
        for window in windows { window.take(row, y) }
        return !file.clock.isOver
      }
    }
  }
}
