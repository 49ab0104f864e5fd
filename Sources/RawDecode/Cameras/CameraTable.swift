import Synchronization

/// Published data about cameras of 2019 and later, for cameras unknown to the installed LibRaw. The
/// part of ``data`` for one maker is parsed when one of its cameras is first looked up: parsing all
/// of it takes some milliseconds.
package enum CameraTable {
  /// Levels from an ISO speed upward: one for all channels, or red, green, blue and second green.
  struct Levels: Hashable {
    var iso: Double
    var values: [Double]
  }

  /// An area of the stored picture; sizes of 0 or less count from the opposite edge.
  struct Area: Hashable {
    var numbers: [Int]
    /// Columns and rows of the stored picture that it applies to; empty for any.
    var frame: [Int] = []
  }

  /// A value with its origin.
  struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
    var value: Value
    var origin: String
  }

  /// One camera.
  struct Camera: Sendable {
    var make: String
    var model: String
    /// Other names of the model.
    var aliases: [String] = []
    var year: Int
    /// File type: `CR3`, `DNG`, …
    var files: String
    /// Storage formats that not every decoder supports; see `Scripts/camera_roster.txt`.
    var notes: [String]
    /// XYZ under D65 to camera values, row by row.
    var daylight: Sourced<[Double]>?
    /// The same under illuminant A, from the same calibration.
    var tungsten: Sourced<[Double]>?
    var black: Sourced<[Levels]>?
    var white: Sourced<[Levels]>?
    var crops: Sourced<[Area]>?

    var name: String { "\(make) \(model)" }
    var keys: [CameraKey] {
      ([model] + aliases).map { CameraKey(make: make, model: $0) }
    }
  }

  /// All cameras, sorted by maker and model.
  static let cameras = parse(data)
  private static let known = Mutex<[String: [CameraKey: Camera]]>([:])

  /// The camera with one of the `keys`.
  static func camera(_ keys: [CameraKey]) -> Camera? {
    keys.lazy.compactMap { cameras(of: $0.maker)[$0] }.first
  }

  /// The cameras of one maker, by key.
  private static func cameras(of maker: String) -> [CameraKey: Camera] {
    known.withLock { known in
      if let cameras = known[maker] { return cameras }
      let cameras = Dictionary(
        parse(text(of: maker)).flatMap { camera in camera.keys.map { ($0, camera) } },
        uniquingKeysWith: { a, _ in a })
      known[maker] = cameras
      return cameras
    }
  }

  /// The consecutive lines of ``data`` about one maker's cameras.
  private static func text(of maker: String) -> String {
    let space = UInt8(ascii: " ")
    var (word, isWanted) = (Substring().utf8, false)
    var lines: [Substring.UTF8View] = []
    for line in data.utf8.split(separator: UInt8(ascii: "\n")) {
      if let first = line.first, first != space {
        let name = line.prefix { $0 != UInt8(ascii: "|") }
        if !name.elementsEqual(word) {
          word = name
          isWanted = CameraKey(make: String(Substring(name)), model: "").maker == maker
        }
      }
      if isWanted { lines.append(line) }
    }
    return lines.map { String(Substring($0)) }.joined(separator: "\n")
  }

  /// The cameras described by `text`; invalid lines are skipped.
  static func parse(_ text: String) -> [Camera] {
    var cameras: [Camera] = []
    var entry = ""
    func close() {
      if !entry.isEmpty, !cameras.isEmpty { cameras[cameras.count - 1].add(entry) }
      entry = ""
    }
    for line in text.split(separator: "\n") {
      if line.hasPrefix("    ") {
        entry += " " + line.dropFirst(4)
      } else if line.hasPrefix("  ") {
        close()
        entry = String(line.dropFirst(2))
      } else {
        close()
        if let camera = Camera(line) { cameras.append(camera) }
      }
    }
    close()
    return cameras
  }
}

extension CameraTable.Camera {
  /// Parses a line without indentation.
  fileprivate init?(_ line: Substring) {
    let parts = line.fields(" | ")
    guard parts.count >= 4, let year = Int(parts[2]) else { return nil }
    self.init(
      make: parts[0], model: parts[1], year: year, files: parts[3],
      notes: parts.count > 4 ? parts[4].fields(", ") : [])
  }

  /// Adds the value of an indented line.
  fileprivate mutating func add(_ line: String) {
    let word = line.prefix { $0 != " " }
    let rest = line.dropFirst(word.count + 1)
    if word == "also" {
      aliases = rest.fields("; ")
      return
    }
    let parts = rest.fields(" | ")
    guard parts.count == 2 else { return }
    let words = parts[0].split(separator: " ")
    // Other sources of the same value are in brackets.
    let origin = String(parts[1].prefix { $0 != "[" }).trimmed
    switch word {
    case "D65", "A":
      let numbers = words.compactMap { Double($0) }.map { $0 / 10_000 }
      guard numbers.count == 9 else { return }
      if word == "A" {
        tungsten = .init(value: numbers, origin: origin)
      } else {
        daylight = .init(value: numbers, origin: origin)
      }
    case "black", "white":
      let levels = words.compactMap { word -> CameraTable.Levels? in
        let pair = word.split(separator: ":")
        guard pair.count == 2, let iso = Double(pair[0]) else { return nil }
        let values = pair[1].split(separator: "/").compactMap { Double($0) }
        return values.isEmpty ? nil : CameraTable.Levels(iso: iso, values: values)
      }
      guard levels.count == words.count else { return }
      if word == "black" {
        black = .init(value: levels, origin: origin)
      } else {
        white = .init(value: levels, origin: origin)
      }
    case "crop":
      let halves = words.split { $0 == "of" }.map { $0.compactMap { Int($0) } }
      guard let numbers = halves.first else { return }
      let area = CameraTable.Area(numbers: numbers, frame: halves.count > 1 ? halves[1] : [])
      crops = .init(value: (crops?.value ?? []) + [area], origin: origin)
    default: break
    }
  }
}

extension StringProtocol {
  /// The fields between `separator`, trimmed.
  fileprivate func fields(_ separator: String) -> [String] {
    var parts: [String] = []
    var rest = Substring(self)
    while let found = rest.firstRange(of: separator) {
      parts.append(String(rest[..<found.lowerBound]).trimmed)
      rest = rest[found.upperBound...]
    }
    return parts + [String(rest).trimmed]
  }

  fileprivate var trimmed: String {
    let text = drop { $0 == " " }
    return String(
      text[..<(text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex)])
  }
}
