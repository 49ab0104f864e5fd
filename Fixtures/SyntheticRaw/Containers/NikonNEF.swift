import ImageCore

/// Nikon's NEF: a TIFF whose first directory describes the camera and whose SubIFD holds the
/// mosaic. The maker note is a TIFF of its own behind `Nikon\0`, version 2.x: white balance as red,
/// blue, green, green (0x0C), black of 14 bits as red, green, green, blue (0x3D), the kind of
/// compression (0x93), and for compressed data the start values and the curve (0x96).
///
/// * Lossless and lossy: Huffman codes under compression 34713 (`NikonHuffman`).
/// * Packed: 12 bits, most significant first, under 1.
/// * Packed 14: 14 bits, least significant first, rows filled to 16 bytes, under 1, as the Z write
///   uncompressed.
///
/// Sources: tag names of ExifTool (Nikon.pm); the layout is what LibRaw 0.20 reads.
struct NikonNEF {
  let raw: CameraContainer

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    var samples = raw.samples
    var note = TIFFNode()
    let gains = [raw.gains.x, raw.gains.z, raw.gains.y, raw.gains.y]
    note.directory.merge(raw.recording?.fields ?? [:])
    note.directory[0x01] = .undefined(Array("0211".utf8))
    note.directory[0x0C] = .rationals(gains.map { Rational(UInt32(($0 * 512).rounded()), 512) })
    note.directory[0x3D] = .shorts(raw.redFirst(raw.black).map { $0 << UInt16(14 - raw.bits) })

    var picture = TIFFNode()
    let isPacked = raw.coding == .nefPacked || raw.coding == .nefPacked14
    picture.directory = raw.mosaic(compression: isPacked ? 1 : 34713, bits: raw.bits)
    switch raw.coding {
    case .nefPacked:
      try raw.require(raw.bits == 12 && raw.size.width % 2 == 0, "packed are 12 bits in pairs")
      var sink = BitSink()
      for sample in samples { sink.put(UInt32(sample), 12) }
      picture.chunks = [sink.bytes]
    case .nefPacked14:
      try raw.require(raw.bits == 14 && raw.size.width % 4 == 0, "packed are 14 bits in fours")
      var sink = LowBitSink()
      for y in 0..<raw.size.height {
        for sample in raw.row(y) { sink.put(UInt32(sample), 14) }
        sink.align(16)
      }
      picture.chunks = [sink.bytes]
    default:
      let coder = try NikonHuffman(raw)
      note.directory[0x93] = .shorts([raw.coding == .nefLossless ? 3 : 4])
      note.directory[0x96] = .undefined(coder.table)
      picture.chunks = [coder.bytes]
      samples = coder.decoded
    }

    var root = raw.camera
    var exif = TIFFNode(directory: raw.exif)
    exif.directory[37500] = .undefined(
      Array("Nikon\0".utf8) + [2, 0x11, 0, 0] + (try note.file(order: raw.byteOrder)))
    root.children = [(34665, [exif]), (330, [picture])]
    return try CameraContainer.Written(
      bytes: root.file(order: raw.byteOrder), samples: samples)
  }
}
