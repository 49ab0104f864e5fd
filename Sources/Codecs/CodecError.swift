/// Why an encoder could not do its work.
package struct CodecError: Error, Sendable, Hashable {
  /// Which library refused what, one line.
  package let message: String
  /// The error number of the system where it took no more bytes of a file; 0 elsewhere.
  package let systemError: Int32

  package init(_ message: String, systemError: Int32 = 0) {
    (self.message, self.systemError) = (message, systemError)
  }
}
