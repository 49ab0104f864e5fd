import Foundation

/// The last line of a file that a killed run was writing.
enum TruncatedLine {
  /// Ends the line that is not whole, so that what is appended stands in lines of its own.
  static func terminate(_ descriptor: Int32) {
    var last: UInt8 = 10
    let end = lseek(descriptor, 0, SEEK_END)
    if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != 10 {
      _ = Foundation.write(descriptor, [10], 1)
    }
  }
}
