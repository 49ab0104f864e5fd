import Containers
import ImageCore

/// Bytes of a file that may only be read, as a decoder gets them. Like ``RowView`` it asserts its
/// bounds in debug builds and costs nothing in release builds, and it does not keep its memory
/// alive: it must not outlive the file.
@safe struct ByteView: @unchecked Sendable {
  /// The same for a C library.
  let buffer: UnsafeRawBufferPointer

  init(_ buffer: UnsafeRawBufferPointer) { unsafe self.buffer = buffer }

  /// A row of working memory.
  init(_ row: SampleRow<UInt8>) { unsafe self.init(UnsafeRawBufferPointer(row.buffer)) }

  var count: Int { unsafe buffer.count }

  /// The marker segments, if this is a JPEG.
  var jpegMarkers: JPEGMarkers { unsafe JPEGMarkers(buffer) }

  /// Whether it begins as a JPEG does.
  var isJPEG: Bool { count >= 2 && self[0] == 0xFF && self[1] == 0xD8 }

  subscript(i: Int) -> UInt8 { @inline(__always) get { unsafe buffer[i] } }

  /// The number whose bytes begin at `offset`, in the byte order of this machine.
  @inline(__always)
  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    unsafe buffer.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  /// Copies as many numbers as `row` has room for.
  func copy<T>(to row: SampleRow<T>) {
    unsafe UnsafeMutableRawBufferPointer(row.buffer).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: buffer[..<(row.count * MemoryLayout<T>.size)]))
  }

  /// The bytes from `start` on.
  func from(_ start: Int) -> ByteView {
    unsafe ByteView(UnsafeRawBufferPointer(rebasing: buffer[start...]))
  }

  /// The bytes in `range`.
  func part(_ range: Range<Int>) -> ByteView {
    unsafe ByteView(UnsafeRawBufferPointer(rebasing: buffer[range]))
  }

  /// A copy of the bytes in `range`.
  func bytes(_ range: Range<Int>) -> [UInt8] { unsafe Array(buffer[range]) }
}

extension FileBytes {
  /// `length` bytes from `offset` on; nil where the file has not that many.
  func view(_ offset: Int, _ length: Int) -> ByteView? {
    unsafe holds(offset, length)
      ? ByteView(UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + length])) : nil
  }
}
