package import ImageCore

/// The planes of a decoded picture in the memory of its decoder, before any color conversion.
/// Samples take one byte up to 8 bits, else two in native order.
package struct CodedPlanes {
  /// One plane.
  @safe package struct Plane {
    package let start: UnsafeRawPointer
    /// Bytes from one row to the next.
    package let stride: Int
    package let size: PixelSize

    package func row(_ y: Int) -> UnsafeRawPointer { unsafe start + y * stride }
  }

  package let bits: Int
  package let luma: Plane
  /// nil for gray.
  package let chroma: (cb: Plane, cr: Plane)?
  /// Horizontal and vertical subsampling of chroma as powers of two.
  package let chromaShift: (x: Int, y: Int)

  /// Whether the planes have this size, depth and layout, and every sample of it.
  func holds(_ size: PixelSize, bits: Int, isGray: Bool) -> Bool {
    let bytes = bits > 8 ? 2 : 1
    guard self.bits == bits, luma.size == size, luma.stride >= size.width * bytes else {
      return false
    }
    guard let chroma else { return isGray }
    let (width, height) = (
      (size.width + (1 << chromaShift.x) - 1) >> chromaShift.x,
      (size.height + (1 << chromaShift.y) - 1) >> chromaShift.y
    )
    return !isGray
      && [chroma.cb, chroma.cr].allSatisfy {
        $0.size.width >= width && $0.size.height >= height && $0.stride >= width * bytes
      }
  }
}
