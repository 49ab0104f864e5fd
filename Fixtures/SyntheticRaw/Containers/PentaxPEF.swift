import ImageCore

/// Pentax's PEF: a big-endian TIFF whose only directory describes camera and mosaic. The maker note
/// begins with `PENTAX \0MM`; its offsets count from its start. It has black (0x200) and white
/// balance (0x201) as red, green, green, blue.
///
/// * Uncompressed: 16-bit words under compression 32773. Frames of pixel shift are directories that
///   follow the first one.
/// * Huffman: differences from the last sample of the same column parity, for the first two of a
///   row from those of the last row but one, under 65535. Their code is in the maker note (0x220):
///   the number of lengths less 12, 12 bytes, then for each length of a difference its code,
///   left-justified in 12 bits, and then for each the length of this code.
///
/// Sources: tag names of ExifTool (Pentax.pm); the layout is what LibRaw 0.20 reads.
struct PentaxPEF {
  let raw: CameraContainer

  /// The code of this writer, of at most 12 bits for a difference of up to 14.
  private static let code = PrefixCode(
    counts: [0, 1, 4, 2, 2, 3, 1, 2], symbols: [6, 5, 7, 4, 8, 3, 9, 2, 10, 11, 1, 0, 12, 13, 14])

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    var note = TIFFDirectory()
    note.merge(raw.recording?.fields ?? [:])
    note[0x200] = .shorts(raw.redFirst(raw.black))
    note[0x201] = .shorts(raw.gainsRedFirst(one: 8192))

    var root = raw.camera
    let isCoded = raw.coding == .pef
    root.directory.merge(
      raw.mosaic(compression: isCoded ? 65535 : 32773, bits: raw.bits).fields)
    if isCoded {
      root.chunks = [coded]
      var table = ByteStream(order: .big)
      let words = (0..<15).map { Self.code.words[UInt8($0)] ?? .init(code: 0, length: 12) }
      table.append(UInt16(words.count - 12))
      table.bytes += [UInt8](repeating: 0, count: 12)
      for word in words { table.append(UInt16(word.code << UInt32(12 - word.length))) }
      table.bytes += words.map { UInt8($0.length) }
      note[0x220] = .undefined(table.bytes)
    } else {
      root.chunks = [raw.words(.big)]
    }
    var exif = TIFFNode(directory: raw.exif)
    exif.directory[37500] = .undefined(
      Array("PENTAX \0MM".utf8) + note.encoded(at: 10, order: .big))
    root.children = [(34665, [exif])]
    let further = raw.furtherFrames.map { samples in
      var (node, other) = (TIFFNode(), raw)
      other.samples = samples
      node.directory = raw.mosaic(compression: 32773, bits: raw.bits)
      node.chunks = [other.words(.big)]
      return node
    }
    return try CameraContainer.Written(
      bytes: root.file(order: .big, following: further), samples: raw.samples)
  }

  private var coded: [UInt8] {
    var sink = BitSink()
    var prediction = ParityPrediction()
    for y in 0..<raw.size.height {
      for (x, sample) in raw.row(y).enumerated() {
        Self.code.put(difference: Int(sample) - prediction(x, y), to: &sink)
        prediction.take(Int(sample), x, y)
      }
    }
    sink.finish()
    // A reader looks ahead.
    return sink.bytes + [0, 0]
  }
}
