import Foundation

/// Captures the warnings that GLib's users would print. GLib comes with lensfun; its header need
/// not be installed, so its two functions are looked up by name; without them nothing is captured.
enum GLibMessages {
  private typealias Handler =
    @convention(c) (UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, UnsafeMutableRawPointer?)
    -> Void
  private typealias SetHandler =
    @convention(c) (UnsafePointer<CChar>?, Int32, Handler, UnsafeMutableRawPointer?) -> UInt32
  private typealias RemoveHandler = @convention(c) (UnsafePointer<CChar>?, UInt32) -> Void

  /// All levels from G_LOG_LEVEL_ERROR to G_LOG_LEVEL_DEBUG.
  private static let allLevels: Int32 = 0xFC

  /// The result of `body` and the first message that it logged, on one line.
  static func during<Result>(_ body: () -> Result) -> (result: Result, message: String) {
    guard let set = dlsym(nil, "g_log_set_handler"), let remove = dlsym(nil, "g_log_remove_handler")
    else { return (body(), "") }
    var message = ""
    let result = withUnsafeMutablePointer(to: &message) { message in
      let number = unsafeBitCast(set, to: SetHandler.self)(
        nil, allLevels,
        { _, _, text, context in
          guard let text, let first = context?.assumingMemoryBound(to: String.self),
            first.pointee.isEmpty
          else { return }
          first.pointee = String(cString: text)
        }, message)
      defer { unsafeBitCast(remove, to: RemoveHandler.self)(nil, number) }
      return body()
    }
    let words = message.split { $0.isWhitespace || $0.isNewline }
    return (result, words.joined(separator: " "))
  }
}
