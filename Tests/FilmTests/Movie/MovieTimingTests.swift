import Containers
import Testing

@testable import Film

struct MovieTimingTests {
  private static func runs(_ values: [(Int, Int)], extra: [UInt8] = []) -> [UInt8] {
    var box = BoxWriter()
    box.u32(0)
    box.u32(UInt32(values.count))
    for (count, value) in values {
      box.u32(UInt32(count))
      box.u32(UInt32(bitPattern: Int32(value)))
    }
    return box.bytes + extra
  }

  /// A track whose times these are, in units of 1/24000 s.
  private static func track(
    _ decoding: [(Int, Int)], _ offsets: [(Int, Int)]?, start: Int
  ) -> MovieBoxes.Box {
    var header = BoxWriter()
    for value: UInt32 in [0, 0, 0, 24_000, 99, 0] { header.u32(value) }
    var list = BoxWriter()
    for value in [0, 1, 1000, UInt32(start), 0x10000] { list.u32(value) }
    typealias Box = MovieBoxes.Box
    var table = [Box(type: "stts", head: runs(decoding))]
    if let offsets { table.append(Box(type: "ctts", head: runs(offsets))) }
    table.append(Box(type: "stsz", head: []))
    return Box(
      type: "trak", head: [],
      children: [
        Box(type: "edts", head: [], children: [Box(type: "elst", head: list.bytes)]),
        Box(
          type: "mdia", head: [],
          children: [
            Box(type: "mdhd", head: header.bytes),
            Box(
              type: "minf", head: [], children: [Box(type: "stbl", head: [], children: table)]),
          ]),
      ])
  }

  private static func table(_ track: MovieBoxes.Box) -> MovieBoxes.Box? {
    track["mdia"]?["minf"]?["stbl"]
  }

  @Test("Times that jump where segments are joined become regular, in the same order")
  func joined() throws {
    // Four frames, of which one is shown before the two that are decoded before it, and two.
    var track = Self.track(
      [(3, 1001), (1, 3003), (2, 1001)],
      [(1, 2002), (1, 4004), (1, 2002), (1, 0), (2, 0)], start: 2002)
    try MovieTiming.regulate(&track, rate: .usual)
    let table = try #require(Self.table(track))
    #expect(table["stts"]?.head == Self.runs([(6, 1001)]))
    // Shown as 0, 3, 2, 1, 4, 5; two frames later than decoded.
    #expect(table["ctts"]?.head == Self.runs([(1, 2002), (1, 4004), (1, 2002), (1, 0), (2, 2002)]))
    #expect(table.children?.map(\.type) == ["stts", "ctts", "stsz"])
    #expect(track["edts"]?["elst"]?.head[12..<16].elementsEqual([0, 0, 7, 0xD2]) == true)
    #expect(track["mdia"]?["mdhd"]?.head[16..<20].elementsEqual([0, 0, 0x17, 0x76]) == true)
  }

  @Test("Regular times stay, and roundings of a unit go")
  func regular() throws {
    var track = Self.track([(3, 1001), (1, 1002), (1, 1000), (3, 1001)], nil, start: 0)
    try MovieTiming.regulate(&track, rate: .usual)
    #expect(Self.table(track)?["stts"]?.head == Self.runs([(8, 1001)]))
    #expect(Self.table(track)?["ctts"] == nil)
  }

  @Test("Other time scales stay; tables that contradict each other are refused")
  func others() throws {
    var track = Self.track([(3, 1001)], [(2, 0)], start: 0)
    #expect(throws: FilmError.self) { try MovieTiming.regulate(&track, rate: .usual) }
    var other = Self.track([(3, 960)], nil, start: 0)
    let before = other.bytes
    try MovieTiming.regulate(&other, rate: try #require(FrameRate("7")))
    #expect(other.bytes == before)
  }
}
