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
    let stored = PixelRect(x: 0, y: 0, width: facts.rawWidth, height: facts.rawHeight)
    let area = PixelRect(x: facts.left, y: facts.top, width: facts.width, height: facts.height)
    guard let stream = file.view(storage.offset, storage.bytes),
      let blocks = SamsungBlockDecoder(stream), blocks.size == stored.size, !area.isEmpty,
      stored.contains(area)
    else {
      throw RAWError(
        .damaged, .decode,
        "the header of its compressed pixel data contradicts itself or the file; copy the file "
          + "again", path: file.path)
    }
    // The masked columns tell black where the file does not.
    let masked = facts.declaresBlack ? 0 : area.x
    let border = RowMemory<UInt16>(count: max(masked * area.height, 1))
    let kept = isWhole ? stored : area
    let samples = try RawSamples(of: UInt16.self, stride: kept.width, rows: kept.height) {
      (target: CodeRowView) throws(RAWError) in
      let isSound = blocks.decode { y, row in
        if (kept.y..<kept.endY).contains(y) {
          target.from((y - kept.y) * kept.width).update(from: row.from(kept.x), count: kept.width)
        }
        if (area.y..<area.endY).contains(y) {
          border.row.from((y - area.y) * masked).update(from: row, count: masked)
        }
        return !file.clock.isOver
      }
      try RAWError.translating(.decode) { () throws(FormatError) in try file.checkTime() }
      guard isSound else {
        throw RAWError(
          .damaged, .decode, "its pixel data are damaged or end early; copy the file again",
          path: file.path)
      }
    }
    let rows = border.row
    let levels = try CameraLevels.read(
      facts, masked > 0 ? { rows.from(($0 - area.y) * masked) } : nil, layout: layout,
      area: area, path: file.path)
    return SensorData(size: kept.size, layout: layout, samples: samples, levels: levels)
  }
}
