internal import CAOM
package import Codecs
package import Containers
package import ImageCore

/// Owns one libaom encoder for one still picture.
///
/// All-intra usage with a limit of one frame: libaom then writes the reduced header of a still
/// picture, as AVIF recommends. Constant quantizer; equal bounds keep libaom from changing it.
@safe package final class AOMCodec {
  /// Parameters of the encoder.
  package struct Settings: Sendable {
    package var size: PixelSize
    package var bits: Int
    package var chroma: ChromaFormat
    /// 1…63, of libaom's scale.
    package var quantizer: Int
    /// 0 (slow) to 9.
    package var speed: Int
    package var color: HEIFProperty.CodePoints
    /// chroma_sample_position of AV1: 0 unknown, 1 left, 2 top left.
    package var chromaPosition: UInt8
    /// With more than one the rows of blocks are coded side by side, the same for any number.
    package var threads: Int

    package init(
      size: PixelSize, bits: Int, chroma: ChromaFormat, quantizer: Int, speed: Int,
      color: HEIFProperty.CodePoints, chromaPosition: UInt8, threads: Int
    ) {
      (self.size, self.bits, self.chroma, self.quantizer) = (size, bits, chroma, quantizer)
      (self.speed, self.color, self.chromaPosition) = (speed, color, chromaPosition)
      self.threads = threads
    }

    /// Main, High or Professional.
    var profile: UInt32 { bits == 12 ? 2 : chroma == .yuv444 ? 1 : 0 }

    /// libaom's controls. Color is signalled as in the container; all blocks use one quantizer.
    var controls: [(String, UInt32, Int)] {
      [
        ("speed", UInt32(AOME_SET_CPUUSED.rawValue), speed),
        ("quantizer", UInt32(AOME_SET_CQ_LEVEL.rawValue), quantizer),
        ("tuning", UInt32(AOME_SET_TUNING.rawValue), Int(AOM_TUNE_SSIM.rawValue)),
        ("adaptive quantizer", UInt32(AV1E_SET_AQ_MODE.rawValue), 0),
        ("quantizer of blocks", UInt32(AV1E_SET_DELTAQ_MODE.rawValue), 0),
        // Its tables take up to 80 bytes a pixel, for repeated patterns that photographs lack.
        ("copies of blocks", UInt32(AV1E_SET_ENABLE_INTRABC.rawValue), 0),
        ("threads", UInt32(AV1E_SET_ROW_MT.rawValue), threads > 1 ? 1 : 0),
        ("primaries", UInt32(AV1E_SET_COLOR_PRIMARIES.rawValue), Int(color.primaries)),
        ("transfer", UInt32(AV1E_SET_TRANSFER_CHARACTERISTICS.rawValue), Int(color.transfer)),
        ("matrix", UInt32(AV1E_SET_MATRIX_COEFFICIENTS.rawValue), Int(color.matrix)),
        ("range", UInt32(AV1E_SET_COLOR_RANGE.rawValue), Int(AOM_CR_FULL_RANGE.rawValue)),
        ("siting", UInt32(AV1E_SET_CHROMA_SAMPLE_POSITION.rawValue), Int(chromaPosition)),
      ]
    }
  }

  private let codec: UnsafeMutablePointer<aom_codec_ctx_t>
  private let settings: Settings

  package init(_ settings: Settings) throws(CodecError) {
    var configuration = unsafe aom_codec_enc_cfg_t()
    guard
      unsafe aom_codec_enc_config_default(
        aom_codec_av1_cx(), &configuration, UInt32(AOM_USAGE_ALL_INTRA)) == AOM_CODEC_OK
    else {
      throw unsafe Self.failure("libaom has no encoder for stills; version 3.6 or later is needed")
    }
    unsafe configuration.g_w = UInt32(settings.size.width)
    unsafe configuration.g_h = UInt32(settings.size.height)
    unsafe configuration.g_threads = UInt32(settings.threads)
    unsafe configuration.g_limit = 1
    unsafe configuration.g_lag_in_frames = 0
    unsafe configuration.g_profile = settings.profile
    unsafe configuration.g_bit_depth = aom_bit_depth(UInt32(settings.bits))
    unsafe configuration.g_input_bit_depth = UInt32(settings.bits)
    unsafe configuration.monochrome = settings.chroma == .monochrome ? 1 : 0
    unsafe configuration.rc_end_usage = AOM_Q
    unsafe configuration.rc_min_quantizer = UInt32(settings.quantizer)
    unsafe configuration.rc_max_quantizer = UInt32(settings.quantizer)
    let codec = UnsafeMutablePointer<aom_codec_ctx_t>.allocate(capacity: 1)
    unsafe codec.initialize(to: aom_codec_ctx_t())
    let flags = settings.bits > 8 ? aom_codec_flags_t(AOM_CODEC_USE_HIGHBITDEPTH) : 0
    guard unsafe caom_open(codec, &configuration, flags) == AOM_CODEC_OK else {
      defer { unsafe codec.deallocate() }
      throw unsafe Self.failure("libaom cannot encode tiles of \(settings.size)", codec)
    }
    unsafe (self.codec, self.settings) = (codec, settings)
    for (name, control, value) in settings.controls
    where unsafe caom_set(codec, Int32(control), Int32(value)) != AOM_CODEC_OK {
      throw unsafe Self.failure("libaom refuses the \(name) \(value)", codec)
    }
  }

  deinit {
    // Fails only for a codec that was never opened.
    _ = unsafe aom_codec_destroy(codec)
    unsafe codec.deallocate()
  }

  private static func failure(
    _ what: String, _ codec: UnsafeMutablePointer<aom_codec_ctx_t>? = nil
  ) -> CodecError {
    let detail = unsafe codec.flatMap { unsafe aom_codec_error_detail($0) ?? aom_codec_error($0) }
    return unsafe CodecError(what + (detail.map { unsafe " (\(String(cString: $0)))" } ?? ""))
  }

  /// The first row of a plane, and the bytes from one to the next.
  package typealias Plane = (start: UnsafeMutablePointer<UInt8>, stride: Int)

  /// The picture in three planes as one temporal unit. For monochrome, Cb and Cr may be any
  /// readable memory.
  package func encode(_ planes: [Plane]) throws(CodecError) -> [UInt8] {
    var image = unsafe aom_image_t()
    let format: aom_img_fmt_t =
      switch (settings.chroma, settings.bits) {
      case (.yuv444, 8): AOM_IMG_FMT_I444
      case (.yuv444, _): AOM_IMG_FMT_I44416
      case (_, 8): AOM_IMG_FMT_I420
      case (_, _): AOM_IMG_FMT_I42016
      }
    let (width, height) = (UInt32(settings.size.width), UInt32(settings.size.height))
    guard unsafe planes.count == 3,
      unsafe aom_img_wrap(&image, format, width, height, 1, planes[0].start) != nil
    else { throw unsafe Self.failure("libaom takes no pictures of \(settings.size)") }
    unsafe image.bit_depth = UInt32(settings.bits)
    unsafe image.monochrome = settings.chroma == .monochrome ? 1 : 0
    unsafe image.range = AOM_CR_FULL_RANGE
    unsafe image.planes = (planes[0].start, planes[1].start, planes[2].start)
    unsafe image.stride = (
      Int32(planes[0].stride), Int32(planes[1].stride), Int32(planes[2].stride)
    )
    var unit = try unsafe push(&image)
    if unit.isEmpty { unit = try unsafe push(nil) }
    guard !unit.isEmpty else {
      throw unsafe Self.failure(
        "libaom could not encode a tile; lower the quality or free some memory")
    }
    return unit
  }

  /// Sends a picture, or nil to flush, and collects the coded data.
  private func push(_ image: UnsafeMutablePointer<aom_image_t>?) throws(CodecError) -> [UInt8] {
    guard unsafe aom_codec_encode(codec, image, 0, 1, 0) == AOM_CODEC_OK else {
      throw unsafe Self.failure("libaom could not encode a tile", codec)
    }
    var unit: [UInt8] = []
    var position: aom_codec_iter_t?
    while let packet = unsafe aom_codec_get_cx_data(codec, &position) {
      guard unsafe packet.pointee.kind == AOM_CODEC_CX_FRAME_PKT else { continue }
      let frame = unsafe packet.pointee.data.frame
      unsafe unit += UnsafeRawBufferPointer(start: frame.buf, count: frame.sz)
    }
    return unit
  }
}
