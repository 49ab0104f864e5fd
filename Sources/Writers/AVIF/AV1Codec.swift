import CAOM
import Codecs
import Formats
import ImageCore

/// Owns one libaom encoder for one still picture.
///
/// All-intra usage with a limit of one frame: libaom then writes the reduced header of a still
/// picture, which AVIF wants. Constant quantizer; equal bounds keep libaom from moving it.
final class AV1Codec {
  private let codec: UnsafeMutablePointer<aom_codec_ctx_t>
  private let settings: AV1Encoder.Settings

  init(_ settings: AV1Encoder.Settings) throws(WriteError) {
    var configuration = aom_codec_enc_cfg_t()
    guard
      aom_codec_enc_config_default(
        aom_codec_av1_cx(), &configuration, UInt32(AOM_USAGE_ALL_INTRA)) == AOM_CODEC_OK
    else { throw Self.failure("libaom has no encoder for stills; version 3.6 or later is needed") }
    configuration.g_w = UInt32(settings.size.width)
    configuration.g_h = UInt32(settings.size.height)
    configuration.g_threads = 1
    configuration.g_limit = 1
    configuration.g_lag_in_frames = 0
    configuration.g_profile = settings.profile
    configuration.g_bit_depth = aom_bit_depth(UInt32(settings.bits))
    configuration.g_input_bit_depth = UInt32(settings.bits)
    configuration.monochrome = settings.chroma == .monochrome ? 1 : 0
    configuration.rc_end_usage = AOM_Q
    configuration.rc_min_quantizer = UInt32(settings.quantizer)
    configuration.rc_max_quantizer = UInt32(settings.quantizer)
    let codec = UnsafeMutablePointer<aom_codec_ctx_t>.allocate(capacity: 1)
    codec.initialize(to: aom_codec_ctx_t())
    let flags = settings.bits > 8 ? aom_codec_flags_t(AOM_CODEC_USE_HIGHBITDEPTH) : 0
    guard caom_open(codec, &configuration, flags) == AOM_CODEC_OK else {
      defer { codec.deallocate() }
      throw Self.failure("libaom cannot encode tiles of \(settings.size)", codec)
    }
    (self.codec, self.settings) = (codec, settings)
    for (name, control, value) in settings.controls
    where caom_set(codec, Int32(control), Int32(value)) != AOM_CODEC_OK {
      throw Self.failure("libaom refuses the \(name) \(value)", codec)
    }
  }

  deinit {
    // Refused for a codec that was never opened only.
    _ = aom_codec_destroy(codec)
    codec.deallocate()
  }

  static func failure(
    _ what: String, _ codec: UnsafeMutablePointer<aom_codec_ctx_t>? = nil
  ) -> WriteError {
    let detail = codec.flatMap { aom_codec_error_detail($0) ?? aom_codec_error($0) }
    return WriteError(
      .encoderFailed, what + (detail.map { " (\(String(cString: $0)))" } ?? ""))
  }

  /// The first row of a plane, and the bytes from one to the next.
  typealias Plane = (start: UnsafeMutablePointer<UInt8>, stride: Int)

  /// The picture in three planes as one temporal unit. Of one
  /// channel, Cb and Cr may be anything that can be read.
  func encode(_ planes: [Plane]) throws(WriteError) -> [UInt8] {
    var image = aom_image_t()
    let format: aom_img_fmt_t =
      switch (settings.chroma, settings.bits) {
      case (.yuv444, 8): AOM_IMG_FMT_I444
      case (.yuv444, _): AOM_IMG_FMT_I44416
      case (_, 8): AOM_IMG_FMT_I420
      case (_, _): AOM_IMG_FMT_I42016
      }
    let (width, height) = (UInt32(settings.size.width), UInt32(settings.size.height))
    guard planes.count == 3, aom_img_wrap(&image, format, width, height, 1, planes[0].start) != nil
    else { throw Self.failure("libaom takes no pictures of \(settings.size)") }
    image.bit_depth = UInt32(settings.bits)
    image.monochrome = settings.chroma == .monochrome ? 1 : 0
    image.range = AOM_CR_FULL_RANGE
    image.planes = (planes[0].start, planes[1].start, planes[2].start)
    image.stride = (Int32(planes[0].stride), Int32(planes[1].stride), Int32(planes[2].stride))
    var unit = try push(&image)
    if unit.isEmpty { unit = try push(nil) }
    guard !unit.isEmpty else {
      throw Self.failure("libaom could not encode a tile; lower the quality or free some memory")
    }
    return unit
  }

  /// Hands over a picture, or the end of them, and takes what is coded.
  private func push(_ image: UnsafeMutablePointer<aom_image_t>?) throws(WriteError) -> [UInt8] {
    guard aom_codec_encode(codec, image, 0, 1, 0) == AOM_CODEC_OK else {
      throw Self.failure("libaom could not encode a tile", codec)
    }
    var unit: [UInt8] = []
    var position: aom_codec_iter_t?
    while let packet = aom_codec_get_cx_data(codec, &position) {
      guard packet.pointee.kind == AOM_CODEC_CX_FRAME_PKT else { continue }
      let frame = packet.pointee.data.frame
      unit += UnsafeRawBufferPointer(start: frame.buf, count: frame.sz)
    }
    return unit
  }
}
