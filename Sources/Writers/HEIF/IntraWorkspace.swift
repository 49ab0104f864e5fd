import Codecs
import ImageCore

/// Memory of a coder of intra pictures: the decoded samples, from which the next ones are
/// predicted, and the coded bytes. One thread at a time.
@safe final class IntraWorkspace {
  /// Samples of Cb and Cr each.
  let chromaSize: PixelSize
  private let size: PixelSize
  private let made: UnsafeMutablePointer<UInt16>
  private let sampleCount: Int
  /// Maximum bytes of the rows that are coded at a time.
  private let rowLimit: Int
  private var output: UnsafeMutableRawBufferPointer

  /// For pictures of `size`, coded `rows` rows at a time, with at most `sampleBytes` bytes per
  /// sample.
  init(_ size: PixelSize, _ chroma: ChromaFormat, rows: Int, sampleBytes: Int) throws(PixelError) {
    chromaSize =
      switch chroma {
      case .monochrome: PixelSize(width: 0, height: 0)
      case .yuv420: PixelSize(width: size.width / 2, height: size.height / 2)
      case .yuv444: size
      }
    self.size = size
    sampleCount = size.area + 2 * chromaSize.area
    rowLimit = sampleCount / (size.height / rows) * sampleBytes + 64
    unsafe made = try PixelMemory.allocate(bytes: sampleCount * MemoryLayout<UInt16>.stride)
      .assumingMemoryBound(to: UInt16.self)
    unsafe output = .allocate(byteCount: 4 * rowLimit, alignment: 1)
  }

  deinit {
    unsafe PixelMemory.deallocate(made, bytes: sampleCount * MemoryLayout<UInt16>.stride)
    unsafe output.deallocate()
  }

  var planeCount: Int { chromaSize.area > 0 ? 3 : 1 }

  func size(of plane: Int) -> PixelSize { plane == 0 ? size : chromaSize }

  /// The decoder's samples of `plane`, as consecutive rows.
  func samples(of plane: Int) -> UnsafeMutablePointer<UInt16> {
    unsafe made + (plane == 0 ? 0 : size.area + (plane - 1) * chromaSize.area)
  }

  /// The same, copied.
  func decoded(plane: Int) -> [UInt16] {
    unsafe Array(UnsafeBufferPointer(start: samples(of: plane), count: size(of: plane).area))
  }

  /// Position of the first byte.
  var start: UnsafeMutablePointer<UInt8>? {
    unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }

  /// The bytes before `end`.
  func bytes(to end: UnsafeMutablePointer<UInt8>?) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: output[..<count(to: end)])
  }

  /// Moves the bytes before `end`, and `end` with them, where there is no room for more rows.
  func makeRoom(_ end: inout UnsafeMutablePointer<UInt8>?) {
    let count = unsafe count(to: end)
    guard unsafe output.count - count < rowLimit else { return }
    let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
      byteCount: 2 * output.count, alignment: 1)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[..<count]))
    unsafe output.deallocate()
    unsafe output = larger
    unsafe end = start.map { unsafe $0 + count }
  }

  private func count(to end: UnsafeMutablePointer<UInt8>?) -> Int {
    guard let start = unsafe start, let end = unsafe end else { return 0 }
    return unsafe end - start
  }
}
