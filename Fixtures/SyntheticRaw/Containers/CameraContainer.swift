public import ImageCore

/// A raw as a maker's cameras write it, with every value known: what LibRaw opens, and what the
/// pipeline behind it must make of it.
///
/// Each container and each coding has a file here, which begins with its description. They are
/// written from published descriptions and from what readers expect, never from a maker's program,
/// and hold only what a reader needs: no preview, no lens, no settings.
public struct CameraContainer: Sendable {
  /// How the samples are stored.
  public enum Coding: String, Sendable, CaseIterable {
    /// Sony: 14 bits in 16; 11-bit blocks with a curve; 12 bits packed; lossless JPEG in tiles;
    /// wavelets with a curve.
    case arwUncompressed, arw2, arwPacked, arwLosslessJPEG, arw6
    /// Nikon: Huffman codes without and with a curve, packed, and 14 bits packed as in the Z.
    case nefLossless, nefLossy, nefPacked, nefPacked14
    /// Fujifilm: 16 bits, 14 bits packed, lossless compressed, lossy compressed.
    case rafUncompressed, rafPacked14, rafCompressed, rafLossy
    /// Canon: lossless JPEG in slices; CRX without wavelets.
    case cr2, cr3
    /// Olympus: 12 bits packed, compressed.
    case orfPacked, orfCompressed
    /// Panasonic: lossy blocks of 14 and of 11 samples, packed blocks with and without scrambling.
    case rw2Format4, rw2Format5, rw2Format6, rw2Format7
    /// Pentax: Huffman codes, 16 bits.
    case pef, pefUncompressed
    /// Samsung: differences in blocks of 16 with their widths, Huffman codes, and both predictions.
    case srw1, srw2, srw3
    /// Hasselblad: lossless JPEG of pairs, 16 bits.
    case threeFR, threeFRUncompressed
    /// Phase One: scrambled 16 bits, differences in groups of 8, both as 14 and as 16 bits.
    case iiqRaw, iiqL, iiqL16

    /// Whether what is read back is what was written, bit for bit.
    public var isExact: Bool {
      switch self {
      case .arw2, .arw6, .nefLossy, .rafLossy, .rw2Format4, .rw2Format6: false
      default: true
      }
    }
  }

  /// A file and what its samples are once it is read: those written, or, where the coding loses
  /// something, what its description makes of its codes.
  public struct Written: Sendable {
    /// The file.
    public var bytes: [UInt8]
    /// All samples, row by row, border included.
    public var samples: [UInt16]
  }

  /// Why no file was written.
  public typealias Problem = DNGWriter.Problem

  /// Maker as the files have it.
  public var make: String
  /// Model as the files have it.
  public var model: String
  /// How the samples are stored.
  public var coding: Coding
  /// Columns and rows that are stored, border included.
  public var size: PixelSize
  /// Row by row.
  public var samples: [UInt16]
  /// The samples of further frames, which ``Coding/pefUncompressed`` alone has room for.
  public var furtherFrames: [[UInt16]] = []
  /// Color filters from the first pixel of the area on.
  public var pattern = MosaicPattern.bayer(.rggb)
  /// What is exposed, as far as the container says it.
  public var area: PixelRect
  /// Bits of a sample.
  public var bits = 14
  /// Black at the four positions from the first pixel of the area, row by row.
  public var black: [UInt16] = [0, 0, 0, 0]
  /// The level at which samples saturate, where the container says it.
  public var white = 16_383
  /// The rotation that makes the picture upright.
  public var orientation = Orientation.up
  /// Gains of red, green and blue that make a neutral gray, green 1.
  public var gains = SIMD3<Double>(1, 1, 1)
  /// ISO speed.
  public var iso: UInt16 = 200
  /// Byte order, where the maker uses both.
  public var byteOrder = ByteOrder.little
  /// How the camera was set to record darker than it metered; nil for makers' notes without it.
  public var recording: DarkRecording?

  /// What Samsung's blocks do beyond the simplest.
  var blocks = SamsungBlocks.Options()
  /// How Sony's ARW 6 is cut into tiles, what it loses, and its curve.
  package var arw6 = SonyARW6.Options()

  /// A raw of `size` with these samples, exposed everywhere.
  public init(
    make: String, model: String, coding: Coding, size: PixelSize, samples: [UInt16]
  ) {
    (self.make, self.model, self.coding) = (make, model, coding)
    (self.size, self.samples, area) = (size, samples, PixelRect(size))
  }

