import CTIFF
import Foundation

/// TIFFs by libtiff, of any layout.
struct TestTIFF {
  var width = 37
  var height = 21
  var bits: UInt16 = 8
  var samples: UInt16 = 3
  /// 1 unsigned, 3 float.
  var format: UInt16 = 1
  var photometric: UInt16 = 2
  var compression = COMPRESSION_NONE
  var predictor: UInt16 = 1
  var isPlanar = false
  var rowsPerStrip: UInt32 = 8
  /// Tiles of 16 × 32.
  var isTiled = false
  var isBigEndian = false
  var isBig = false
  var orientation: UInt16 = 1
  var extra: UInt16?
  var palette: [UInt16]?
  var profile: [UInt8] = []
  var subsampling: UInt16?

  /// Sample c of pixel (x, y), of all bits.
  func code(_ x: Int, _ y: Int, _ c: Int) -> Int {
    if compression == COMPRESSION_JPEG || compression == COMPRESSION_WEBP {
      return min(255, 40 + 2 * x + 3 * y + 20 * c)
    }
    return (x &* 2_654_435_761 &+ y &* 40_503 &+ c &* 977 &+ x &* y) >> 3
      & (bits >= 32 ? 0xFFFF_FFFF : (1 << Int(bits)) - 1)
  }
  /// The same as linear values of float files.
  func linear(_ x: Int, _ y: Int, _ c: Int) -> Float { Float(x - 3) * 0.25 + Float(y * c) * 0.125 }

  /// Rows of `columns` pixels from (x, y) on with samples `of`, packed as TIFF packs them.
  private func packed(_ xs: Range<Int>, _ ys: Range<Int>, _ channels: Range<Int>) -> [UInt8] {
    var out: [UInt8] = []
    for y in ys {
      var (value, have) = (0, 0)
      for x in xs {
        for c in channels {
          if format == 3 {
            switch bits {
            case 16:
              let half = Self.half(linear(x, y, c))
              withUnsafeBytes(of: half) { out += $0 }
            case 24:
              withUnsafeBytes(of: Self.float24(linear(x, y, c))) { out += $0.prefix(3) }
            case 32: withUnsafeBytes(of: linear(x, y, c)) { out += $0 }
            default: withUnsafeBytes(of: Double(linear(x, y, c))) { out += $0 }
            }
          } else if bits == 16 {
            withUnsafeBytes(of: UInt16(code(x, y, c))) { out += $0 }
          } else if bits == 32 {
            withUnsafeBytes(of: UInt32(code(x, y, c))) { out += $0 }
          } else {
            value = value << Int(bits) | code(x, y, c)
            have += Int(bits)
            while have >= 8 {
              out.append(UInt8(value >> (have - 8) & 0xFF))
              have -= 8
            }
            value &= 0xFFFF
          }
        }
      }
      if have > 0 { out.append(UInt8(value << (8 - have) & 0xFF)) }
    }
    return out
  }

  /// The same of 24 bits.
  static func float24(_ value: Float) -> UInt32 {
    guard value != 0 else { return 0 }
    let bits = value.bitPattern
    let exponent = (bits >> 23 & 0xFF) - (127 - 63)
    return (bits >> 31) << 23 | exponent << 16 | (bits >> 7 & 0xFFFF)
  }

  /// Binary16 of numbers that it holds exactly.
  static func half(_ value: Float) -> UInt16 {
    guard value != 0 else { return 0 }
    let bits = value.bitPattern
    let exponent = Int(bits >> 23 & 0xFF) - 127 + 15
    return UInt16(bits >> 31) << 15 | UInt16(exponent) << 10 | UInt16(bits >> 13 & 0x3FF)
  }

