internal import CLibHEIF
import ImageCore

/// The one owner of libheif: one coded picture, HEVC or AV1, to the numbers of its planes.
///
/// Measured against planes coded without loss (HEVC and AV1; 4:0:0, 4:2:0, 4:2:2, 4:4:4; 8, 10, 12 bits):
/// the RGB of libheif 1.15.1 is right within half a code for full range, 0.46 codes too bright on average
/// for narrow range, and wrong by up to 9 % for narrow grey and narrow RGB and altogether for YCgCo of
/// more than 8 bits; what it calls YCbCr has been through RGB. Told that the matrix is the identity, it
/// hands out exactly what is coded in all these cases, chroma repeated to full size: green is luma, blue
/// Cb, red Cr. ``YCbCrDecoding`` does the rest, within half a code in all of them.
enum HEIFDecoder {
  /// Decodes the file of one picture and hands its rows to `receive`: Cr, luma, Cb side by side, in one
  /// byte up to 8 bits, else in two, native.
  static func decode(
    _ still: CodedStill, data: [UInt8], receive: (_ y: Int, UnsafeRawPointer) -> Void
  ) throws(ReadError) {
    let file = try SinglePictureFile.bytes(still, data: data)
    let failure = file.withUnsafeBytes { bytes -> ReadError? in
      do throws(ReadError) {
        try decode(still, bytes, receive)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private static func decode(
    _ still: CodedStill, _ bytes: UnsafeRawBufferPointer,
    _ receive: (_ y: Int, UnsafeRawPointer) -> Void
  ) throws(ReadError) {
    guard let context = heif_context_alloc() else {
      throw ReadError(.tooLarge, "there is not enough memory to decode it")
    }
    defer { heif_context_free(context) }
    try check(
      heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
    var handle: OpaquePointer?
    try check(heif_context_get_primary_image_handle(context, &handle))
    defer { heif_image_handle_release(handle) }
    var image: OpaquePointer?
    try check(
      heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        still.bits > 8 ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RGB, nil))
    defer { heif_image_release(image) }
    let channel = heif_channel_interleaved
    var stride: Int32 = 0
    guard let plane = heif_image_get_plane_readonly(image, channel, &stride),
      Int(heif_image_get_width(image, channel)) == still.size.width,
      Int(heif_image_get_height(image, channel)) == still.size.height,
      Int(heif_image_get_bits_per_pixel_range(image, channel)) == still.bits,
      Int(stride) >= still.size.width * 3 * (still.bits > 8 ? 2 : 1)
    else { throw ISOCursor.damaged("the coded picture is not what it says of itself") }
    for y in 0..<still.size.height { receive(y, UnsafeRawPointer(plane + y * Int(stride))) }
  }

  private static func check(_ error: heif_error) throws(ReadError) {
    guard error.code != heif_error_Ok else { return }
    // Some messages end their line.
    let words = error.message.map { String(cString: $0).split(whereSeparator: \.isWhitespace) }
    let text = words?.joined(separator: " ") ?? "error \(error.code.rawValue)"
    if error.code == heif_error_Memory_allocation_error {
      throw ReadError(.tooLarge, "libheif: \(text); reduce the picture")
    }
    if error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature
    {
      throw ReadError(
        .unsupported, "libheif: \(text); install libheif with libde265 and an AV1 decoder")
    }
    throw ISOCursor.damaged("its coded data cannot be decoded (libheif: \(text))")
  }
}
