import CJXL
import CLibDeflate
import CTurboJPEG
import ImageCore

/// Compressors for files of the tests.
enum StoredEncoder {
  struct Failure: Error {}

  /// A zlib stream of `bytes`.
  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    let compressor = libdeflate_alloc_compressor(6)
    defer { libdeflate_free_compressor(compressor) }
    return [UInt8](
      unsafeUninitializedCapacity: libdeflate_zlib_compress_bound(compressor, bytes.count)
    ) { out, count in
      count = libdeflate_zlib_compress(
        compressor, bytes, bytes.count, out.baseAddress, out.count)
    }
  }

  /// A JPEG of the best quality, without subsampling.
  static func jpeg(
    _ codes: [UInt8], _ size: PixelSize, samples: Int, isProgressive: Bool = false
  ) throws -> [UInt8] {
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var out: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let format = samples == 1 ? TJPF_GRAY : TJPF_RGB
    let sampling = samples == 1 ? TJSAMP_GRAY : TJSAMP_444
    let flags = TJFLAG_ACCURATEDCT | (isProgressive ? TJFLAG_PROGRESSIVE : 0)
    let result = tjCompress2(
      handle, codes, Int32(size.width), Int32(size.width * samples), Int32(size.height),
      format.rawValue, &out, &count, Int32(sampling.rawValue), 100, flags)
    defer { tjFree(out) }
    guard result == 0, let out else { throw Failure() }
    return Array(UnsafeBufferPointer(start: out, count: Int(count)))
  }

  /// A lossless JPEG XL codestream of numbers with these bits; optionally in a container and with
  /// an `orientation`.
  static func jpegXL(
    _ codes: [UInt32], _ size: PixelSize, samples: Int, bits: Int, isFloat: Bool = false,
    container: Bool = false, orientation: UInt32 = 1, alpha: Bool = false
  ) throws -> [UInt8] {
    guard let encoder = JxlEncoderCreate(nil) else { throw Failure() }
    defer { JxlEncoderDestroy(encoder) }
    func check(_ status: JxlEncoderStatus) throws {
      guard status == JXL_ENC_SUCCESS else { throw Failure() }
    }
    var info = JxlBasicInfo()
    JxlEncoderInitBasicInfo(&info)
    (info.xsize, info.ysize) = (UInt32(size.width), UInt32(size.height))
    info.bits_per_sample = UInt32(bits)
    info.exponent_bits_per_sample = isFloat ? (bits == 16 ? 5 : 8) : 0
    info.num_color_channels = UInt32(samples)
    info.uses_original_profile = 1
    info.orientation = JxlOrientation(orientation)
    if alpha { (info.num_extra_channels, info.alpha_bits) = (1, UInt32(bits)) }
    if container { try check(JxlEncoderUseContainer(encoder, 1)) }
    try check(JxlEncoderSetCodestreamLevel(encoder, 10))
    try check(JxlEncoderSetBasicInfo(encoder, &info))
    var color = JxlColorEncoding()
    JxlColorEncodingSetToSRGB(&color, samples == 1 ? 1 : 0)
    try check(JxlEncoderSetColorEncoding(encoder, &color))
    let settings = JxlEncoderFrameSettingsCreate(encoder, nil)
    try check(JxlEncoderSetFrameLossless(settings, 1))
    let channels = samples + (alpha ? 1 : 0)
    var format = JxlPixelFormat(
      num_channels: UInt32(channels),
      data_type: isFloat ? (bits == 16 ? JXL_TYPE_FLOAT16 : JXL_TYPE_FLOAT) : JXL_TYPE_UINT16,
      endianness: JXL_LITTLE_ENDIAN, align: 0)
    // Integers are passed in 16 bits, of which libjxl 0.7 uses the upper ones.
    let top = UInt32(1) << UInt32(min(bits, 16)) - 1
    let values = isFloat ? codes : codes.map { ($0 * 65535 + top / 2) / top }
    let width = isFloat && bits == 32 ? 4 : 2
    var bytes: [UInt8] = []
    func append(_ value: UInt32) {
      for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))) }
    }
    for (i, value) in values.enumerated() {
      append(value)
      if alpha, i % samples == samples - 1 { append(65535) }
    }
    try check(JxlEncoderAddImageFrame(settings, &format, bytes, bytes.count))
    JxlEncoderCloseInput(encoder)
    var out = [UInt8](repeating: 0, count: 4 * bytes.count + 65536)
    let room = out.count
    let left = try out.withUnsafeMutableBufferPointer { buffer -> Int in
      var next = buffer.baseAddress
      var left = room
      try check(JxlEncoderProcessOutput(encoder, &next, &left))
      return left
    }
    return Array(out.prefix(room - left))
  }
}
