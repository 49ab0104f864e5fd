import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct OpcodeListTests {
  private typealias B = OpcodeBytes
  private static let unit: [Double] = [1, 0, 0, 0, 0, 0]

  /// One of each opcode.
  static let all: [[UInt8]] = [
    OpcodeBytes.rectilinear([unit]), OpcodeBytes.fisheye([1, 0, 0, 0]),
    OpcodeBytes.vignette([0.1, 0, 0, 0, 0]), OpcodeBytes.opcode(4, OpcodeBytes.words(0, 1)),
    OpcodeBytes.opcode(5, OpcodeBytes.words(0, 1, 1, 2, 3, 1, 1, 2, 2)),
    OpcodeBytes.opcode(6, OpcodeBytes.words(0, 0, 6, 8)), OpcodeBytes.table([0, 65535]),
    OpcodeBytes.polynomial([0, 0.5]), OpcodeBytes.gainMap(1, 1, [2]),
    OpcodeBytes.lines(10, [1]), OpcodeBytes.lines(11, [1]), OpcodeBytes.lines(12, [2]),
    OpcodeBytes.lines(13, [2]), OpcodeBytes.rectilinear2([1, 0.1]),
  ]

  @Test func readsHeaderAndName() throws {
    let list = try OpcodeList(
      B.list(B.rectilinear([Self.unit], flags: 3), B.opcode(77, [1, 2], version: [1, 9, 0, 0])))
    #expect(list.opcodes.map(\.name) == ["WarpRectilinear", "opcode 77"])
    #expect(list.opcodes.map(\.isOptional) == [true, false])
    #expect(list.opcodes.map(\.isSkippedForPreview) == [true, false])
    #expect(list.opcodes.map(\.version) == [[1, 3, 0, 0], [1, 9, 0, 0]])
    #expect(list.opcodes[0].action != nil)
    #expect(list.opcodes[1].action == nil)
  }

  @Test func knowsAllFourteen() throws {
    let list = try OpcodeList(B.list(Self.all))
    #expect(list.opcodes.map(\.id) == Array(1...14))
    #expect(list.opcodes.allSatisfy { $0.action != nil })
    #expect(list.opcodes.last?.name == "WarpRectilinear2")
    #expect(list.opcodes[8].name == "GainMap")
    #expect(try OpcodeFixture.lists([], B.list(Self.all[8]), []).names == [[], ["GainMap"], []])
  }

  @Test func refusesRequiredUnknownOpcodes() throws {
    let unknown = B.list(B.opcode(99, [1]))
    let newer = B.list(B.opcode(8, [], version: [1, 8, 0, 0]))
    for (list, name) in [(unknown, "opcode 99"), (newer, "MapPolynomial")] {
      let error = try #require(throws: RAWError.self) { try OpcodeFixture.lists([], list) }
      #expect(error.code == .unsupported)
      #expect(error.message.contains(name) && error.message.contains("OpcodeList2"))
    }
    let mosaicWarp = B.list(B.rectilinear([Self.unit]))
    #expect(throws: RAWError.self) { try OpcodeFixture.lists([], mosaicWarp, isMosaic: true) }
    #expect(throws: RAWError.self) { try OpcodeFixture.lists(mosaicWarp) }
    #expect(throws: RAWError.self) { try OpcodeFixture.lists([], [], B.list(Self.all[3])) }
  }

  @Test func reportsOptionalUnknownOpcodes() throws {
    let lists = try OpcodeFixture.lists(
      [],
      B.list(
        B.opcode(99, [1], flags: 1), B.polynomial([.nan], flags: 1), B.polynomial([0, 0.5])))
    #expect(lists.unapplied == ["opcode 99 of OpcodeList2", "MapPolynomial of OpcodeList2"])
    #expect(lists.actions(.linear, OpcodeSelection()).count == 1)
  }

  /// Opcodes that would take minutes are skipped if optional, else refused.
  @Test func theirWorkIsLimited() throws {
    let full = (0..<33).map { _ in B.polynomial([0, 0.5], flags: 1) }
    let lists = try OpcodeFixture.lists([], B.list(full))
    #expect(lists.actions(.linear, OpcodeSelection()).count == 32)
    #expect(lists.unapplied == ["MapPolynomial of OpcodeList2"])
    // All lists count together, and a warp as four passes.
    let warp = B.list(B.rectilinear([[1, 0.1, 0, 0, 0, 0]], flags: 1))
    for (count, isApplied) in [(28, true), (29, false)] {
      let lists = try OpcodeFixture.lists([], B.list(Array(full.prefix(count))), warp)
      #expect(lists.unapplied.isEmpty == isApplied)
    }
    let size = PixelSize(width: 64, height: 64)
    let small = B.lines(12, [2], B.area(0, 0, 1, 1))
    _ = try OpcodeFixture.lists(B.list(Array(repeating: small, count: 512)), size: size)
    let error = try #require(throws: RAWError.self) {
      try OpcodeFixture.lists(B.list(Array(repeating: small, count: 513)), size: size)
    }
    #expect(error.code == .unsupported)
    #expect(error.message.contains("would take minutes"))
  }

  /// Positions that coincide far outside the picture cost nothing there, but a tile that depends on
  /// all of it is refused: no lens needs that.
  @Test func refusesWarpsThatNeedThePictureAtOnce() throws {
    func isApplied(_ factor: Double, _ width: Int, _ height: Int) throws -> Bool {
      let warp = B.list(B.rectilinear([[factor, -0.1, 0, 0, 0, 0]], flags: 1))
      let size = PixelSize(width: width, height: height)
      return try OpcodeFixture.lists([], [], warp, size: size).unapplied.isEmpty
    }
    #expect(try isApplied(1.05, 12000, 8000))
    #expect(try !isApplied(800, 12000, 8000))
    #expect(try !isApplied(800, 2000, 50000))
    // Of a small one it is no memory.
    #expect(try isApplied(800, 1200, 800))
  }

  /// The cost of bad pixels is the search around them: 2 passes, and 32 for each picture of them.
  @Test func badPixelsAreChargedByTheirNumber() throws {
    let size = PixelSize(width: 64, height: 64)
    /// Whether rectangles of 64 rows and these widths are repaired.
    func isApplied(_ widths: Int..., points: Int = 0) throws -> Bool {
      let spots = (0..<points).flatMap { B.words($0 % 64, $0 / 64 % 64) }
      let rects = widths.flatMap { B.words(0, 0, 64, $0) }
      let list = B.opcode(5, B.words(0, points, widths.count) + spots + rects, flags: 1)
      return try OpcodeFixture.lists([], B.list(list), size: size).unapplied.isEmpty
    }
    // 30 of 32 parts of the picture.
    #expect(try isApplied(60))
    #expect(try !isApplied(61))
    #expect(try isApplied(30, 30))
    #expect(try !isApplied(30, 31))
    #expect(try isApplied(points: 64 * 60))
    #expect(try !isApplied(points: 64 * 60 + 1))
    // Rectangles count where they are in the picture.
    #expect(try isApplied(60, 0))
    #expect(try !isApplied(100_000))
    // Of one value, as a quarter of all.
    let constant = B.opcode(4, B.words(0, 1), flags: 1)
    let lists = try OpcodeFixture.lists(
      [], B.list([[UInt8]](repeating: constant, count: 4)), size: size)
    #expect(lists.actions(.linear, OpcodeSelection()).count == 3)
  }

  /// Tiles of a lens read the picture once, tiles of a picture that is turned over little more.
  /// With an unchanged plane they read everything between both positions.
  @Test func warpsAreChargedForWhatTheyRead() throws {
    func reading(_ sets: [[Double]], _ size: PixelSize) throws -> Double {
      WarpField(
        try LensWarp.read(B.rectilinear(sets)), OpcodeFrame(size: size), size: size
      ).demand.reading
    }
    let (photo, high) = (
      PixelSize(width: 3000, height: 2000), PixelSize(width: 256, height: 2048)
    )
    let turned: [Double] = [-1, 0, 0, 0, 0, 0]
    #expect(try reading([[1.05, -0.1, 0, 0, 0, 0]], photo) < 1.2)
    #expect(try reading([[0.8, 0.15, 0, 0, 0, 0]], photo) < 1.5)
    #expect(try reading([turned], high) < 1.5)
    #expect(try reading([turned, Self.unit, turned], high) > 4)
  }

  /// A warp repeats the opcodes before it as often as it reads, recursively.
  @Test func warpsMultiplyTheirWork() throws {
    let size = PixelSize(width: 256, height: 2048)
    func applied(_ opcode: [UInt8], _ count: Int) throws -> Int {
      try OpcodeFixture.lists(
        [], [], B.list([[UInt8]](repeating: opcode, count: count)), size: size
      ).actions(.lens, OpcodeSelection()).count
    }
    let turned: [Double] = [-1, 0, 0, 0, 0, 0]
    // Alone each of them would be four passes of 32.
    let halfTurns = try applied(B.rectilinear([turned], flags: 1), 8)
    #expect(halfTurns >= 2 && halfTurns < 8)
    #expect(try applied(B.rectilinear([turned, Self.unit, turned], flags: 1), 2) < 2)
    #expect(try applied(B.rectilinear([[1.05, -0.1, 0, 0, 0, 0]], flags: 1), 4) == 4)
  }

  @Test func survivesTruncationAtEveryByte() throws {
    let full = B.list(Self.all)
    for count in 1..<full.count {
      #expect(throws: OpcodeDamage.self) { try OpcodeList(Array(full[0..<count])) }
    }
    // Data of an opcode that end early: never more than an opcode without effect.
    for opcode in Self.all {
      for count in 0..<opcode.count - 16 {
        let cut = B.opcode(Int(opcode[3]), Array(opcode[16..<16 + count]))
        #expect(try OpcodeList(B.list(cut)).opcodes[0].action == nil)
      }
    }
  }

  @Test func survivesAbsurdNumbers() throws {
    for opcode in Self.all {
      // Warps are searched for tears, which takes long without optimization.
      let isWarp = [1, 2, 14].contains(opcode[3])
      for position in stride(from: 16, to: opcode.count, by: isWarp ? 12 : 4) {
        for word: [UInt8] in [[255, 255, 255, 255], [127, 240, 0, 0], [128, 0, 0, 0]] {
          var bytes = opcode
          bytes.replaceSubrange(position..<min(position + 4, bytes.count), with: word)
          bytes[11] = 1
          for index in isWarp ? 2..<3 : 0..<3 {
            var stored = [[UInt8]](repeating: [], count: 3)
            stored[index] = B.list(bytes)
            let size = PixelSize(width: 8, height: 6)
            let lists = try OpcodeFixture.lists(stored[0], stored[1], stored[2], size: size)
            let gray = try OpcodeFixture.data(size, .linear) { x, y, s in UInt16(x * 900 + y + s) }
            let all = OpcodeSelection()
            let first = try lists.applyStored(to: gray, all, table: [], workers: 1)
            let second = try lists.trim(try lists.applyLinear(to: first, all, workers: 1))
            let values = second.linear(row: 0)
            #expect(values.allSatisfy { $0.isFinite })
            let lens = LensStage(actions: lists.actions(.lens, all), frame: lists.frame(.lens))
            let image = try OpcodeFixture.image(lists.remaining.size) { x, y, c in
              Float(x + y + c) / 20
            }
            let out = try OpcodeFixture.rendered(lens.applied(to: image, reduction: 1))
            #expect(out.size == lists.finalSize)
            #expect(out[0, 0].x.isFinite)
          }
        }
      }
    }
  }

  @Test func opcodesAreCounted() throws {
    let optional = B.opcode(4, B.words(0, 1), flags: 1)
    let list = B.list(Array(repeating: optional, count: 5))
    let picture = OpcodeLists.Picture(
      stored: PixelSize(width: 8, height: 6),
      active: PixelRect(PixelSize(width: 8, height: 6)), isMosaic: true)
    #expect(throws: Never.self) {
      try OpcodeLists([list, list, []], picture, limits: DecodeLimits(maxItems: 5))
    }
    let error = #expect(throws: RAWError.self) {
      try OpcodeLists([list, list, []], picture, limits: DecodeLimits(maxItems: 4))
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("more than 4 opcodes") == true)
  }

  @Test func refusesLongCounts() {
    #expect(throws: OpcodeDamage.self) { try OpcodeList([255, 255, 255, 255] + Self.all[0]) }
    #expect(throws: OpcodeDamage.self) { try OpcodeList([0, 0, 0]) }
    let error = #expect(throws: RAWError.self) { try OpcodeFixture.lists([0, 0, 0, 1]) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("OpcodeList1") == true)
  }

  @Test func selectionLeavesOutLensAndPreviewOpcodes() throws {
    let lists = try OpcodeFixture.lists(
      [], B.list(B.vignette([0.1, 0, 0, 0, 0]), B.gainMap(1, 1, [2], flags: 2)),
      B.list(B.rectilinear([[1.1, 0, 0, 0, 0, 0]]), B.polynomial([0, 0.5])))
    func counts(_ selection: OpcodeSelection) -> [Int] {
      OpcodeLists.Stage.allCases.map { lists.actions($0, selection).count }
    }
    // Without a mosaic nothing of list 2 moves: it has no warp.
    #expect(counts(OpcodeSelection()) == [0, 2, 2])
    #expect(counts(OpcodeSelection(correctsLens: false)) == [0, 1, 1])
    #expect(counts(OpcodeSelection(isPreview: true)) == [0, 1, 2])
    #expect(lists.correctsLens)
    let draft = OpcodeSelection(correctsLens: false, isPreview: true)
    #expect(lists.normalized(draft, for: [.linear]) == draft)
    #expect(lists.normalized(draft, for: [.lens]) == OpcodeSelection(correctsLens: false))
    #expect(lists.normalized(draft, for: [.stored]) == OpcodeSelection())
  }

  @Test func secondWarpReplacesTheFirst() throws {
    let old = B.rectilinear([[1.1, 0, 0, 0, 0, 0]])
    let new = B.rectilinear2([1.2], flags: 1)
    func count(_ list: [UInt8], _ selection: OpcodeSelection = OpcodeSelection()) throws -> Int {
      try OpcodeFixture.lists([], [], list).actions(.lens, selection).count
    }
    #expect(try count(B.list(new, old)) == 1)
    #expect(try count(B.list(B.rectilinear2([1.2]), old)) == 2)
    #expect(try count(B.list(new, B.polynomial([0, 0.5]), old)) == 3)
    #expect(try count(B.list(new, old, old)) == 2)
    // Not applied, so it replaces nothing.
    let skipped = B.rectilinear2([1.2], flags: 3)
    #expect(try count(B.list(skipped, old), OpcodeSelection(isPreview: true)) == 1)
    let unusable = B.rectilinear2([.infinity], flags: 1)
    #expect(try count(B.list(unusable, old)) == 1)
  }

  @Test func refusesWarpsThatTearThePictureApart() throws {
    let torn = B.rectilinear2([0, 0, 0, 9e9, 0, -2e10, 0, 1e10], flags: 1)
    let lists = try OpcodeFixture.lists(
      [], [], B.list(torn), size: PixelSize(width: 600, height: 400))
    #expect(lists.unapplied == ["WarpRectilinear2 of OpcodeList3"])
  }

  @Test func trimsMoveTheCorner() throws {
    let size = PixelSize(width: 20, height: 16)
    let lists = try OpcodeFixture.lists(
      B.list(B.opcode(6, B.words(3, 4, 15, 18))), B.list(B.opcode(6, B.words(1, 1, 9, 11))),
      B.list(B.opcode(6, B.words(0, 2, 7, 10))), size: size,
      active: PixelRect(x: 2, y: 2, width: 16, height: 13), isMosaic: true)
    // Active columns 4…17 and rows 3…14 of the frame, then columns 1…10 and rows 1…8 of those.
    #expect(lists.remaining == PixelRect(x: 3, y: 2, width: 10, height: 8))
    #expect(lists.finalSize == PixelSize(width: 8, height: 7))
    #expect(throws: RAWError.self) {
      try OpcodeFixture.lists(B.list(B.opcode(6, B.words(0, 0, 7, 9))))
    }
  }
}
