import Containers
import ImageCore

/// A read-only view of file bytes for decoders. Like ``RowView`` it asserts its bounds in debug
/// builds, costs nothing in release builds, and does not retain its memory: it must not outlive the
/// file.
@safe struct ByteView: @unchecked Sendable {
  /// The bytes for a C library.
  let buffer: UnsafeRawBufferPointer

  init(_ buffer: UnsafeRawBufferPointer) { unsafe self.buffer = buffer }

  /// A row of working memory.
  init(_ row: SampleRow<UInt8>) { unsafe self.init(UnsafeRawBufferPointer(row.buffer)) }

  var count: Int { unsafe buffer.count }

  /// The marker segments of a JPEG.
  var jpegMarkers: JPEGMarkers { unsafe JPEGMarkers(buffer) }

  /// Whether it starts like a JPEG.
  var isJPEG: Bool { count >= 2 && self[0] == 0xFF && self[1] == 0xD8 }

  subscript(i: Int) -> UInt8 { @inline(__always) get { unsafe buffer[i] } }

  /// The number at `offset`, in native byte order.
  @inline(__always)
  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    unsafe buffer.loadUnaligned(fromByteOffset: offset, as: T.self)
  }

  /// Copies as many numbers as fit into `row`.
  func copy<T>(to row: SampleRow<T>) {
    unsafe UnsafeMutableRawBufferPointer(row.buffer).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: buffer[..<(row.count * MemoryLayout<T>.size)]))
  }

  /// The bytes starting at `start`.
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
  /// `length` bytes from `offset` on; nil if the file is too short.
  func view(_ offset: Int, _ length: Int) -> ByteView? {
    unsafe holds(offset, length)
      ? ByteView(UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + length])) : nil
  }
}
