import ImageCore

/// Hasselblad's 3FR: a TIFF whose SubIFD holds the mosaic, with black (50714), and whose first
/// directory has the model (50708) and the white balance as the values of a neutral (50728), as a
/// DNG has them.
///
/// * Uncompressed: 16-bit little-endian words.
/// * Lossless JPEG of two samples at a time: a header of two components, then in little-endian
///   words of 32 bits, nothing stuffed, the two lengths and then the two differences. A sample is
///   predicted from that of the same column parity to the left, the first of a row from 32768.
///
/// Sources: tag names of ExifTool; published analyses (dcraw's hasselblad decoder, rawspeed's).
struct Hasselblad3FR {
  let raw: CameraContainer

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    var picture = TIFFNode()
    let isCoded = raw.coding == .threeFR
    picture.directory = raw.mosaic(compression: isCoded ? 7 : 1, bits: raw.bits)
    picture.directory[50713] = .shorts([2, 2])
    picture.directory[50714] = .shorts(raw.black)
    picture.directory[50717] = .longs([UInt32(raw.white)])
    picture.chunks = [isCoded ? try coded : raw.words(.little)]
    var root = raw.camera
    let neutral = [raw.gains.x, raw.gains.y, raw.gains.z].map { 1 / $0 }
    root.directory[50728] = .rationals(
      neutral.map { Rational(UInt32(($0 * 1_000_000).rounded()), 1_000_000) })
    root.directory[50708] = .ascii(raw.model)
    root.children.append((330, [picture]))
    return try CameraContainer.Written(bytes: root.file(order: .little), samples: raw.samples)
  }

  private var coded: [UInt8] {
    get throws(CameraContainer.Problem) {
      let (width, height) = (raw.size.width, raw.size.height)
      try raw.require(width % 2 == 0, "rows of an even number of columns")
      func differences(_ y: Int) -> [Int] {
        (0..<width).map { x in
          let at = y * width + x
          let last = x < 2 ? 0x8000 : raw.samples[at - 2]
          return Int(Int16(bitPattern: raw.samples[at] &- last))
        }
      }
      let rows = (0..<height).map(differences)
      var counts = [Int](repeating: 0, count: 17)
      for row in rows { for d in row { counts[PrefixCode.category(d)] += 1 } }
      let table = HuffmanTable(counts: counts)
      let jpeg = LosslessJPEG(columns: width / 2, rows: height, components: 2, bits: 16)
      var sink = BitSink()
      for row in rows {
        for x in stride(from: 0, to: width, by: 2) {
          let pair = [row[x], row[x + 1]]
          for d in pair {
            let category = PrefixCode.category(d)
            sink.put(table.codes[category], table.bits[category])
          }
          for d in pair {
            let category = UInt32(PrefixCode.category(d))
            let extra = UInt32(truncatingIfNeeded: d < 0 ? d - 1 : d)
            sink.put(extra & (1 << category - 1), category)
          }
        }
      }
      return jpeg.header([table, table]) + sink.words()
    }
  }
}
