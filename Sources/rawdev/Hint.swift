import Foundation

/// The options of the command that do what a message of the library advises.
enum Hint {
  /// Advice, and what is put behind it.
  private static let options = [
    ("marked as written by rawdev; name another file", " or give --overwrite"),
    ("exists already; name another file", " or give --overwrite"),
    ("made it from another picture; name another file", " or give --overwrite"),
    ("has edited its metadata; name another file", " or give --overwrite"),
    ("and cannot be read; name another file", " or give --overwrite"),
    ("let it be replaced", " (--overwrite)"),
    ("let what it records be replaced", " (--overwrite)"),
    ("give a profile of this camera", " (--camera-profile)"),
    ("give a camera profile", " (--camera-profile FILE.dcp)"),
    ("install a newer LibRaw", " (Scripts/libraw)"),
    ("no raw; convert it", " (rawdev convert)"),
    ("give it more time", " (--timeout)"),
    ("allow more memory", " (--memory)"),
    ("raise the limit", " (--memory of develop, convert, batch and serve)"),
    ("merge it as it lies", " (--no-align)"),
    ("merge them without a search for ghosts", " (--no-deghost)"),
    ("take the picture without it", " (rawdev convert --gain-map drop)"),
    ("convert the raw, or develop it to the format dng", " (rawdev dng, --format dng)"),
    ("the pixels say levels and headroom", " (--pixels)"),
    ("migrate it first", " (rawdev recipe migrate --write)"),
    ("migrate it to the new form", " (rawdev recipe migrate)"),
    ("list the built-in recipes", " (rawdev recipe list)"),
    ("create one first", " (rawdev recipe init)"),
    ("convert it to SDR", " (rawdev convert)"),
    ("check what it holds", " (rawdev identify)"),
    ("give the metadata of the new map", " (--metadata)"),
  ]

  /// `message`, with the options for what it advises.
  static func added(to message: String) -> String {
    var message = message
    for (advice, option) in options {
      if let end = end(of: advice, in: message) { message.insert(contentsOf: option, at: end) }
    }
    return message
  }

  /// As bytes: every row of `rawdev info` is asked for all of it, and Foundation takes a tenth of
  /// that command's time to find nothing.
  private static func end(of advice: String, in message: String) -> String.Index? {
    unsafe message.withCString { text in
      unsafe strstr(text, advice).map { found in
        message.utf8.index(
          message.startIndex, offsetBy: unsafe found - UnsafeMutablePointer(mutating: text))
      }
    }.map { message.utf8.index($0, offsetBy: advice.utf8.count) }
  }
}
