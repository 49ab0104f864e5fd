import ImageCore

/// The blocks that Samsung's phones append to a picture: names and values, videos, further
/// pictures. The file ends with their directory, "SEFH", a version, the number of entries of 12
/// bytes, the entries (0, kind, how far before the directory the block starts, its length), then
/// the directory's length and "SEFT"; all numbers are little-endian.
enum SamsungTrailer {
  /// The start of the first block of `file`; nil where it does not end with a consistent directory.
  static func start(in file: FileBytes) -> Int? {
    func number(_ position: Int) -> Int? {
      file.integer(UInt32.self, at: position, bigEndian: false).map { Int($0) }
    }
    let end = file.count - 8
    guard file.matches("SEFT", at: end + 4), let length = number(end), length >= 12 else {
      return nil
    }
    let directory = end - length
    guard file.matches("SEFH", at: directory), let count = number(directory + 8),
      count <= min((length - 12) / 12, file.limits.maxItems)
    else { return nil }
    var start = directory
    for entry in 0..<count {
      let position = directory + 12 + 12 * entry
      guard let back = number(position + 4), let bytes = number(position + 8), bytes <= back,
        back <= directory
      else { return nil }
      start = min(start, directory - back)
    }
    return start
  }
}
