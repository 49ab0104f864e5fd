/// The options of the command that do what a message of the library advises.
enum Hint {
  /// What messages end with, and the option for it.
  private static let options = [
    "name another file": " or give --overwrite"
  ]

  /// `message`, with the option for what it ends with.
  static func added(to message: String) -> String {
    message + (options.first { message.hasSuffix($0.key) }?.value ?? "")
  }
}
