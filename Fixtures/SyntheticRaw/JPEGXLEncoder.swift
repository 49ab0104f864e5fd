internal import CJXL
internal import ImageCore

/// JPEG XL as DNG 1.7 stores raw data: a bare codestream of one or three planes, by libjxl. The one
/// owner of its encoder.
///
/// libjxl 0.7 takes 16-bit samples for fractions of 65535, whatever the depth of the codestream; a
/// code c of b bits goes in as round(c · 65535 / (2^b − 1)) and comes out of a lossless stream the
/// same way. Lossy streams keep the planes apart (no XYB), as raw channels are no colors of a
/// display.
struct JPEGXLEncoder {
  let size: PixelSize
  let components: Int
  let bits: Int
  /// Butteraugli distance; 0 is lossless.
  let distance: Float
  /// 1 (fast) … 9.
  let effort: Int

  /// The codestream for `samples`; nil when the library fails.
  func encode(_ samples: [UInt16]) -> [UInt8]? {
    guard let encoder = unsafe JxlEncoderCreate(nil) else { return nil }
    defer { unsafe JxlEncoderDestroy(encoder) }
    var info = JxlBasicInfo()
    unsafe JxlEncoderInitBasicInfo(&info)
    info.xsize = UInt32(size.width)
    info.ysize = UInt32(size.height)
    info.bits_per_sample = UInt32(bits)
    info.num_color_channels = UInt32(components)
    info.uses_original_profile = 1
    var color = JxlColorEncoding()
    unsafe JxlColorEncodingSetToLinearSRGB(&color, components == 1 ? 1 : 0)
    guard unsafe JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS,
      unsafe JxlEncoderSetColorEncoding(encoder, &color) == JXL_ENC_SUCCESS,
      let settings = unsafe JxlEncoderFrameSettingsCreate(encoder, nil)
    else { return nil }
    let isConfigured =
      distance == 0
      ? unsafe JxlEncoderSetFrameLossless(settings, 1)
      : unsafe JxlEncoderSetFrameDistance(settings, distance)
    guard isConfigured == JXL_ENC_SUCCESS,
      unsafe JxlEncoderFrameSettingsSetOption(
        settings, JXL_ENC_FRAME_SETTING_EFFORT, Int64(effort)) == JXL_ENC_SUCCESS
    else { return nil }
    let top = (1 << UInt32(bits)) - 1
    let scaled = samples.map { UInt16((Int($0) * 65_535 + top / 2) / top) }
    var format = JxlPixelFormat(
      num_channels: UInt32(components), data_type: JXL_TYPE_UINT16,
      endianness: JXL_NATIVE_ENDIAN, align: 0)
    let added = unsafe scaled.withUnsafeBytes {
      unsafe JxlEncoderAddImageFrame(settings, &format, $0.baseAddress, $0.count)
    }
    guard added == JXL_ENC_SUCCESS else { return nil }
    unsafe JxlEncoderCloseInput(encoder)
    return unsafe output(of: encoder)
  }

  private func output(of encoder: OpaquePointer) -> [UInt8]? {
    var out: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (status, used) = unsafe part.withUnsafeMutableBufferPointer { buffer in
        var next = buffer.baseAddress
        var left = buffer.count
        let status = unsafe JxlEncoderProcessOutput(encoder, &next, &left)
        return (status, buffer.count - left)
      }
      out += part[..<used]
      if status == JXL_ENC_SUCCESS { return out }
      guard status == JXL_ENC_NEED_MORE_OUTPUT else { return nil }
    }
  }
}
