import Foundation

/// The last line of a file to which a run was writing when it was killed.
enum TruncatedLine {
  /// Appends a line feed where the last line has none, so that the next append begins a line.
  static func terminate(_ descriptor: Int32) {
    var last: UInt8 = 10
    let end = lseek(descriptor, 0, SEEK_END)
    if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != 10 {
      _ = Foundation.write(descriptor, [10], 1)
    }
  }
}