  /// The file.
  public func written() throws(Problem) -> Written {
    try require(samples.count == size.area, "\(size) needs \(size.area) samples")
    try require(black.count == 4, "black needs four levels")
    let limit = UInt32(1) << UInt32(bits)
    try require(samples.allSatisfy { UInt32($0) < limit }, "a sample needs over \(bits) bits")
    switch coding {
    case .arwUncompressed, .arw2, .arwPacked, .arwLosslessJPEG, .arw6:
      return try SonyARW(raw: self).written()
    case .nefLossless, .nefLossy, .nefPacked, .nefPacked14:
      return try NikonNEF(raw: self).written()
    case .rafUncompressed, .rafPacked14, .rafCompressed, .rafLossy:
      return try FujifilmRAF(raw: self).written()
    case .cr2: return try CanonCR2(raw: self).written()
    case .cr3: return try CanonCR3(raw: self).written()
    case .orfPacked, .orfCompressed: return try OlympusORF(raw: self).written()
    case .rw2Format4, .rw2Format5, .rw2Format6, .rw2Format7:
      return try PanasonicRW2(raw: self).written()
    case .pef, .pefUncompressed: return try PentaxPEF(raw: self).written()
    case .srw1, .srw2, .srw3: return try SamsungSRW(raw: self).written()
    case .threeFR, .threeFRUncompressed: return try Hasselblad3FR(raw: self).written()
    case .iiqRaw, .iiqL, .iiqL16: return try PhaseOneIIQ(raw: self).written()
    }
  }

  func require(_ condition: Bool, _ message: String) throws(Problem) {
    if !condition { throw Problem(description: "\(coding.rawValue): \(message)") }
  }
}

extension CameraContainer {
  /// Maker, model and orientation, and the Exif directory: what all TIFF containers begin with.
  var camera: TIFFNode {
    var node = TIFFNode()
    node.directory[271] = .ascii(make)
    node.directory[272] = .ascii(model)
    node.directory[274] = .shorts([UInt16(orientation.rawValue)])
    node.directory[306] = .ascii("2024:06:21 18:30:00")
    var exif = exif
    if let note = recording?.wholeNote { exif[37500] = .undefined(note) }
    node.children = [(34665, [TIFFNode(directory: exif)])]
    return node
  }

  /// The Exif directory: exposure and ISO speed.
  var exif: TIFFDirectory {
    var d = TIFFDirectory()
    d[33434] = .rationals([Rational(1, 125)])
    d[33437] = .rationals([Rational(56, 10)])
    d[34855] = .shorts([iso])
    d[36864] = .undefined(Array("0231".utf8))
    d[37386] = .rationals([Rational(50, 1)])
    return d
  }

  /// A small gray JPEG whose first segment is the Exif.
  var exifJPEG: [UInt8] {
    get throws(Problem) {
      let size = PixelSize(width: 16, height: 16)
      let gray = [UInt8](repeating: 128, count: size.area)
      guard let plain = BaselineJPEG.encode(gray, size: size, components: 1, quality: 80) else {
        throw Problem(description: "the JPEG library failed")
      }
      let exif = Array("Exif\0\0".utf8) + (try camera.file(order: .little))
      var out = ByteStream(order: .big)
      out.append(UInt32(0xFFD8_FFE1))
      out.append(UInt16(exif.count + 2))
      return out.bytes + exif + plain.dropFirst(2)
    }
  }

  /// The directory of a mosaic of `bits` bits whose color filters are declared as in TIFF/EP.
  func mosaic(compression: UInt16, bits: Int) -> TIFFDirectory {
    var d = TIFFDirectory()
    d[254] = .longs([0])
    d[256] = .longs([UInt32(size.width)])
    d[257] = .longs([UInt32(size.height)])
    d[258] = .shorts([UInt16(bits)])
    d[259] = .shorts([compression])
    d[262] = .shorts([32803])
    d[277] = .shorts([1])
    d[278] = .longs([UInt32(size.height)])
    d[33421] = .shorts([2, 2])
    d[33422] = .bytes(pattern.channels)
    return d
  }

  /// Four values in the order red, green beside red, green beside blue, blue, which most makers
  /// use, of `values` at the four positions of a Bayer pattern.
  func redFirst<Value>(_ values: [Value]) -> [Value] {
    let red = pattern.channels.firstIndex(of: 0) ?? 0
    guard pattern.period == 2 else { return values }
    return [red, red ^ 1, red ^ 2, red ^ 3].map { values[$0] }
  }

  /// The gains as integers, `one` for green.
  func gains(one: Double) -> (red: UInt16, green: UInt16, blue: UInt16) {
    let scaled = (gains * one).rounded(.toNearestOrAwayFromZero)
    return (UInt16(scaled.x), UInt16(scaled.y), UInt16(scaled.z))
  }

  /// The gains in the order red, green, green, blue.
  func gainsRedFirst(one: Double) -> [UInt16] {
    let g = gains(one: one)
    return [g.red, g.green, g.green, g.blue]
  }

  /// The samples of row `y`.
  func row(_ y: Int) -> ArraySlice<UInt16> { samples[y * size.width..<(y + 1) * size.width] }

  /// 16 bits a sample.
  func words(_ order: ByteOrder) -> [UInt8] {
    var out = ByteStream(order: order)
    for sample in samples { out.append(sample) }
    return out.bytes
  }
}
