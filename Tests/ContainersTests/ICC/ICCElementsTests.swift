import Testing

@testable import Containers

@Suite struct ICCElementsTests {
  private typealias Bytes = [UInt8]

  private static func short(_ value: Int) -> Bytes {
    UInt16(truncatingIfNeeded: value).bytes(bigEndian: true)
  }
  private static func long(_ value: Int) -> Bytes {
    UInt32(truncatingIfNeeded: value).bytes(bigEndian: true)
  }
  private static func join(_ parts: Bytes...) -> Bytes { Array(parts.joined()) }
  private static func zeros(_ count: Int) -> Bytes { Bytes(repeating: 0, count: count) }
  private static func times(_ count: Int, _ bytes: Bytes) -> Bytes {
    Array(repeatElement(bytes, count: count).joined())
  }
  private static func head(_ signature: String, _ input: Int, _ output: Int) -> Bytes {
    join(Bytes(signature.utf8), long(0), short(input), short(output))
  }

  /// A curve of `count` formulas.
  private static func formulas(_ count: Int) -> Bytes {
    let segment = join(head("parf", 0, 0), zeros(16))
    return join(head("curf", count, 0), zeros(4 * (count - 1)), times(count, segment))
  }
  /// A curve of one segment of samples, of which `there` are there.
  private static func sampled(_ count: Int, there: Int? = nil) -> Bytes {
    join(
      head("curf", 1, 0), Bytes("samf".utf8), long(0), long(count), zeros(4 * (there ?? count)))
  }
  /// Curves for each of `channels`, which are all the same bytes.
  private static func curves(_ channels: Int, _ curve: Bytes) -> Bytes {
    let position = join(long(12 + 8 * channels), long(curve.count))
    return join(head("cvst", channels, channels), times(channels, position), curve)
  }
  private static func matrix(_ input: Int, _ output: Int) -> Bytes {
    join(head("matf", input, output), zeros(4 * (input + 1) * output))
  }
  /// A table of `side` nodes along each channel, with `numbers` values present.
  private static func table(_ input: Int, _ output: Int, side: UInt8, numbers: Int) -> Bytes {
    let sides = Bytes(repeating: side, count: input)
    return join(head("clut", input, output), sides, zeros(16 - input), zeros(4 * numbers))
  }

  /// A profile whose one tag has `element` so often, with its bytes once, which are said to be
  /// `shift` bytes further on.
  private static func profile(
    _ element: Bytes, times count: Int = 1, channels: Int = 3, shift: Int = 0
  ) -> Bytes {
    let position = join(long(16 + 8 * count + shift), long(element.count))
    let tag = join(head("mpet", channels, 3), long(count), times(count, position), element)
    var bytes = zeros(ICCTagTable.headerBytes)
    bytes.replaceSubrange(36..<40, with: Bytes("acsp".utf8))
    return join(
      bytes, long(1), Bytes("D2B1".utf8), long(Self.tagStart), long(tag.count), tag)
  }
  /// After the header and a table of one row.
  private static let tagStart = ICCTagTable.headerBytes + 4 + ICCTagTable.rowBytes

  private func isAccepted(_ profile: Bytes) throws -> Bool {
    try #require(ICCTagTable(profile)).hasFewElements
  }

  @Test func genuineElementsAreFew() throws {
    for element in [
      Self.matrix(3, 3), Self.curves(3, Self.formulas(3)), Self.curves(3, Self.sampled(65_536)),
      Self.table(3, 3, side: 33, numbers: 33 * 33 * 33 * 3), Self.matrix(6, 6),
      Self.table(4, 3, side: 17, numbers: 17 * 17 * 17 * 17 * 3),
      // What lcms2 does not know costs nothing.
      Self.head("calc", 3, 3), Self.curves(3, Self.head("sngf", 0, 0)),
    ] {
      #expect(try isAccepted(Self.profile(element)))
    }
  }

  @Test func elementsAreCounted() throws {
    #expect(try isAccepted(Self.profile(Self.matrix(3, 3), times: 16)))
    #expect(try !isAccepted(Self.profile(Self.matrix(3, 3), times: 17)))
    #expect(try !isAccepted(Self.profile(Self.matrix(3, 3), times: 3000)))
  }

  @Test func channelsAreCounted() throws {
    #expect(try !isAccepted(Self.profile(Self.matrix(3, 3), channels: 15)))
    #expect(try !isAccepted(Self.profile(Self.matrix(3, 7))))
    #expect(try !isAccepted(Self.profile(Self.curves(7, Self.formulas(1)))))
    #expect(try !isAccepted(Self.profile(Self.table(5, 3, side: 2, numbers: 32 * 3))))
    #expect(try !isAccepted(Self.profile(Self.table(15, 3, side: 2, numbers: 32_768 * 3))))
  }

  /// Curves that share their bytes count each time they are used.
  @Test func segmentsAndSamplesAreCounted() throws {
    #expect(try isAccepted(Self.profile(Self.curves(4, Self.formulas(16)), times: 16)))
    #expect(try !isAccepted(Self.profile(Self.curves(4, Self.formulas(17)), times: 16)))
    #expect(try !isAccepted(Self.profile(Self.curves(1, Self.formulas(1025)))))
    #expect(try isAccepted(Self.profile(Self.curves(4, Self.sampled(1 << 14)), times: 16)))
    #expect(try !isAccepted(Self.profile(Self.curves(4, Self.sampled(1 << 14 + 1)), times: 16)))
    #expect(try !isAccepted(Self.profile(Self.curves(1, Self.sampled(.max, there: 1)))))
  }

  /// Tables are there, and not the same one over and over.
  @Test func tablesFit() throws {
    #expect(try !isAccepted(Self.profile(Self.table(3, 3, side: 255, numbers: 81))))
    #expect(try !isAccepted(Self.profile(Self.table(4, 6, side: 255, numbers: 81))))
    let complete = Self.table(3, 3, side: 9, numbers: 9 * 9 * 9 * 3)
    #expect(try isAccepted(Self.profile(complete)))
    #expect(try !isAccepted(Self.profile(complete, times: 2)))
  }

  /// Missing parts are damage. Positions are computed in 32 bits, as in lcms2.
  @Test func positionsOutsideTheProfile() throws {
    let matrix = Self.matrix(3, 3)
    #expect(try !isAccepted(Self.profile(matrix, shift: 1 << 20)))
    let profile = Self.profile(matrix)
    // The tag's number of elements, one position, and the start of an element.
    for length in Self.tagStart + 4..<Self.tagStart + 16 + 8 + 12 {
      var bytes = Array(profile.prefix(length))
      let row = ICCTagTable.headerBytes + 4
      bytes.replaceSubrange(row + 8..<row + 12, with: Self.long(length - Self.tagStart))
      #expect(try !isAccepted(bytes))
    }
    // An element before the tag, where the header is.
    var before = profile
    before.replaceSubrange(0..<12, with: Self.head("cvst", 7, 7))
    #expect(try isAccepted(before))
    before.replaceSubrange(
      Self.tagStart + 16..<Self.tagStart + 20, with: Self.long(-Self.tagStart))
    #expect(try !isAccepted(before))
  }
}
