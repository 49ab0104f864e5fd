import CLibHEIF
import Foundation
import ImageCore
import Testing

@testable import Writers

/// A file of ours as libheif reads it: an independent reader, used in tests only.
struct DecodedHEIF {
  let size: PixelSize
  let bits: Int
  /// H.273 primaries, transfer, matrix and whether the range is full; empty without them or, from
  /// libheif 1.23 on, where all are unspecified, as in a gain map.
  let nclx: [Int]
  let exif: [UInt8]
  let xmp: String
  /// Interleaved RGB codes.
  let codes: [UInt16]

  struct Failure: Error { let text: String }

  init(_ bytes: [UInt8]) throws {
    guard let context = heif_context_alloc() else { throw Failure(text: "no context") }
    defer { heif_context_free(context) }
    func check(_ error: heif_error) throws {
      if error.code != heif_error_Ok { throw Failure(text: String(cString: error.message)) }
    }
    try check(heif_context_read_from_memory(context, bytes, bytes.count, nil))
    var handle: OpaquePointer?
    try check(heif_context_get_primary_image_handle(context, &handle))
    defer { heif_image_handle_release(handle) }
    size = PixelSize(
      width: Int(heif_image_handle_get_width(handle)),
      height: Int(heif_image_handle_get_height(handle)))
    bits = Int(heif_image_handle_get_luma_bits_per_pixel(handle))
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    let error = heif_image_handle_get_nclx_color_profile(handle, &profile)
    if error.code != heif_error_Color_profile_does_not_exist { try check(error) }
    nclx =
      profile.map {
        [
          Int($0.pointee.color_primaries.rawValue),
          Int($0.pointee.transfer_characteristics.rawValue),
          Int($0.pointee.matrix_coefficients.rawValue), Int($0.pointee.full_range_flag),
        ]
      } ?? []
    heif_nclx_color_profile_free(profile)
    var blocks: [String: [UInt8]] = [:]
    var ids = [heif_item_id](repeating: 0, count: 8)
    let count = heif_image_handle_get_list_of_metadata_block_IDs(handle, nil, &ids, 8)
    for id in ids.prefix(Int(count)) {
      var data = [UInt8](
        repeating: 0, count: Int(heif_image_handle_get_metadata_size(handle, id)))
      try check(heif_image_handle_get_metadata(handle, id, &data))
      blocks[String(cString: heif_image_handle_get_metadata_type(handle, id))] = data
    }
    exif = blocks["Exif"] ?? []
    xmp = String(decoding: blocks["mime"] ?? [], as: UTF8.self)
    var image: OpaquePointer?
    try check(
      heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        bits > 8 ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RGB, nil))
    defer { heif_image_release(image) }
    var stride: Int32 = 0
    let plane = try #require(
      heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride))
    var codes: [UInt16] = []
    for y in 0..<size.height {
      let row = UnsafeRawPointer(plane + y * Int(stride))
      for i in 0..<(3 * size.width) {
        codes.append(
          bits > 8
            ? row.loadUnaligned(fromByteOffset: 2 * i, as: UInt16.self)
            : UInt16(row.loadUnaligned(fromByteOffset: i, as: UInt8.self)))
      }
    }
    self.codes = codes
  }

  /// Red, green and blue code at column `x` of row `y`.
  subscript(x: Int, y: Int) -> SIMD3<Int> {
    let at = 3 * (y * size.width + x)
    return SIMD3(Int(codes[at]), Int(codes[at + 1]), Int(codes[at + 2]))
  }
}
