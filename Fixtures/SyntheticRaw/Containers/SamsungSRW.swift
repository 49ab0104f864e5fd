import ImageCore

/// Samsung's SRW: a TIFF whose SubIFD holds the mosaic and whose maker note is a directory without
/// a header, with offsets from its start: eleven keys (0xA020), white balance (0xA021) and black
/// (0xA028) as red, green, green, blue, each with a key added.
///
/// * 1 (compression 32770 with tag 0xA010, the offsets of the rows): `SamsungRows`; as the NX300.
/// * 2 (32772 with 0xA010): differences as Pentax has them, in a fixed code; as the NX mini.
/// * 3 (32773 with 0xA010): `SamsungBlocks`; as the NX1.
///
/// Sources: tag names of ExifTool (Samsung.pm); the layout is what LibRaw 0.20 reads.
struct SamsungSRW {
  let raw: CameraContainer

  /// Number of bits and symbol of each word of the second coding, in the order of the codes.
  private static let code: [(length: Int, symbol: UInt8)] = [
    (3, 4), (3, 7), (2, 6), (2, 5), (4, 3), (6, 0), (7, 9), (8, 10), (9, 11), (10, 12), (10, 13),
    (5, 1), (4, 8), (4, 2),
  ]

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    var picture = TIFFNode()
    var pointers: [UInt8] = []
    var compression: UInt16 = 32772
    var samples = raw.samples
    switch raw.coding {
    case .srw1:
      compression = 32770
      let rows = try SamsungRows(raw)
      picture.chunks = [rows.bytes]
      var coded = ByteStream(order: .little)
      for offset in rows.offsets { coded.append(UInt32(offset)) }
      pointers = coded.bytes
    case .srw3:
      compression = 32773
      let blocks = try SamsungBlocks(raw)
      (picture.chunks, samples) = ([blocks.bytes], blocks.samples)
    default: picture.chunks = [coded]
    }
    picture.directory = raw.mosaic(compression: compression, bits: raw.bits)
    picture.blocks = [(0xA010, [pointers.isEmpty ? [0, 0, 0, 0] : pointers])]

    let keys = (1...11).map { UInt32($0 * 7919) }
    func keyed(_ values: [UInt16]) -> TIFFValue {
      .longs(zip(values, keys).map { UInt32($0) + $1 })
    }
    var note = TIFFDirectory()
    note[0xA020] = .longs(keys)
    note[0xA021] = keyed(raw.gainsRedFirst(one: 4096))
    note[0xA028] = keyed(raw.redFirst(raw.black))
    var root = raw.camera
    var exif = TIFFNode(directory: raw.exif)
    exif.directory[37500] = .undefined(note.encoded(at: 0, order: .little))
    root.children = [(34665, [exif]), (330, [picture])]
    return try CameraContainer.Written(bytes: root.file(order: .little), samples: samples)
  }

  private var coded: [UInt8] {
    var words: [UInt8: PrefixCode.Word] = [:]
    var next: UInt32 = 0
    for (length, symbol) in Self.code {
      words[symbol] = .init(code: next >> UInt32(10 - length), length: length)
      next += 1024 >> UInt32(length)
    }
    var sink = BitSink()
    var prediction = ParityPrediction()
    let code = PrefixCode(words: words)
    for y in 0..<raw.size.height {
      for (x, sample) in raw.row(y).enumerated() {
        code.put(difference: Int(sample) - prediction(x, y), to: &sink)
        prediction.take(Int(sample), x, y)
      }
    }
    sink.finish()
    // A reader looks ahead.
    return sink.bytes + [0, 0]
  }
}
