import ImageCore

/// Fujifilm's RAF: a big-endian header of offsets and lengths of three parts.
///
/// 1. A JPEG, whose Exif has maker, orientation and exposure.
/// 2. A list of tags, big-endian: the stored size (0x100) and that of the picture (0x121), both
///    height first, the color filters of an X-Trans sensor from the last to the first (0x131), and
///    the white balance as green, red, green, blue (0x2FF0).
/// 3. A TIFF structure whose tag 0xF000 is a directory of the mosaic: size (0xF001, 0xF002), bits
///    (0xF003), offset and length of the samples (0xF007, 0xF008), black at each position of the
///    pattern (0xF00A), white balance as green, red, blue (0xF00E).
///
/// The samples are 16-bit little-endian words; or 14 bits, most significant first, in little-endian
/// words of 32 bits, known by their length of 7/4 of the area; or compressed
/// (`FujifilmCompression`), known by their length and their own header.
///
/// Sources: tag names of ExifTool (FujiFilm.pm); the layout is what LibRaw 0.20 reads.
struct FujifilmRAF {
  let raw: CameraContainer

  /// Header up to the first part: 16 + 12 + 32 bytes of names, 24 of version, offsets.
  private static let headerBytes = 160

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    let jpeg = try raw.exifJPEG
    let facts = self.facts
    let (data, samples) = try mosaic
    func aligned(_ count: Int) -> Int { (count + 15) & ~15 }
    let jpegAt = Self.headerBytes
    let factsAt = jpegAt + aligned(jpeg.count)
    let dataAt = factsAt + aligned(facts.count)

    var out = ByteStream(order: .big)
    func text(_ text: String, _ count: Int) -> [UInt8] {
      Array(text.utf8.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - text.utf8.count))
    }
    out.bytes += text("FUJIFILMCCD-RAW ", 16) + text("0201FA392001", 12) + text(raw.model, 32)
    out.bytes += text("0100", 24)
    for (offset, count) in [(jpegAt, jpeg.count), (factsAt, facts.count), (dataAt, data.count)] {
      out.append(UInt32(offset))
      out.append(UInt32(count))
    }
    out.bytes += [UInt8](repeating: 0, count: jpegAt - out.bytes.count)
    for part in [jpeg, facts, data] {
      out.bytes += part
      out.bytes += [UInt8](repeating: 0, count: aligned(part.count) - part.count)
    }
    return CameraContainer.Written(bytes: out.bytes, samples: samples)
  }

  private var facts: [UInt8] {
    let (g, wide) = (raw.gains(one: 302), raw.pattern.period == 6)
    // A reader puts the same border on all sides, even columns and rows of it.
    var entries: [(tag: UInt16, bytes: [UInt8])] = [
      (0x100, shorts([raw.size.height, raw.size.width])),
      (0x121, shorts([raw.size.height - 2 * raw.area.y, raw.size.width - 2 * raw.area.x])),
    ]
    if wide {
      let stored = (0..<36).map { i in
        UInt8(raw.pattern.channel(x: i % 6 - raw.area.x, y: i / 6 - raw.area.y))
      }
      entries.append((0x131, stored.reversed()))
    }
    entries.append((0x2FF0, shorts([g.green, g.red, g.green, g.blue].map { Int($0) })))
    var out = ByteStream(order: .big)
    out.append(UInt32(entries.count))
    for entry in entries {
      out.append(entry.tag)
      out.append(UInt16(entry.bytes.count))
      out.bytes += entry.bytes
    }
    return out.bytes
  }

  private func shorts(_ values: [Int]) -> [UInt8] {
    var out = ByteStream(order: .big)
    for value in values { out.append(UInt16(value)) }
    return out.bytes
  }

  /// The structure with the samples, and what is read of it.
  private var mosaic: (bytes: [UInt8], samples: [UInt16]) {
    get throws(CameraContainer.Problem) {
      let data: [UInt8]
      var samples = raw.samples
      switch raw.coding {
      case .rafPacked14:
        try raw.require(raw.bits == 14 && raw.size.width % 16 == 0, "14 bits, rows of 16 columns")
        var sink = BitSink()
        for sample in raw.samples { sink.put(UInt32(sample), 14) }
        data = sink.words()
      case .rafCompressed, .rafLossy:
        let coded = try FujifilmCompression(raw)
        (data, samples) = (coded.bytes, coded.samples)
      default: data = raw.words(.little)
      }
      let g = raw.gains(one: 302)
      let period = raw.pattern.period
      let black = (0..<period * period).map { i in
        UInt32(raw.black[period == 2 ? i : (i / period & 1) * 2 + (i % period & 1)])
      }
      var picture = TIFFNode()
      picture.directory[0xF001] = .longs([UInt32(raw.size.width)])
      picture.directory[0xF002] = .longs([UInt32(raw.size.height)])
      picture.directory[0xF003] = .longs([UInt32(raw.bits)])
      picture.directory[0xF008] = .longs([UInt32(data.count)])
      picture.directory[0xF00A] = .longs(black)
      picture.directory[0xF00E] = .longs([UInt32(g.green), UInt32(g.red), UInt32(g.blue)])
      picture.blocks = [(0xF007, [data])]
      var root = TIFFNode()
      root.children = [(0xF000, [picture])]
      return (try root.file(order: .little), samples)
    }
  }
}
