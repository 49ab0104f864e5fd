internal import CAOM
import Codecs
package import Containers

/// The owner of libaom's decoder, which checks whether the data of a picture are complete.
///
/// Source: AV1 bitstream specification 8.2.4: after its last symbol a tile has one set bit, then
/// zeros to its end. No other damage can be detected, as AV1 has no checksums. libdav1d 1.0 decodes
/// such tiles without an error, 1.5 refuses only those that are read past their end. Known
/// failures: two thirds of single changed bits are not detected.
///
/// Takes two to three times as long as libdav1d, on one thread: rows side by side would take
/// 70 bytes a pixel.
@safe package final class AOMCheck {
  /// Bytes for each pixel while a picture is decoded: 15 with 4:2:0, 18.5 with 4:4:4, of any depth.
  package static let bytesPerPixel = 20

  private let codec: UnsafeMutablePointer<aom_codec_ctx_t>

  package init() throws(FormatError) {
    let codec = UnsafeMutablePointer<aom_codec_ctx_t>.allocate(capacity: 1)
    unsafe codec.initialize(to: aom_codec_ctx_t())
    unsafe self.codec = codec
    var settings = aom_codec_dec_cfg_t(threads: 1, w: 0, h: 0, allow_lowbitdepth: 1)
    try check(unsafe caom_open_decoder(codec, &settings))
    // Film grain is added to decoded pixels, which are not used.
    try check(unsafe caom_set(codec, Int32(AV1D_SET_SKIP_FILM_GRAIN.rawValue), 1))
  }

  deinit {
    // Fails only for a codec that was never opened.
    _ = unsafe aom_codec_destroy(codec)
    unsafe codec.deallocate()
  }

  /// Fails when the picture in `units`, a temporal unit that libdav1d decodes, is damaged.
  package func check(_ units: [UInt8]) throws(FormatError) {
    try check(
      unsafe units.withUnsafeBufferPointer {
        unsafe aom_codec_decode(codec, $0.baseAddress, $0.count, nil)
      })
  }

  private func check(_ status: aom_codec_err_t) throws(FormatError) {
    switch status {
    // What libaom knows nothing of is no damage.
    case AOM_CODEC_OK, AOM_CODEC_UNSUP_BITSTREAM, AOM_CODEC_UNSUP_FEATURE: return
    case AOM_CODEC_MEM_ERROR: throw StillDecoder.outOfMemory("libaom")
    default:
      let detail = unsafe aom_codec_error_detail(codec) ?? aom_codec_err_to_string(status)
      throw StillDecoder.refusal(
        "libaom", unsafe detail.map { unsafe String(cString: $0) } ?? "no reason given")
    }
  }
}
