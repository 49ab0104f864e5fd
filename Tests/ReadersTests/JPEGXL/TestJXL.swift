import CJXL
import Foundation

/// JPEG XL files by libjxl's encoder.
struct TestJXL {
  var width = 37
  var height = 21
  var bits: UInt32 = 8
  var isFloat = false
  var channels: UInt32 = 3
  var hasAlpha = false
  var isAnimated = false
  var isLossless = true
  /// 1 as stored … 8, of Exif.
  var orientation = 1
  var intensityTarget: Float = 0
  var minimumNits: Float = 0
  var primaries = JXL_PRIMARIES_SRGB
  var white = JXL_WHITE_POINT_D65
  var transfer = JXL_TRANSFER_FUNCTION_SRGB
  var gamma = 0.0
  var profile: [UInt8] = []
  /// Further settings of the encoder.
  var settings: [JxlEncoderFrameSettingId: Int64] = [:]
  /// Name, contents, whether Brotli packs them.
  var boxes: [(String, [UInt8], Bool)] = []

  /// Sample c of pixel (x, y), of all bits.
  func code(_ x: Int, _ y: Int, _ c: Int) -> Int {
    (x &* 2_654_435_761 &+ y &* 40_503 &+ c &* 977 &+ x &* y) >> 3 & ((1 << Int(bits)) - 1)
  }
  /// The same as linear values of float files, and the smooth codes of lossy ones.
  func linear(_ x: Int, _ y: Int, _ c: Int) -> Float {
    isLossless
      ? Float(x - 3) * 0.25 + Float(y * c) * 0.125
      : min(0.2 + 0.01 * Float(x) + 0.005 * Float(y * (c + 1)), 1)
  }

  private func pixels() -> [UInt8] {
    var out: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<Int(channels) + (hasAlpha ? 1 : 0) {
          if isFloat {
            withUnsafeBytes(of: linear(x, y, c)) { out += $0 }
          } else {
            let top = Float((1 << Int(bits)) - 1)
            let code = isLossless ? code(x, y, c) : Int(linear(x, y, c) * top)
            if bits <= 8 {
              out.append(UInt8(code))
            } else {
              // The encoder takes 16-bit numbers as fractions of 65535.
              let scaled = (Double(code) / Double(top) * 65_535).rounded()
              withUnsafeBytes(of: UInt16(scaled)) { out += $0 }
            }
          }
        }
      }
    }
    return out
  }

  /// The file; nil when libjxl refuses to write it.
  func bytes() -> [UInt8]? {
    guard let encoder = JxlEncoderCreate(nil) else { return nil }
    defer { JxlEncoderDestroy(encoder) }
    var info = JxlBasicInfo()
    JxlEncoderInitBasicInfo(&info)
    info.xsize = UInt32(width)
    info.ysize = UInt32(height)
    info.bits_per_sample = isFloat ? 32 : bits
    info.exponent_bits_per_sample = isFloat ? 8 : 0
    info.num_color_channels = channels
    info.uses_original_profile = isLossless ? 1 : 0
    info.orientation = JxlOrientation(rawValue: UInt32(orientation))
    if intensityTarget > 0 { info.intensity_target = intensityTarget }
    info.min_nits = minimumNits
    if hasAlpha {
      info.num_extra_channels = 1
      info.alpha_bits = info.bits_per_sample
      info.alpha_exponent_bits = info.exponent_bits_per_sample
    }
    if isAnimated {
      info.have_animation = 1
      info.animation.tps_numerator = 10
      info.animation.tps_denominator = 1
    }
    JxlEncoderSetCodestreamLevel(encoder, 10)
    if !boxes.isEmpty { JxlEncoderUseBoxes(encoder) }
    guard JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS else { return nil }
    for (name, contents, isPacked) in boxes {
      let type = name.utf8.map { CChar(truncatingIfNeeded: $0) }
      guard
        JxlEncoderAddBox(encoder, type, contents, contents.count, isPacked ? 1 : 0)
          == JXL_ENC_SUCCESS
      else { return nil }
    }
    if !boxes.isEmpty { JxlEncoderCloseBoxes(encoder) }
    if profile.isEmpty {
      var color = JxlColorEncoding()
      color.color_space = channels == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
      color.white_point = white
      color.primaries = primaries
      color.primaries_red_xy = (0.64, 0.33)
      color.primaries_green_xy = (0.21, 0.71)
      color.primaries_blue_xy = (0.15, 0.06)
      color.transfer_function = transfer
      color.gamma = gamma
      color.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
      guard JxlEncoderSetColorEncoding(encoder, &color) == JXL_ENC_SUCCESS else { return nil }
    } else {
      guard JxlEncoderSetICCProfile(encoder, profile, profile.count) == JXL_ENC_SUCCESS else {
        return nil
      }
    }
    let settings = JxlEncoderFrameSettingsCreate(encoder, nil)
    JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, 3)
    for (setting, value) in self.settings {
      guard JxlEncoderFrameSettingsSetOption(settings, setting, value) == JXL_ENC_SUCCESS else {
        return nil
      }
    }
    if isLossless {
      JxlEncoderSetFrameLossless(settings, 1)
    } else {
      JxlEncoderSetFrameDistance(settings, 0.1)
    }
    var format = JxlPixelFormat(
      num_channels: channels + (hasAlpha ? 1 : 0),
      data_type: isFloat ? JXL_TYPE_FLOAT : bits <= 8 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16,
      endianness: JXL_NATIVE_ENDIAN, align: 0)
    let pixels = pixels()
    for _ in 0..<(isAnimated ? 2 : 1) {
      if isAnimated {
        var header = JxlFrameHeader()
        JxlEncoderInitFrameHeader(&header)
        header.duration = 1
        JxlEncoderSetFrameHeader(settings, &header)
      }
      guard
        JxlEncoderAddImageFrame(settings, &format, pixels, pixels.count) == JXL_ENC_SUCCESS
      else { return nil }
    }
    JxlEncoderCloseInput(encoder)
    var out: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (status, used) = block.withUnsafeMutableBufferPointer { buffer in
        var next = buffer.baseAddress
        var left = buffer.count
        let status = JxlEncoderProcessOutput(encoder, &next, &left)
        return (status, buffer.count - left)
      }
      out += block[..<used]
      if status == JXL_ENC_SUCCESS { return out }
      guard status == JXL_ENC_NEED_MORE_OUTPUT else { return nil }
    }
  }
}
