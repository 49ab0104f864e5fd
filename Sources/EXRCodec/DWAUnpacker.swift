import Codecs
import Containers

/// Unpacks the chunks of DWAA and DWAB files by any writer; the C core of OpenEXR 3.1 cannot.
///
/// Source: `ImfDwaCompressor.cpp` of OpenEXR, by DreamWorks Animation, which describes the format,
/// version 2 (``DWAPacker`` has the numbers at the head of a chunk). The rules after them select
/// the coding by the last part of a channel's name, and its type: lossy DCT, three of one prefix
/// together (``DWABlocks``), run lengths, or zlib alone. Coefficients come first, the three
/// channels together before the others; then the bytes of run lengths, each channel's in planes.
/// Version 1, from before the format's release, has no rules, and is refused. A chunk as long as
/// its pixels is stored uncompressed, line by line.
struct DWAUnpacker {
  /// A chunk that contradicts itself.
  struct Damage: Error {
    /// Whether it is of a version that is not known here.
    var isOtherVersion = false
  }

  /// A channel in a chunk: its samples are `height` rows of `width`, which begin at that byte.
  struct Plane {
    let name: String
    let sample: EXRDecoder.Sample
    /// Whether its values are coded without the curve.
    let isLinear: Bool
    /// Lines from one that has samples to the next.
    let stepY: Int
    let width: Int
    let height: Int
    let start: Int

    var byteCount: Int { width * height * sample.bytes }
  }

  private enum Scheme: Int { case zlib, dct, runs }

  private struct Rule {
    let suffix: String
    let sample: EXRDecoder.Sample
    let scheme: Scheme
    let ignoresCase: Bool
    /// Position among three channels that are coded together.
    let position: Int?
  }

  /// The samples of a chunk, plane by plane.
  static func unpack(_ chunk: [UInt8], _ planes: [Plane]) throws(Damage) -> [UInt8] {
    let size = planes.reduce(0) { $0 + $1.byteCount }
    guard chunk.count != size else { return stored(chunk, planes) }
    let parts = try Parts(chunk)
    let (schemes, triples) = classified(planes, parts.rules)
    func bytes(_ scheme: Scheme) -> Int {
      zip(planes, schemes).reduce(0) { $1.1 == scheme ? $0 + $1.0.byteCount : $0 }
    }
    var isDone = [Bool](repeating: false, count: planes.count)
    for index in triples.joined() { isDone[index] = true }
    let others = planes.indices.filter { !isDone[$0] && schemes[$0] == .dct }
    let coded = triples + others.map { [$0] }
    let blocks = coded.joined().reduce(0) {
      $0 + DWATransform.blocks(planes[$1].width, planes[$1].height)
    }
    var coefficients = DWABlocks(
      first: try parts.firstWords(blocks), rest: try parts.restWords(limit: 63 * blocks))
    var out = [UInt8](repeating: 0, count: size)
    for group in coded {
      guard coefficients.decode(group.map { planes[$0] }, into: &out) else { throw Damage() }
    }
    let other = try parts.otherSamples(bytes(.zlib))
    let runs = try parts.runSamples(bytes(.runs))
    var (otherAt, runsAt) = (0, 0)
    for (index, plane) in planes.enumerated() {
      switch schemes[index] {
      case .dct: break
      case .zlib:
        out.replaceSubrange(
          plane.start..<plane.start + plane.byteCount,
          with: other[otherAt..<otherAt + plane.byteCount])
        otherAt += plane.byteCount
      case .runs:
        let count = plane.width * plane.height
        for byte in 0..<plane.sample.bytes {
          for at in 0..<count {
            out[plane.start + at * plane.sample.bytes + byte] = runs[runsAt + byte * count + at]
          }
        }
        runsAt += plane.byteCount
      }
    }
    return out
  }

  /// Lines of all channels → planes.
  private static func stored(_ chunk: [UInt8], _ planes: [Plane]) -> [UInt8] {
    var out = chunk
    var (at, rows) = (0, [Int](repeating: 0, count: planes.count))
    var line = 0
    while at < chunk.count {
      for (index, plane) in planes.enumerated()
      where line % plane.stepY == 0 && rows[index] < plane.height {
        let bytes = plane.width * plane.sample.bytes
        let target = plane.start + rows[index] * bytes
        out.replaceSubrange(target..<target + bytes, with: chunk[at..<at + bytes])
        at += bytes
        rows[index] += 1
      }
      line += 1
    }
    return out
  }

  /// How each channel is coded, and which three are coded together, by their prefix.
  private static func classified(
    _ planes: [Plane], _ rules: [Rule]
  ) -> (schemes: [Scheme], triples: [[Int]]) {
    var schemes = [Scheme](repeating: .zlib, count: planes.count)
    var sets: [String: [Int?]] = [:]
    for (index, plane) in planes.enumerated() {
      let dot = plane.name.lastIndex(of: ".")
      let prefix = dot.map { String(plane.name[..<$0]) } ?? ""
      let suffix = dot.map { String(plane.name[plane.name.index(after: $0)...]) } ?? plane.name
      for rule in rules where rule.sample == plane.sample {
        let isNamed =
          rule.ignoresCase
          ? suffix.lowercased() == rule.suffix.lowercased() : suffix == rule.suffix
        guard isNamed else { continue }
        schemes[index] = rule.scheme
        if let position = rule.position {
          sets[prefix, default: [nil, nil, nil]][position] = index
        }
      }
    }
    let triples = sets.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { $0.value.compactMap { $0 } }
      .filter { set in
        set.count == 3
          && set.allSatisfy {
            (planes[$0].width, planes[$0].height) == (planes[set[0]].width, planes[set[0]].height)
          }
      }
    return (schemes, triples)
  }

