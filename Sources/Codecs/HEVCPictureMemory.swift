internal import CDE265
import Foundation
import ImageCore

/// The memory of pictures that libde265 decodes into, by which parts that no slice covers are
/// noticed: the library leaves these as they were in memory, and does not always warn.
///
/// Every plane begins as repetitions of `mark`. A block of 16 × 16 luma samples or more that is not
/// covered still has the mark inside: deblocking changes up to three samples at its edges. Samples
/// above 8 bits never have such values below 15 bits; in others the odds are 2⁻⁶⁴ for each place.
/// Known failures: a smaller part that is missing, 8 × 8 samples, shows the mark, the same in every
/// reading. The library allocates pictures with sample adaptive offset itself: what is missing in
/// them without a warning is whatever was in memory.
enum HEVCPictureMemory {
  private static let mark: UInt64 = 0x5AEE_11C8_5AEE_11C8
  /// Beyond the last row, which vectors of the library may touch.
  private static let padding = 64

  /// Makes `context` decode into such memory.
  static func use(in context: UnsafeMutableRawPointer) {
    var functions = unsafe de265_image_allocation(
      get_buffer: { _, spec, image, _ in
        guard let spec = unsafe spec?.pointee, let image = unsafe image else { return 0 }
        let count: Int32 = spec.format == de265_image_format_mono8 ? 1 : 3
        let hasAll = (0..<count).allSatisfy {
          unsafe HEVCPictureMemory.makePlane($0, of: image, spec)
        }
        return hasAll ? 1 : 0
      },
      release_buffer: { _, image, _ in
        for plane in 0..<Int32(3) {
          unsafe free(de265_get_image_plane_user_data(image, plane))
          unsafe de265_set_image_plane(image, plane, nil, 0, nil)
        }
      })
    unsafe de265_set_image_allocation_functions(context, &functions, nil)
  }

  /// Whether there was memory for it.
  private static func makePlane(
    _ plane: Int32, of image: OpaquePointer, _ spec: de265_image_spec
  ) -> Bool {
    let isChroma = plane > 0
    let isNarrow =
      isChroma
      && (spec.format == de265_image_format_YUV420P8 || spec.format == de265_image_format_YUV422P8)
    let isLow = isChroma && spec.format == de265_image_format_YUV420P8
    let columns = isNarrow ? (spec.width + 1) / 2 : spec.width
    let rows = isLow ? (spec.height + 1) / 2 : spec.height
    let sample: Int32 = unsafe de265_get_bits_per_pixel(image, plane) > 8 ? 2 : 1
    // In bytes, as the library takes it.
    let alignment = max(spec.alignment, 16) * sample
    let stride = (columns * sample + alignment - 1) / alignment * alignment
    let bytes = Int(stride) * Int(rows) + padding
    var memory: UnsafeMutableRawPointer?
    guard unsafe posix_memalign(&memory, padding, bytes) == 0, let memory = unsafe memory else {
      return false
    }
    unsafe memory.initializeMemory(as: UInt64.self, repeating: mark, count: bytes / 8)
    // Freed through the user data.
    unsafe de265_set_image_plane(image, plane, memory, stride, memory)
    return true
  }

  /// Whether a part of `luma` was not decoded.
  static func hasGap(_ luma: CodedPlanes.Plane, bits: Int) -> Bool {
    let bytes = luma.size.width * (bits > 8 ? 2 : 1)
    for y in stride(from: 0, to: luma.size.height, by: 8) {
      let row = unsafe luma.row(y)
      // The mark repeats every four bytes, from aligned addresses on.
      let first = (4 - Int(bitPattern: row) % 4) % 4
      for x in stride(from: first, to: bytes - 7, by: 4)
      where unsafe row.loadUnaligned(fromByteOffset: x, as: UInt64.self) == mark { return true }
    }
    return false
  }
}
