import CTIFF

/// What libtiff said of one handle, instead of printing it: the last error, one printable line,
/// empty while there was none. One thread at a time, and alive as long as the handle.
@safe final class TIFFMessage {
  private let stored: UnsafeMutablePointer<ctiff_message>

  init() {
    unsafe stored = .allocate(capacity: 1)
    unsafe stored.initialize(to: ctiff_message())
  }

  deinit { unsafe stored.deallocate() }

  /// Collects what handles opened with `options` say.
  func collect(_ options: OpaquePointer) { unsafe ctiff_collect(options, stored) }

  /// Forgets what was said.
  func clear() { unsafe stored.pointee = ctiff_message() }

  /// Whether nothing was said since ``clear()``.
  var isEmpty: Bool { unsafe stored.pointee.text.0 == 0 }

  var text: String {
    unsafe withUnsafeBytes(of: stored.pointee.text) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
