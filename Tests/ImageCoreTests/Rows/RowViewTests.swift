import Testing

@testable import ImageCore

@Suite struct RowViewTests {
  static let ramp = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)

  @Test func rowsOfABufferHaveMarginsOnBothSides() throws {
    let buffer = try PlanarBuffer(size: PixelSize(width: 5, height: 3))
    let row = buffer.row(1, 2)
    #expect(row.count == 5 && row.before == PlanarBuffer.margin)
    #expect(row.behind >= PlanarBuffer.margin)
    row.setLanes(-8, Self.ramp)
    row.setLanes(0, Self.ramp + 10)
    #expect(row.lanes(-4) == SIMD8(4, 5, 6, 7, 10, 11, 12, 13))
    #expect(Array(row.buffer) == [10, 11, 12, 13, 14])
  }

  @Test func fromAndPrefixMoveTheBounds() throws {
    let buffer = try PlanarBuffer(size: PixelSize(width: 20, height: 1))
    let row = buffer.row(0, 0)
    for i in 0..<20 { row[i] = Float(i) }
    let part = row.from(6).prefix(4)
    #expect(part[0] == 6 && part.count == 4)
    #expect(part.before == row.before + 6)
    #expect(part.count + part.behind + 6 == row.count + row.behind)
    #expect(part.from(-6)[0] == 0)
    let read = RowView(row).from(2)
    #expect(read.lanes(0) == Self.ramp + 2)
  }

  @Test func aPlaneIsItsRows() throws {
    let buffer = try PlanarBuffer(size: PixelSize(width: 9, height: 4))
    for y in 0..<4 { buffer.row(2, y).update(repeating: Float(y), count: 9) }
    let plane = buffer.plane(2)
    for y in 0..<4 { #expect(plane[y * buffer.stride + 8] == Float(y)) }
  }

  /// `ck_halveRow` and its like read 30 samples behind rows, of the last one as well.
  @Test func kernelsFindTheirMarginsAroundEveryRow() throws {
    let buffer = try PlanarBuffer(size: PixelSize(width: 5, height: 2))
    let row = buffer.row(2, 1)
    #expect(row.kernel(5) == row.start)
    #expect(row.kernel(5, before: 16, behind: 16) == row.start)
    let plane = TilePlane()
    try plane.reshape(PixelRect(x: 3, y: 7, width: 64, height: 2))
    let last = plane.row(8)
    #expect(last.before >= TilePlane.margin && last.behind >= TilePlane.margin + TilePlane.rest)
    #expect(last.kernel(64, before: 16, behind: 30) == last.start)
  }

  /// Full vectors from the first column on; the last one covers the last column.
  @Test func vectorsCoverTheColumns() {
    #expect(Array(vectors(0)).isEmpty)
    #expect(Array(vectors(1)) == [0] && Array(vectors(8)) == [0])
    #expect(Array(vectors(17)) == [0, 8, 16])
  }

  @Test func selectTakesTheFirstWhereTheMaskIsTrue() {
    let (a, b) = (SIMD8<Float>(repeating: 1), SIMD8<Float>(repeating: 2))
    #expect(select(Self.ramp .>= 3, a, b) == SIMD8(2, 2, 2, 1, 1, 1, 1, 1))
    #expect(select(SIMD8<Float>(repeating: .nan) .>= 0, a, b) == b)
  }

  @Test func extremesOfPixels() {
    let pixels = RGBLanes(Self.ramp, 7 - Self.ramp, SIMD8(repeating: 3))
    for lane in 0..<8 {
      let channels = [Float(lane), Float(7 - lane), 3]
      #expect(pixels.highest[lane] == channels.max() && pixels.lowest[lane] == channels.min())
    }
    #expect(pixels.weighted(SIMD3(1, 1, 2)) == SIMD8(repeating: 13))
    #expect((pixels * Self.ramp).blue == Self.ramp * 3)
  }
}