  /// The file; nil when this libtiff cannot write it.
  func bytes() -> [UInt8]? {
    let path = NSTemporaryDirectory() + "readers-\(UUID().uuidString).tif"
    defer { try? FileManager.default.removeItem(atPath: path) }
    // Old codecs are wanted here.
    TIFFSetWarningHandler(nil)
    guard let tiff = TIFFOpen(path, "w" + (isBigEndian ? "b" : "l") + (isBig ? "8" : "")) else {
      return nil
    }
    func set(_ tag: Int32, _ value: UInt16) { ctiff_set_short(tiff, UInt32(tag), value) }
    ctiff_set_long(tiff, UInt32(TIFFTAG_IMAGEWIDTH), UInt32(width))
    ctiff_set_long(tiff, UInt32(TIFFTAG_IMAGELENGTH), UInt32(height))
    set(TIFFTAG_BITSPERSAMPLE, bits)
    set(TIFFTAG_SAMPLESPERPIXEL, samples)
    set(TIFFTAG_SAMPLEFORMAT, format)
    set(TIFFTAG_COMPRESSION, UInt16(compression))
    set(TIFFTAG_PHOTOMETRIC, photometric)
    set(TIFFTAG_PLANARCONFIG, isPlanar ? 2 : 1)
    set(TIFFTAG_ORIENTATION, orientation)
    if predictor != 1 { set(TIFFTAG_PREDICTOR, predictor) }
    if let extra { ctiff_set_bytes16(tiff, UInt32(TIFFTAG_EXTRASAMPLES), 1, [extra]) }
    if let palette {
      let n = palette.count / 3
      palette.withUnsafeBufferPointer { p in
        guard let start = p.baseAddress else { return }
        _ = ctiff_set_palette(tiff, start, start + n, start + 2 * n)
      }
    }
    if !profile.isEmpty {
      ctiff_set_bytes(tiff, UInt32(TIFFTAG_ICCPROFILE), UInt32(profile.count), profile)
    }
    if let subsampling { ctiff_set_subsampling(tiff, subsampling, subsampling) }
    if compression == COMPRESSION_JPEG {
      _ = ctiff_set_int(tiff, UInt32(TIFFTAG_JPEGQUALITY), 100)
      if photometric == 6 {
        _ = ctiff_set_int(tiff, UInt32(TIFFTAG_JPEGCOLORMODE), JPEGCOLORMODE_RGB)
      }
    }
    if compression == COMPRESSION_SGILOG {
      _ = ctiff_set_int(tiff, UInt32(TIFFTAG_SGILOGDATAFMT), SGILOGDATAFMT_FLOAT)
    }
    if compression == COMPRESSION_WEBP {
      _ = ctiff_set_int(tiff, UInt32(TIFFTAG_WEBP_LOSSLESS), 1)
    }
    let planes = isPlanar ? (0..<Int(samples)).map { $0..<$0 + 1 } : [0..<Int(samples)]
    var good = true
    if isTiled {
      ctiff_set_long(tiff, UInt32(TIFFTAG_TILEWIDTH), 16)
      ctiff_set_long(tiff, UInt32(TIFFTAG_TILELENGTH), 32)
      for (plane, channels) in planes.enumerated() {
        for y in stride(from: 0, to: height, by: 32) {
          for x in stride(from: 0, to: width, by: 16) {
            var block = packed(x..<x + 16, y..<y + 32, channels)
            let index = TIFFComputeTile(tiff, UInt32(x), UInt32(y), 0, UInt16(plane))
            good = TIFFWriteEncodedTile(tiff, index, &block, tmsize_t(block.count)) > 0 && good
          }
        }
      }
    } else {
      ctiff_set_long(tiff, UInt32(TIFFTAG_ROWSPERSTRIP), rowsPerStrip)
      for (plane, channels) in planes.enumerated() {
        for y in stride(from: 0, to: height, by: Int(rowsPerStrip)) {
          var block = packed(0..<width, y..<min(y + Int(rowsPerStrip), height), channels)
          let index = TIFFComputeStrip(tiff, UInt32(y), UInt16(plane))
          good = TIFFWriteEncodedStrip(tiff, index, &block, tmsize_t(block.count)) > 0 && good
        }
      }
    }
    TIFFClose(tiff)
    guard good, let data = FileManager.default.contents(atPath: path) else { return nil }
    return Array(data)
  }
}
