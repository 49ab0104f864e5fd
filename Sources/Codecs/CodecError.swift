/// Why an encoder failed.
package struct CodecError: Error, Sendable, Hashable {
  /// Which library refused what, in one line.
  package let message: String
  /// `errno` where writing to the file failed; else 0.
  package let systemError: Int32

  package init(_ message: String, systemError: Int32 = 0) {
    (self.message, self.systemError) = (message, systemError)
  }
}
