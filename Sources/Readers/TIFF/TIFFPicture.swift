import Codecs
import Containers
import ImageCore
import TIFFCodec

/// The sample layout of a TIFF page, and its representation as ``DecodedSamples``.
struct TIFFPicture: Sendable {
  /// The samples that libtiff decodes.
  enum Samples: Sendable, Hashable {
    /// Integers of 1…16 bits, or 32.
    case integers(bits: Int)
    case halves, floats24, floats, doubles
    /// Palette indices of `bits` bits.
    case palette(bits: Int)
    /// 8-bit RGB by libtiff's conversion of the complete page.
    case converted
  }

  let size: PixelSize
  let samples: Samples
  /// 1 gray, 3 or 4 CMYK.
  let channels: Int
  /// Stored samples of a pixel.
  let storedSamples: Int
  let isPlanar: Bool
  /// Whether 0 is white.
  let isInverted: Bool
  /// JPEG in interleaved YCbCr, SGI LogLuv: libtiff converts them to RGB, to floats.
  let isJPEG: Bool
  let isLogarithmic: Bool
  /// How L*, a* and b* are stored.
  let lab: LabCoding?
  /// Whether integers are signed: the maximum is white, values below 0 are black.
  let isSigned: Bool
  /// Whether all channels but the first are signed, -128 is 0 then.
  let hasSignedColors: Bool
  let compression: Int
  let extras: [Int]

  /// Bits of a sample as reported.
  var bits: Int {
    switch samples {
    case .integers(let bits): bits
    case .halves: 16
    case .floats24: 24
    case .floats: 32
    case .doubles: 64
    case .palette: 16
    case .converted: 8
    }
  }

  var format: DecodedSamples.Format {
    switch samples {
    case .integers(let bits): .codes(bits: min(bits, 16))
    case .halves: .halves
    case .floats24, .floats, .doubles: .floats
    case .palette: .codes(bits: 16)
    case .converted: .codes(bits: 8)
    }
  }

  /// Samples of a pixel as libtiff decodes them.
  var storedSamplesRead: Int { isLogarithmic ? channels : storedSamples }

  /// Whether the sample after the colors is alpha: 1 for premultiplied, 2 for straight.
  var hasAlpha: Bool {
    switch samples {
    case .palette, .converted: false
    default:
      !isInverted && !isLogarithmic && channels < 4
        && (extras.first == 2 || extras.first == 1 && lab == nil)
    }
  }
  var isPremultiplied: Bool { hasAlpha && extras.first == 1 }
  /// Samples of a pixel that are read.
  var readChannels: Int { channels + (hasAlpha ? 1 : 0) }

  var isFloat: Bool { format == .floats || format == .halves }

  /// Maximum samples in one byte of the file.
  var ratio: Int {
    let perByte =
      switch samples {
      case .integers(let bits), .palette(let bits): max(1, 8 / bits)
      default: 1
      }
    switch compression {
    case TIFFTag.Compression.none: return 3 * perByte
    case TIFFTag.Compression.lzw: return 4096 * perByte
    case TIFFTag.Compression.deflate, TIFFTag.Compression.oldDeflate:
      return ZlibStream.maxRatio * perByte
    case TIFFTag.Compression.packBits: return 128 * perByte
    default: return 65_536 * max(1, size.width / 1024)
    }
  }

  /// The page open in `source`.
  init(_ source: TIFFDecoder, path: String?) throws(ReadError) {
    func unsupported(_ what: String) -> ReadError {
      ReadError(.unsupported, "\(what); convert it to RGB of 8 or 16 bits or floats", path: path)
    }
    size = PixelSize(
      width: source.long(TIFFTag.imageWidth), height: source.long(TIFFTag.imageLength))
    let bits = source.short(TIFFTag.bitsPerSample)
    compression = source.short(TIFFTag.compression)
    // libjbig allocates what its own header declares, and aborts where that fails.
    guard compression != TIFFTag.Compression.jbig else {
      throw ReadError(
        .unsupported, "it is compressed by JBIG; convert it to CCITT Group 4 or Deflate",
        path: path)
    }
    guard TIFFDecoder.decodes(compression) else {
      throw unsupported("its compression \(compression) is not supported")
    }
    isPlanar = source.short(TIFFTag.planarConfiguration) == 2
    storedSamples = source.short(TIFFTag.samplesPerPixel)
    extras = source.extraSamples
    let photometric =
      source.storedShort(TIFFTag.photometricInterpretation) ?? (storedSamples < 3 ? 1 : 2)
    guard size.width > 0, size.height > 0, size.width < 1 << 31, size.height < 1 << 31,
      (1...64).contains(storedSamples)
    else {
      throw ReadError(.damaged, "its directory has inconsistent entries; copy it again", path: path)
    }
    isInverted = photometric == 0
    isLogarithmic = photometric == 32844 || photometric == 32845
    isJPEG = photometric == 6 && compression == TIFFTag.Compression.jpeg && !isPlanar
    switch photometric {
    case 0, 1, 32844: channels = 1
    case 2, 3, 6, 8, 9, 32845: channels = 3
    case 5:
      guard source.short(TIFFTag.inkSet) == 1 else {
        throw unsupported("its ink set is not CMYK")
      }
      channels = 4
    case 10: throw unsupported("its colors, ITULAB (fax L*a*b*), are not supported")
    default: throw unsupported("its photometric interpretation \(photometric) is not supported")
    }
    let kind = source.short(TIFFTag.sampleFormat)
    isSigned = kind == 2 && photometric < 3
    hasSignedColors = photometric == 8
    lab =
      photometric == 8 || photometric == 9 ? LabCoding(bits: bits, isICC: photometric == 9) : nil
    switch (photometric, bits, kind) {
    case (32844, _, _), (32845, _, _): samples = .floats
    case (6, 8, _): samples = isJPEG ? .integers(bits: 8) : .converted
    case (3, 1...16, _): samples = .palette(bits: bits)
    case (0...2, 1...16, 1), (0...2, 1...16, 4), (0...2, 32, 1), (5, 8, 1), (5, 16, 1),
      (8...9, 8, 1...2), (8...9, 16, 1...2), (1...2, 8, 2), (1...2, 16, 2), (1...2, 32, 2):
      samples = .integers(bits: bits)
    case (1...2, 16, 3): samples = .halves
    case (1...2, 24, 3): samples = .floats24
    case (1...2, 32, 3): samples = .floats
    case (1...2, 64, 3): samples = .doubles
    default:
      throw unsupported("samples of \(bits) bits (\(Self.name(kind))) are not supported")
    }
    guard samples == .converted || storedSamples >= (photometric == 3 ? 1 : channels) else {
      throw ReadError(.damaged, "its directory has inconsistent entries; copy it again", path: path)
    }
  }

  /// What samples of this SampleFormat are.
  private static func name(_ sampleFormat: Int) -> String {
    switch sampleFormat {
    case 1: "unsigned integers"
    case 2: "signed integers"
    case 3: "floats"
    case 5, 6: "complex numbers"
    default: "sample format \(sampleFormat)"
    }
  }
}
