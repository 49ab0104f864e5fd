internal import CDE265
import Containers
import ImageCore

/// The one owner of libde265: one picture of HEVC. One thread at a time.
///
/// Single-threaded: libde265 uses threads only for pictures coded in wavefronts or tiles, and the
/// pictures of a grid are decoded in parallel. It conceals damaged slices and warns, or leaves
/// their part out (``HEVCPictureMemory``), which is a failure here: that is not the picture.
@safe final class HEVCDecoder {
  /// Held permanently: without it each decoder rebuilds the tables of the library, which takes far
  /// longer than a small tile.
  private static let tables = de265_init()

  private let context: UnsafeMutableRawPointer

  init() throws(FormatError) {
    guard de265_isOK(Self.tables) != 0, let context = unsafe de265_new_decoder() else {
      throw StillDecoder.outOfMemory("libde265")
    }
    unsafe self.context = context
    unsafe HEVCPictureMemory.use(in: context)
  }

  deinit {
    // Fails only for a decoder that was never opened.
    _ = unsafe de265_free_decoder(context)
  }

  /// The first picture in `units`, NAL units without lengths; its memory lives as long as this
  /// object.
  func picture(_ units: [ArraySlice<UInt8>]) throws(FormatError) -> CodedPlanes {
    for unit in units {
      try unsafe check(
        unit.withUnsafeBytes {
          unsafe de265_push_NAL(
            context, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), 0, nil)
        })
    }
    try unsafe check(de265_flush_data(context))
    var more: Int32 = 1
    while more != 0 {
      more = 0
      try unsafe check(de265_decode(context, &more))
      if let image = unsafe de265_get_next_picture(context) {
        try requireNothingConcealed()
        let planes = try unsafe Self.planes(of: image)
        guard !HEVCPictureMemory.hasGap(planes.luma, bits: planes.bits) else {
          throw StillDecoder.refusal("libde265", "a part of the picture is missing")
        }
        return planes
      }
    }
    throw StillDecoder.refusal("libde265", "no picture")
  }

  private static func planes(of image: OpaquePointer) throws(FormatError) -> CodedPlanes {
    let shift: (x: Int, y: Int)
    switch unsafe de265_get_chroma_format(image) {
    case de265_chroma_420: shift = (1, 1)
    case de265_chroma_422: shift = (1, 0)
    default: shift = (0, 0)
    }
    func plane(_ channel: Int32) throws(FormatError) -> CodedPlanes.Plane {
      var stride: Int32 = 0
      guard let start = unsafe de265_get_image_plane(image, channel, &stride),
        unsafe de265_get_bits_per_pixel(image, channel) == de265_get_bits_per_pixel(image, 0)
      else { throw StillDecoder.refusal("libde265", "a plane is missing") }
      return unsafe CodedPlanes.Plane(
        start: UnsafeRawPointer(start), stride: Int(stride),
        size: PixelSize(
          width: Int(de265_get_image_width(image, channel)),
          height: Int(de265_get_image_height(image, channel))))
    }
    let isGray = unsafe de265_get_chroma_format(image) == de265_chroma_mono
    return unsafe CodedPlanes(
      bits: Int(de265_get_bits_per_pixel(image, 0)), luma: try plane(0),
      chroma: isGray ? nil : (try plane(1), try plane(2)), chromaShift: shift)
  }

  /// Warnings that say nothing of the pixels: of threads, of entry points for these, of further
  /// warnings, and of messages beside the picture.
  private static let harmless = [
    DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING, DE265_WARNING_WARNING_BUFFER_FULL,
    DE265_WARNING_INCORRECT_ENTRY_POINT_OFFSET,
    DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM,
    DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI,
  ]

  private func requireNothingConcealed() throws(FormatError) {
    while true {
      let warning = unsafe de265_get_warning(context)
      if warning == DE265_OK { return }
      guard Self.harmless.contains(warning) else { throw Self.refusal(warning) }
    }
  }

  private func check(_ error: de265_error) throws(FormatError) {
    guard de265_isOK(error) == 0 else { return }
    if error == DE265_ERROR_OUT_OF_MEMORY { throw StillDecoder.outOfMemory("libde265") }
    throw Self.refusal(error)
  }

  private static func refusal(_ error: de265_error) -> FormatError {
    let reason = unsafe de265_get_error_text(error).map { unsafe String(cString: $0) }
    return StillDecoder.refusal("libde265", reason ?? "error \(error.rawValue)")
  }
}
