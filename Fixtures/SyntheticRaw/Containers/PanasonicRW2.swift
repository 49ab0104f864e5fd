import ImageCore

/// Panasonic's RW2: a TIFF whose number is 0x55, whose directory has tags of its own: stored size
/// (2, 3), borders of the sensor top, left, bottom, right (4…7), order of the filters (9), bits
/// (0x0A), linearity limits (0x0E…0x10), ISO (0x17), black (0x1C…0x1E), white balance (0x24…0x26),
/// the number of the storage (0x2D) and the offset of the samples (0x118). Storages 4 and 5 add
/// nothing to black 5 and 15 to black 4.
///
/// Storage 4 and 6: `PanasonicBlocks`. Storage 5 and 7: blocks of 16 bytes with 9 samples of 14
/// bits or 10 of 12, least significant first. Storages 4 and 5 exchange the two parts of each 16
/// KiB (0x1FF8 bytes come last).
///
/// Sources: tag names of ExifTool (PanasonicRaw.pm); the layout is what LibRaw 0.20 reads.
struct PanasonicRW2 {
  let raw: CameraContainer

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    let number = [4, 5, 6, 7][
      [.rw2Format4, .rw2Format5, .rw2Format6, .rw2Format7].firstIndex(of: raw.coding) ?? 0]
    var (data, samples): ([UInt8], [UInt16])
    switch number {
    case 4: (data, samples) = try PanasonicBlocks.blocksOf14(raw)
    case 6: (data, samples) = try PanasonicBlocks.blocksOf11(raw)
    default: (data, samples) = (try packed, raw.samples)
    }
    if number < 6 { data = Self.scrambled(data) }

    var d = TIFFDirectory()
    func short(_ tag: UInt16, _ value: Int) { d[tag] = .shorts([UInt16(value)]) }
    d[1] = .undefined(Array("0310".utf8))
    short(2, raw.size.width)
    short(3, raw.size.height)
    for (tag, value) in zip(UInt16(4)..., [raw.area.y, raw.area.x, raw.area.endY, raw.area.endX]) {
      short(tag, value)
    }
    short(8, 1)
    short(9, (raw.pattern.channels.firstIndex(of: 0) ?? 0) + 1)
    short(0x0A, raw.bits)
    short(0x0B, 34316)
    for tag in UInt16(0x0E)...0x10 { short(tag, raw.white) }
    short(0x17, Int(raw.iso))
    let black = raw.redFirst(raw.black)
    for (tag, value) in zip(UInt16(0x1C)..., [black[0], black[1], black[3]]) {
      short(tag, Int(value) - (number == 4 ? 15 : 0))
    }
    let g = raw.gains(one: 256)
    for (tag, value) in zip(UInt16(0x24)..., [g.red, g.green, g.blue]) { short(tag, Int(value)) }
    short(0x2D, number)
    d[273] = .longs([0xFFFF_FFFF])
    d[278] = .longs([UInt32(raw.size.height)])
    d[279] = .longs([UInt32(data.count)])
    var root = raw.camera
    root.directory.merge(d.fields)
    root.blocks = [(0x118, [data])]
    if raw.recording != nil {
      // The note is in the JPEG alone.
      root.directory[0x2E] = .undefined(try raw.exifJPEG)
      root.children = [(34665, [TIFFNode(directory: raw.exif)])]
    }
    return try CameraContainer.Written(
      bytes: root.file(order: .little, magic: 0x55), samples: samples)
  }

  private var packed: [UInt8] {
    get throws(CameraContainer.Problem) {
      let each = raw.bits == 12 ? 10 : 9
      try raw.require(
        raw.size.width % each == 0 && (raw.bits == 12 || raw.bits == 14),
        "rows of a multiple of \(each) columns of 12 or 14 bits")
      var sink = LowBitSink()
      for (index, sample) in raw.samples.enumerated() {
        sink.put(UInt32(sample), raw.bits)
        if index % each == each - 1 { sink.align(16) }
      }
      return sink.bytes
    }
  }

  /// Each 16 KiB, the last filled up, beginning with the bytes at 0x2008 and ending with the bytes
  /// before.
  private static func scrambled(_ data: [UInt8]) -> [UInt8] {
    let block = 0x4000
    let filled = data + [UInt8](repeating: 0, count: (block - data.count % block) % block)
    return stride(from: 0, to: filled.count, by: block).flatMap {
      filled[$0 + 0x2008..<$0 + block] + filled[$0..<$0 + 0x2008]
    }
  }
}
