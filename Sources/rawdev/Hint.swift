/// The options of the command that do what a message of the library advises.
enum Hint {
  /// What messages end with, and what is added to it.
  private static let options = [
    "name another file": " or give --overwrite",
    "move it away, or let it be replaced": " (--overwrite)",
    "let what it records be replaced": " (--overwrite)",
    "give a profile of this camera": " (--camera-profile)",
    "give a camera profile": " (--camera-profile FILE.dcp)",
    "install a newer LibRaw": " (Scripts/install --libraw)",
    "give it more time": " (--timeout)",
    "allow more memory": " (--memory)",
    "give it more time, or run fewer at a time": " (--timeout, --jobs)",
    "or merge it as it lies": " (--no-align)",
    "merge them without a search for ghosts": " (--no-deghost)",
    "migrate it first": " (rawdev recipe migrate --write)",
  ]

  /// `message`, with the option for what it ends with.
  static func added(to message: String) -> String {
    message + (options.first { message.hasSuffix($0.key) }?.value ?? "")
  }
}
