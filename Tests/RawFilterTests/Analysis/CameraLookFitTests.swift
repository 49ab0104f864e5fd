import Foundation
import HDRRender
import ImageCore
import Testing

@testable import RawFilter

@Suite struct CameraLookFitTests {
  private static func cells(
    _ style: (SIMD3<Double>) -> SIMD3<Double>, counts: (Int, Int) -> Bool = { _, _ in true }
  ) -> [CameraLookFit.Cell] {
    PreviewComparison(
      own: ComparedScene.picture(), preview: ComparedScene.picture(change: style), counts: counts
    ).cells
  }

  /// Mean distance of the cells, in Oklab, behind a mapping.
  private static func distance(_ cells: [CameraLookFit.Cell], _ look: CameraLook) -> Double {
    cells.reduce(0) { sum, cell in
      let miss = look(cell.own) - cell.preview
      return sum + (miss * miss).sum().squareRoot()
    } / Double(max(cells.count, 1))
  }

  @Test func aPreviewThatEqualsOurRenderingChangesNothing() throws {
    let cells = Self.cells { $0 }.map {
      CameraLookFit.Cell(own: $0.own, preview: $0.own, weight: $0.weight)
    }
    #expect(try #require(CameraLookFit.fit(cells)) == CameraLook())
    #expect(CameraLookFit.fit(Array(cells.prefix(CameraLookFit.minCells - 1))) == nil)
  }

  @Test func aStyleIsFoundOnCellsThatDidNotCount() throws {
    let look = try #require(
      CameraLookFit.fit(Self.cells(ComparedScene.style) { ($0 + $1) % 2 == 0 }))
    let others = Self.cells(ComparedScene.style) { ($0 + $1) % 2 == 1 }
    #expect(Self.distance(others, CameraLook()) > 0.02)
    #expect(Self.distance(others, look) < 0.004, "\(Self.distance(others, look))")
    #expect(look.isMonotone)
  }

  /// A tenth of the cells that show something else moves the rest by little.
  @Test func localDifferencesCountLittle() throws {
    var cells = Self.cells(ComparedScene.style)
    let sound = cells
    for index in stride(from: 0, to: cells.count, by: 10) {
      cells[index].preview = SIMD3(0.3, 0.1, -0.1)
    }
    let look = try #require(CameraLookFit.fit(cells))
    #expect(Self.distance(sound, look) < 0.25 * Self.distance(sound, CameraLook()))
  }

  /// What no cell shows is nearly as standard, and grays have no color by colors beside them.
  @Test func whatNoCellShowsStays() throws {
    let cells = Self.cells(ComparedScene.style).filter { $0.own.y > 0.02 }
    let look = try #require(CameraLookFit.fit(cells))
    let far = SIMD3(0.5, -0.15, 0.02)
    let moved = look(far) - far
    #expect((moved * moved).sum().squareRoot() < 0.03, "\(moved)")
    let gray = look(SIMD3(0.5, 0, 0))
    #expect(abs(gray.y) < 0.01 && abs(gray.z) < 0.01)
  }

  /// For any preview the mapping is monotone, and the cast is limited.
  @Test(arguments: 0..<6) func wildPreviewsAreBounded(seed: Int) throws {
    var cells = Self.cells { $0 }
    for index in cells.indices {
      let x = Double((index * 7919 + seed * 104_729) % 1000) / 1000
      cells[index].preview = SIMD3(
        abs(sin(9 * cells[index].own.x + Double(seed))), 0.3 * x - 0.1, cells[index].own.y)
    }
    let look = try #require(CameraLookFit.fit(cells))
    #expect(look.isMonotone)
    let cast = (look.cast * look.cast).sum().squareRoot()
    #expect(cast < CameraLookFit.strongestCast + 1e-4)
    let steps = (0...100).map { look.toned(Double($0) / 100) }
    #expect(steps.first == 0 && abs((steps.last ?? 0) - 1) < 1e-12)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// A cast of grays is found, and one as of a filter followed no further than it may be.
  @Test func castsAreBounded() throws {
    func cast(_ strength: Double) throws -> SIMD2<Double> {
      let cells = (0..<400).map { index in
        let own = SIMD3(
          0.2 + Double(index) / 800, Double(index % 5 - 2) / 200, Double(index % 7 - 3) / 300)
        return CameraLookFit.Cell(
          own: own, preview: own + SIMD3(0, 0.6, 0.8) * (strength * own.x), weight: 1)
      }
      return try #require(CameraLookFit.fit(cells)).cast
    }
    let (weak, strong) = (try cast(0.02), try cast(0.2))
    #expect(abs(weak.x - 0.012) < 0.004 && abs(weak.y - 0.016) < 0.004, "\(weak)")
    #expect(!CameraLookFit.isStrongest(weak) && CameraLookFit.isStrongest(strong))
  }
}
