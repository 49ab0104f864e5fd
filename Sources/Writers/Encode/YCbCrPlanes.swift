package import Codecs
import Formats
package import ImageCore

/// Luma, Cb and Cr of one tile as 16-bit words, padded for whole vectors of eight after each row
/// and before the first. Working memory of one thread; several may write different tiles of it.
@safe package final class YCbCrPlanes: @unchecked Sendable {
  /// Columns and rows of luma.
  package let size: PixelSize
  /// Columns and rows of Cb and Cr.
  package let chromaSize: PixelSize
  /// Words from one row of luma, and of Cb and Cr, to the next.
  private let strides: (luma: Int, chroma: Int)
  private let storage: UnsafeMutablePointer<UInt16>
  private static let front = 32
  private let bytes: Int

  package convenience init(size: PixelSize, chroma: ChromaFormat) throws(PixelError) {
    let chromaSize =
      switch chroma {
      case .monochrome: PixelSize(width: 0, height: 0)
      case .yuv420: PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
      case .yuv444: size
      }
    try self.init(size: size, chromaSize: chromaSize)
  }

  init(size: PixelSize, chromaSize: PixelSize) throws(PixelError) {
    (self.size, self.chromaSize) = (size, chromaSize)
    func stride(_ width: Int) -> Int { (width + 31) & ~15 }
    strides = (stride(size.width), stride(chromaSize.width))
    let words = strides.luma * size.height + 2 * strides.chroma * chromaSize.height
    bytes = (Self.front + words) * MemoryLayout<UInt16>.stride
    unsafe storage = try PixelMemory.allocate(bytes: bytes).assumingMemoryBound(to: UInt16.self)
  }

  deinit { unsafe PixelMemory.deallocate(storage, bytes: bytes) }

  /// Whether there are Cb and Cr.
  package var hasChroma: Bool { chromaSize.area > 0 }

  /// Words from one row of `plane` to the next.
  package func stride(_ plane: Int) -> Int { plane == 0 ? strides.luma : strides.chroma }

  /// Row `y` of `plane`: 0 luma, 1 Cb, 2 Cr. Other rows, or padding, are before and after it.
  package func row(_ plane: Int, _ y: Int) -> CodeRowView {
    precondition(
      plane >= 0 && plane < 3 && y >= 0 && y < (plane == 0 ? size : chromaSize).height,
      "row outside the planes")
    let (stride, count) = (stride(plane), (plane == 0 ? size : chromaSize).width)
    let above =
      plane == 0 ? 0 : strides.luma * size.height + (plane - 1) * stride * chromaSize.height
    let start = Self.front + above + y * stride
    return unsafe CodeRowView(
      storage + start, count: count, before: Self.front, behind: stride - count)
  }

  /// Fills the rest of all planes with the last columns and rows of the picture of `size`.
  func pad(_ size: PixelSize) {
    for plane in hasChroma ? 0..<3 : 0..<1 where size != self.size {
      let part = plane > 0 && chromaSize != self.size
      pad(
        plane, width: part ? (size.width + 1) / 2 : size.width,
        height: part ? (size.height + 1) / 2 : size.height)
    }
  }

  /// Puts `tile` at `rect`, whose first column and row are even.
  func copy(_ tile: YCbCrPlanes, to rect: PixelRect) {
    for y in 0..<rect.height {
      row(0, rect.y + y).from(rect.x).update(from: tile.row(0, y), count: rect.width)
    }
    guard hasChroma else { return }
    let step = chromaSize == size ? 1 : 2
    let (x, y) = (rect.x / step, rect.y / step)
    let part = PixelSize(
      width: (rect.width + step - 1) / step, height: (rect.height + step - 1) / step)
    for plane in 1...2 {
      for line in 0..<part.height {
        row(plane, y + line).from(x).update(from: tile.row(plane, line), count: part.width)
      }
    }
  }

  /// Fills the rest of `plane` with the last of the `width` columns and `height` rows that hold the
  /// picture.
  func pad(_ plane: Int, width: Int, height: Int) {
    let full = plane == 0 ? size : chromaSize
    for y in 0..<height where width < full.width {
      let row = row(plane, y)
      row.from(width).update(repeating: row[width - 1], count: full.width - width)
    }
    for y in min(height, full.height)..<full.height {
      row(plane, y).update(from: row(plane, height - 1), count: full.width)
    }
  }
}
