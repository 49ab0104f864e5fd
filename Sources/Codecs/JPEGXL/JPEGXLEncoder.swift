internal import CJXL
import Containers
package import ImageCore

/// Owns one libjxl encoder for one picture, and turns its error codes into errors.
///
/// libjxl 0.7 takes a picture as a whole: 16-bit code values, 6 bytes a pixel, beside its own
/// floats.
@safe package final class JPEGXLEncoder {
  private let jxl: UnsafePointer<CJXLFunctions>
  private let encoder: OpaquePointer
  private var format = JxlPixelFormat(
    num_channels: 3, data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 0)

  package init(workers: Int) throws(CodecError) {
    do { unsafe jxl = try JPEGXLLibrary.load().functions } catch { throw CodecError(error.message) }
    guard let encoder = unsafe jxl.pointee.JxlEncoderCreate(nil) else { throw Self.outOfMemory }
    unsafe self.encoder = encoder
    try unsafe check(
      jxl.pointee.JxlEncoderSetParallelRunner(
        encoder, JPEGXLLibrary.runner, UnsafeMutableRawPointer(bitPattern: workers)), "threads")
  }

  deinit { unsafe jxl.pointee.JxlEncoderDestroy(encoder) }

  private static var outOfMemory: CodecError { CodecError(JPEGXLLibrary.outOfMemory.message) }

  private func check(_ status: JxlEncoderStatus, _ what: String) throws(CodecError) {
    guard status != JXL_ENC_SUCCESS else { return }
    let code = unsafe jxl.pointee.JxlEncoderGetError(encoder).rawValue
    throw CodecError("libjxl refuses the \(what) (error \(code))")
  }

  /// What the code values mean.
  package enum Color: Sendable {
    /// Primaries, and TransferCharacteristics of ITU-T H.273, which libjxl uses.
    case codePoints(Primaries, transfer: UInt16)
    /// Primaries, and the power that linear values are raised to.
    case power(Primaries, Double)
    /// An ICC profile.
    case profile([UInt8])
  }

  /// Describes the picture. `peakNits`: luminance of code value 1.0, or of the brightest display.
  /// `hasAlpha`: alpha follows the colors of each pixel, which are not premultiplied.
  package func describe(
    _ size: PixelSize, _ color: Color, isGray: Bool = false, hasAlpha: Bool = false,
    isLossless: Bool, peakNits: Double
  ) throws(CodecError) {
    var info = JxlBasicInfo()
    unsafe jxl.pointee.JxlEncoderInitBasicInfo(&info)
    (info.xsize, info.ysize) = (UInt32(size.width), UInt32(size.height))
    info.bits_per_sample = 16
    info.num_color_channels = isGray ? 1 : 3
    (info.num_extra_channels, info.alpha_bits) = hasAlpha ? (1, 16) : (0, 0)
    format.num_channels = info.num_color_channels + info.num_extra_channels
    info.uses_original_profile = isLossless ? 1 : 0
    info.intensity_target = Float(peakNits)
    // 16-bit lossless pictures need level 10, which few readers implement fully.
    if isLossless {
      try unsafe check(jxl.pointee.JxlEncoderSetCodestreamLevel(encoder, 10), "level")
    }
    try unsafe check(jxl.pointee.JxlEncoderUseContainer(encoder, 1), "container")
    try unsafe check(jxl.pointee.JxlEncoderUseBoxes(encoder), "boxes")
    try unsafe check(jxl.pointee.JxlEncoderSetBasicInfo(encoder, &info), "size of \(size)")
    switch color {
    case .codePoints(let primaries, let transfer):
      var encoding = Self.encoding(primaries)
      if isGray { encoding.color_space = JXL_COLOR_SPACE_GRAY }
      encoding.transfer_function = JxlTransferFunction(UInt32(transfer))
      try unsafe check(jxl.pointee.JxlEncoderSetColorEncoding(encoder, &encoding), "color space")
    case .power(let primaries, let power):
      var encoding = Self.encoding(primaries)
      if isGray { encoding.color_space = JXL_COLOR_SPACE_GRAY }
      encoding.transfer_function = JXL_TRANSFER_FUNCTION_GAMMA
      encoding.gamma = power
      try unsafe check(jxl.pointee.JxlEncoderSetColorEncoding(encoder, &encoding), "color space")
    case .profile(let bytes):
      try unsafe check(
        jxl.pointee.JxlEncoderSetICCProfile(encoder, bytes, bytes.count), "ICC profile")
    }
  }

  /// A bare codestream of 8-bit `samples`, 1 or 3 interleaved channels, stored without loss. Their
  /// colors mean nothing: they are declared as sRGB.
  package static func codestream(
    _ samples: [UInt8], _ size: PixelSize, channels: Int, effort: Int, workers: Int
  ) throws -> [UInt8] {
    try unsafe samples.withUnsafeBytes {
      try unsafe codestream(
        $0, Samples(size: size, channels: channels, kind: .uint8), distance: 0, effort: effort,
        workers: workers)
    }
  }

  /// Samples without a meaning as colors.
  package struct Samples {
    package enum Kind { case uint8, uint16 }

    let size: PixelSize
    /// 1 or 3, interleaved.
    let channels: Int
    let kind: Kind

    package init(size: PixelSize, channels: Int, kind: Kind) {
      (self.size, self.channels, self.kind) = (size, channels, kind)
    }
  }

  /// The codestream of `samples` in native byte order: bare for 8 bits, else in a container, which
  /// declares level 10. `distance` 0 is lossless; else linear values are coded perceptually, by the
  /// cube root of XYB.
  package static func codestream(
    _ samples: UnsafeRawBufferPointer, _ kind: Samples, distance: Float, effort: Int,
    workers: Int
  ) throws -> [UInt8] {
    let encoder = try JPEGXLEncoder(workers: workers)
    try encoder.describe(kind, isLossless: distance == 0)
    try unsafe encoder.addPicture(samples, distance: distance, effort: effort)
    var bytes: [UInt8] = []
    try unsafe encoder.finish { unsafe bytes.append(contentsOf: $0) }
    return bytes
  }

  private func describe(_ samples: Samples, isLossless: Bool) throws(CodecError) {
    var info = JxlBasicInfo()
    unsafe jxl.pointee.JxlEncoderInitBasicInfo(&info)
    (info.xsize, info.ysize) = (UInt32(samples.size.width), UInt32(samples.size.height))
    info.bits_per_sample = samples.kind == .uint8 ? 8 : 16
    info.num_color_channels = UInt32(samples.channels)
    info.uses_original_profile = isLossless ? 1 : 0
    format.num_channels = UInt32(samples.channels)
    format.data_type = samples.kind == .uint8 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16
    if samples.kind != .uint8 && isLossless {
      try unsafe check(jxl.pointee.JxlEncoderSetCodestreamLevel(encoder, 10), "level")
    }
    try unsafe check(jxl.pointee.JxlEncoderUseContainer(encoder, 0), "bare codestream")
    try unsafe check(
      jxl.pointee.JxlEncoderSetBasicInfo(encoder, &info), "size of \(samples.size)")
    var encoding = Self.encoding(.srgb)
    if samples.channels == 1 { encoding.color_space = JXL_COLOR_SPACE_GRAY }
    encoding.transfer_function =
      samples.kind == .uint8 ? JXL_TRANSFER_FUNCTION_SRGB : JXL_TRANSFER_FUNCTION_LINEAR
    try unsafe check(jxl.pointee.JxlEncoderSetColorEncoding(encoder, &encoding), "color space")
  }

  private static func encoding(_ primaries: Primaries) -> JxlColorEncoding {
    var encoding = JxlColorEncoding()
    encoding.color_space = JXL_COLOR_SPACE_RGB
    encoding.white_point = JXL_WHITE_POINT_D65
    encoding.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
    switch primaries {
    case .bt2020: encoding.primaries = JXL_PRIMARIES_2100
    case .displayP3: encoding.primaries = JXL_PRIMARIES_P3
    case .srgb: encoding.primaries = JXL_PRIMARIES_SRGB
    case .adobeRGB, .proPhoto, .acesAP0, .acesAP1, .camera:
      let (c, white) = (primaries.chromaticities, primaries.white)
      encoding.primaries = JXL_PRIMARIES_CUSTOM
      encoding.primaries_red_xy = (c.red.x, c.red.y)
      encoding.primaries_green_xy = (c.green.x, c.green.y)
      encoding.primaries_blue_xy = (c.blue.x, c.blue.y)
      if white != .d65 {
        encoding.white_point = JXL_WHITE_POINT_CUSTOM
        encoding.white_point_xy = (white.x, white.y)
      }
    }
    return encoding
  }

  /// Adds a metadata box; `type` has four characters.
  package func addBox(_ type: String, _ contents: [UInt8]) throws(CodecError) {
    let name = Array(type.utf8).prefix(4).map { CChar(truncatingIfNeeded: $0) }
    guard name.count == 4 else { return }
    try unsafe name.withUnsafeBufferPointer { name throws(CodecError) in
      guard let start = name.baseAddress else { return }
      try unsafe check(
        jxl.pointee.JxlEncoderAddBox(encoder, start, contents, contents.count, 0), "\(type) box")
    }
  }

  /// Adds the pixels, interleaved, in native byte order: R, G and B of 16 bits, and alpha, or 8-bit
  /// samples; `distance` in just noticeable differences, 0 for lossless. `effort` 1…9.
  package func addPicture(
    _ codes: UnsafeRawBufferPointer, distance: Float, effort: Int
  ) throws(CodecError) {
    guard let options = unsafe jxl.pointee.JxlEncoderFrameSettingsCreate(encoder, nil) else {
      throw Self.outOfMemory
    }
    try unsafe check(
      jxl.pointee.JxlEncoderFrameSettingsSetOption(
        options, JXL_ENC_FRAME_SETTING_EFFORT, Int64(effort)), "effort")
    if distance > 0 {
      try unsafe check(jxl.pointee.JxlEncoderSetFrameDistance(options, distance), "distance")
    } else {
      try unsafe check(jxl.pointee.JxlEncoderSetFrameLossless(options, 1), "lossless mode")
    }
    try unsafe check(
      jxl.pointee.JxlEncoderAddImageFrame(options, &format, codes.baseAddress, codes.count),
      "pixels")
    unsafe jxl.pointee.JxlEncoderCloseInput(encoder)
  }

  /// Calls `take` with the bytes of the file, in chunks of at most 1 MiB.
  package func finish(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)
    defer { unsafe chunk.deallocate() }
    while true {
      var next = chunk.baseAddress
      var left = chunk.count
      let status = unsafe jxl.pointee.JxlEncoderProcessOutput(encoder, &next, &left)
      try unsafe take(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk)[..<(chunk.count - left)]))
      if status == JXL_ENC_SUCCESS { return }
      guard status == JXL_ENC_NEED_MORE_OUTPUT else { return try check(status, "picture") }
    }
  }
}
