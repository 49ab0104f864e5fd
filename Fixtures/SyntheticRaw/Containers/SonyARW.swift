import ImageCore

/// Sony's ARW: a TIFF whose first directory describes the camera and whose SubIFD holds the mosaic,
/// with black (0x7310) and white balance (0x7313) in the order red, green, green, blue, and four
/// points of the tone curve (0x7010).
///
/// * Uncompressed: 14 bits in 16-bit little-endian words under compression 1.
/// * ARW 2: 8 bits a sample under compression 32767 (`SonyARW2`).
/// * Packed: 12 bits, least significant first, under 32767, as the α 900 and RX cameras wrote.
/// * Lossless: tiles of lossless JPEG under 7, four components, which are the samples of 2 × 2, as
///   from the α 1 on.
/// * ARW 6: wavelets under 32766 (`SonyARW6`), as from the α 7 V on. Levels are half of what
///   samples are.
///
/// Sources: tag names of ExifTool (Sony.pm: SR2SubIFD, SubIFD); the layout is what LibRaw 0.20
/// (0.21 for the tiles) reads.
struct SonyARW {
  let raw: CameraContainer

  /// Side of a tile.
  private static let tile = 512

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    var picture = TIFFNode()
    var samples = raw.samples
    switch raw.coding {
    case .arw2:
      let coder = try SonyARW2(raw)
      picture.directory = raw.mosaic(compression: 32767, bits: 8)
      (picture.chunks, samples) = ([coder.bytes], coder.decoded)
    case .arwPacked:
      try raw.require(raw.bits == 12 && raw.size.width % 2 == 0, "packed are 12 bits in pairs")
      picture.directory = raw.mosaic(compression: 32767, bits: 12)
      var sink = LowBitSink()
      for sample in samples { sink.put(UInt32(sample), 12) }
      picture.chunks = [sink.bytes]
    case .arwLosslessJPEG:
      picture.directory = raw.mosaic(compression: 7, bits: raw.bits)
      picture.directory[322] = .longs([UInt32(Self.tile)])
      picture.directory[323] = .longs([UInt32(Self.tile)])
      (picture.chunks, picture.isTiled) = (tiles, true)
      // A reader takes four of them for something else.
      try raw.require(picture.chunks.count != 4, "not four tiles")
    case .arw6:
      let coder = try SonyARW6(raw)
      picture.directory = raw.mosaic(compression: 32766, bits: 14)
      picture.directory[0xC61D] = .longs([UInt32(raw.white / 2)])
      (picture.chunks, samples) = ([coder.bytes], coder.decoded)
    default:
      picture.directory = raw.mosaic(compression: 1, bits: raw.bits)
      picture.chunks = [raw.words(.little)]
    }
    picture.directory[0x7010] = .shorts(SonyARW2.points)
    picture.directory[0x7310] = .shorts(
      raw.redFirst(raw.black).map { raw.coding == .arw6 ? $0 / 2 : $0 << UInt16(14 - raw.bits) })
    picture.directory[0x7313] = .shorts(raw.gainsRedFirst(one: 1024))
    var root = raw.camera
    root.children.append((330, [picture]))
    return try CameraContainer.Written(bytes: root.file(order: .little), samples: samples)
  }

  /// Tiles from left to right and top to bottom, filled with zeros behind the picture.
  private var tiles: [[UInt8]] {
    let (width, height, side) = (raw.size.width, raw.size.height, Self.tile)
    return stride(from: 0, to: height, by: side).flatMap { top in
      stride(from: 0, to: width, by: side).map { left in
        var quads: [UInt16] = []
        quads.reserveCapacity(side * side)
        func sample(_ x: Int, _ y: Int) -> UInt16 {
          x < width && y < height ? raw.samples[y * width + x] : 0
        }
        for y in stride(from: top, to: top + side, by: 2) {
          for x in stride(from: left, to: left + side, by: 2) {
            quads += [sample(x, y), sample(x + 1, y), sample(x, y + 1), sample(x + 1, y + 1)]
          }
        }
        let jpeg = LosslessJPEG(
          columns: side / 2, rows: side / 2, components: 4, bits: raw.bits)
        return jpeg.encode(quads, stride: side * 2)
      }
    }
  }
}
