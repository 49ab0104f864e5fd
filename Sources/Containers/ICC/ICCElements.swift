/// The processing elements of one tag (`mpet`, ICC.1:2022, clause 10.16): curves, matrices and
/// tables one after the other, counted before lcms2 gets them.
///
/// lcms2 bounds none of their counts, and all may share their bytes. It makes 4096 samples of each
/// curve when it opens the tag, passes every pixel through every element, and visits 2ⁿ nodes of a
/// table of n channels for each output value: a profile of 24 KB could take hours.
struct ICCElements {
  /// Signature, four bytes of zeros, channels in and out.
  private static let headBytes = 12

  private let file: FileBytes
  private var segments = 0
  private var samples = 0
  /// Numbers in tables.
  private var nodes = 0

  private init(_ file: FileBytes) { self.file = file }

  /// Whether the tag at `start` of the profile `file` is within the limits. False as well where its
  /// parts do not lie in the profile.
  static func areFew(in file: FileBytes, at start: Int) -> Bool {
    var elements = ICCElements(file)
    guard elements.channels(at: start) != nil, let count = elements.long(start + headBytes),
      count <= FormatLimits.profileElements
    else { return false }
    for index in 0..<count {
      guard let element = elements.position(start + headBytes + 4 + 8 * index, from: start),
        elements.add(at: element)
      else { return false }
    }
    return true
  }

  /// Counts the element at `start`; false above the limits.
  private mutating func add(at start: Int) -> Bool {
    guard file.holds(start, Self.headBytes) else { return false }
    if file.matches("cvst", at: start) {
      guard let ends = channels(at: start) else { return false }
      for index in 0..<ends.input {
        guard let curve = position(start + Self.headBytes + 8 * index, from: start),
          addCurve(at: curve)
        else { return false }
      }
      return true
    }
    if file.matches("clut", at: start) {
      guard let ends = channels(at: start) else { return false }
      return addTable(at: start, ends)
    }
    // A matrix takes as many numbers as its channels allow. lcms2 knows no other elements that have
    // an effect, and refuses the tag.
    return !file.matches("matf", at: start) || channels(at: start) != nil
  }

  /// Counts a segmented curve (`curf`): how many segments, the ends of all but the last, segments.
  /// lcms2 reads up to the first thing that it does not know, and leaves the tag.
  private mutating func addCurve(at start: Int) -> Bool {
    guard let count = short(start + 8) else { return false }
    guard file.matches("curf", at: start), count > 0 else { return true }
    segments += count
    guard segments <= FormatLimits.profileSegments else { return false }
    var position = start + Self.headBytes + 4 * (count - 1)
    for _ in 0..<count {
      guard file.holds(position, Self.headBytes) else { return false }
      if file.matches("parf", at: position) {
        guard let kind = short(position + 8) else { return false }
        guard kind <= 2 else { return true }
        position += Self.headBytes + 4 * (kind == 0 ? 4 : 5)
      } else if file.matches("samf", at: position) {
        guard let numbers = long(position + 8), numbers <= FormatLimits.profileSamples else {
          return false
        }
        samples += numbers
        guard samples <= FormatLimits.profileSamples,
          file.holds(position, Self.headBytes + 4 * numbers)
        else {
          return false
        }
        position += Self.headBytes + 4 * numbers
      } else {
        return true
      }
    }
    return true
  }

  /// Counts a table: sixteen bytes of nodes along each channel, then floats, all in the profile.
  private mutating func addTable(at start: Int, _ channels: (input: Int, output: Int)) -> Bool {
    guard channels.input <= FormatLimits.profileTableInputs,
      let sides = file.bytes(start + Self.headBytes, 16)
    else { return false }
    // At most 255 to the power of 4, times 6.
    let count = sides.prefix(channels.input).reduce(channels.output) { $0 * Int($1) }
    let room = file.count - start - Self.headBytes - 16
    guard count <= room / 4 else { return false }
    nodes += count
    return nodes <= file.count / 4
  }

  /// Channels into and out of the tag or element at `start`; nil for more than the limit.
  private func channels(at start: Int) -> (input: Int, output: Int)? {
    guard let input = short(start + 8), let output = short(start + 10),
      input <= FormatLimits.profileChannels, output <= FormatLimits.profileChannels
    else { return nil }
    return (input, output)
  }

  /// What the position at `offset` points to, counted from `start`, in 32 bits as lcms2 has it.
  private func position(_ offset: Int, from start: Int) -> Int? {
    file.integer(UInt32.self, at: offset, bigEndian: true).map {
      Int($0 &+ UInt32(truncatingIfNeeded: start))
    }
  }

  private func short(_ offset: Int) -> Int? {
    file.integer(UInt16.self, at: offset, bigEndian: true).map { Int($0) }
  }

  private func long(_ offset: Int) -> Int? {
    file.integer(UInt32.self, at: offset, bigEndian: true).map { Int($0) }
  }
}
