import ImageCore

/// Olympus's ORF: a TIFF whose number is `RO`, whose only directory describes camera and mosaic.
/// The maker note begins with `OLYMPUS\0II`, 3.0; its offsets count from its start. Its directory
/// 0x2040 has the white balance as red and blue of 256 (0x100) and black as red, green, green, blue
/// (0x600). Filters other than red first are declared in Exif's CFAPattern.
///
/// * Packed: 12 bits, most significant first, in little-endian words of 32 bits.
/// * Compressed (`OlympusCompression`): 12 bits, declared as 16 bits a sample.
///
/// Sources: tag names of ExifTool (Olympus.pm); the layout is what LibRaw 0.20 reads.
struct OlympusORF {
  let raw: CameraContainer

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    try raw.require(raw.bits == 12, "12 bits, not \(raw.bits)")
    var root = raw.camera
    root.directory.merge(
      raw.mosaic(compression: 1, bits: raw.coding == .orfPacked ? 12 : 16).fields)
    root.directory[254] = nil
    root.directory[33421] = nil
    root.directory[33422] = nil
    root.directory[262] = .shorts([1])
    if raw.coding == .orfPacked {
      try raw.require(raw.samples.count % 8 == 0, "samples must fill words")
      var sink = BitSink()
      for sample in raw.samples { sink.put(UInt32(sample), 12) }
      root.chunks = [sink.words()]
    } else {
      root.chunks = [OlympusCompression(raw).bytes]
    }

    let g = raw.gains(one: 256)
    var processing = TIFFDirectory()
    processing[0x100] = .shorts([g.red, g.blue, 256, 256])
    processing[0x600] = .shorts(raw.redFirst(raw.black))
    var note = TIFFNode()
    note.directory[0] = .undefined(Array("0100".utf8))
    note.notes = [(0x2040, processing)]
    if let recording = raw.recording {
      var settings = TIFFDirectory()
      settings.merge(recording.fields)
      note.children = [(0x2020, [TIFFNode(directory: settings)])]
    }
    var header = Array("OLYMPUS\0".utf8) + Array("II".utf8) + [3, 0]
    header += try note.file(order: .little, start: 12).dropFirst(12)
    var exif = TIFFNode(directory: raw.exif)
    exif.directory[37500] = .undefined(header)
    exif.directory[0xA302] = .undefined([2, 0, 2, 0] + raw.pattern.channels)
    root.children = [(34665, [exif])]
    return try CameraContainer.Written(
      bytes: root.file(order: .little, magic: 0x4F52), samples: raw.samples)
  }
}