  /// What follows on the numbers.
  private struct Parts {
    /// Version; bytes of other channels, and as stored; bytes of the coefficients after the first,
    /// of the first ones; bytes of run lengths as stored, after zlib, as samples; words of both
    /// kinds of coefficients; the coding of those after the first.
    private let numbers: [Int]
    let rules: [Rule]
    private let other, rest, first, runs: ArraySlice<UInt8>

    init(_ chunk: [UInt8]) throws(Damage) {
      var cursor = ByteCursor(chunk[...], bigEndian: false)
      numbers = (0..<DWAPacker.numbers).compactMap { _ in cursor.integer(Int.self) }
      guard numbers.count == DWAPacker.numbers, let ruleBytes = cursor.integer(UInt16.self),
        ruleBytes >= 2
      else {
        throw Damage()
      }
      guard numbers[0] == 2 else { throw Damage(isOtherVersion: 0...1 ~= numbers[0]) }
      // None counts more than a chunk of the largest picture holds.
      guard numbers.allSatisfy({ 0...Int(Int32.max) ~= $0 }) else { throw Damage() }
      func take(_ count: Int) throws(Damage) -> ArraySlice<UInt8> {
        guard let bytes = cursor.slice(count) else { throw Damage() }
        return bytes
      }
      rules = try Self.rules(take(Int(ruleBytes) - 2))
      other = try take(numbers[2])
      rest = try take(numbers[3])
      first = try take(numbers[4])
      runs = try take(numbers[5])
    }

    private static func rules(_ bytes: ArraySlice<UInt8>) throws(Damage) -> [Rule] {
      var (rules, left): ([Rule], ArraySlice<UInt8>) = ([], bytes)
      while !left.isEmpty {
        let name = left.prefix { $0 != 0 }
        left = left.dropFirst(name.count + 1)
        guard left.count >= 2, let code = left.popFirst(), let type = left.popFirst(),
          let scheme = Scheme(rawValue: Int(code >> 2) & 3), type < 3, code >> 4 <= 3
        else { throw Damage() }
        rules.append(
          Rule(
            suffix: String(decoding: name, as: UTF8.self),
            sample: [.integer, .half, .float][Int(type)], scheme: scheme,
            ignoresCase: code & 1 != 0, position: code >> 4 > 0 ? Int(code >> 4) - 1 : nil))
      }
      return rules
    }

    /// The other channels, `count` bytes.
    func otherSamples(_ count: Int) throws(Damage) -> [UInt8] {
      guard count > 0 else { return [] }
      return try Self.inflated(other, count)
    }

    /// The coefficients of each block after the first, at most `limit`.
    func restWords(limit: Int) throws(Damage) -> [UInt16] {
      let count = numbers[8]
      guard count <= limit else { throw Damage() }
      guard numbers[10] == 1 else {
        guard numbers[10] == 0, let words = EXRHuffman.decompress(rest, count: count) else {
          throw Damage()
        }
        return words
      }
      guard count > 0 else { return [] }
      return Self.words(try Self.inflated(rest, 2 * count))
    }

    private static func words(_ bytes: [UInt8]) -> [UInt16] {
      (0..<bytes.count / 2).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
    }

    /// The first coefficients, `count`.
    func firstWords(_ count: Int) throws(Damage) -> [UInt16] {
      guard numbers[9] == count else { throw Damage() }
      guard count > 0 else { return [] }
      return Self.words(EXRZip.restored(try Self.inflated(first, 2 * count)))
    }

    /// The samples that are coded by run lengths, `count` bytes: a negative count precedes that
    /// many bytes, a positive one a byte that is repeated that many more times.
    func runSamples(_ count: Int) throws(Damage) -> [UInt8] {
      guard count > 0 else { return [] }
      // For each byte at most two.
      guard numbers[7] == count, numbers[6] <= 2 * count else { throw Damage() }
      var left = try Self.inflated(runs, numbers[6])[...]
      var samples: [UInt8] = []
      samples.reserveCapacity(count)
      while let code = left.popFirst() {
        let length = Int(Int8(bitPattern: code))
        if length < 0 {
          guard left.count >= -length else { throw Damage() }
          samples += left.prefix(-length)
          left = left.dropFirst(-length)
        } else {
          guard let byte = left.popFirst() else { throw Damage() }
          samples += repeatElement(byte, count: length + 1)
        }
        guard samples.count <= count else { throw Damage() }
      }
      guard samples.count == count else { throw Damage() }
      return samples
    }

    /// A stream that holds exactly `count` bytes.
    private static func inflated(_ stream: ArraySlice<UInt8>, _ count: Int) throws(Damage)
      -> [UInt8]
    {
      guard count > 0, let bytes = ZlibStream.inflate(stream, maxBytes: count),
        bytes.count == count
      else { throw Damage() }
      return bytes
    }
  }
}
