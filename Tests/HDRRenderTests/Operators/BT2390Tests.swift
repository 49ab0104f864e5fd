import Foundation
import ImageCore
import Testing

@testable import HDRRender

struct BT2390Tests {
  private func run(_ colors: [SIMD3<Float>], _ curve: BT2390) throws -> [SIMD3<Float>] {
    let buffer = try PlanarBuffer(size: PixelSize(width: colors.count, height: 1))
    for (x, color) in colors.enumerated() {
      for plane in 0..<3 { buffer.row(plane, 0)[x] = color[plane] }
    }
    let rows = (0..<3).map { buffer.row($0, 0) }
    curve.apply(buffer.rows(0))
    return colors.indices.map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) }
  }

  @Test(
    "The EETF has the values of BT.2390",
    arguments: [
      (1000.0, 203.0, 100.0, 99.361), (1000, 203, 203, 159.042), (1000, 203, 400, 193.609),
      (1000, 203, 1000, 203), (1000, 100, 50, 46.143), (1000, 100, 203, 88.244),
      (4000, 1000, 400, 400), (4000, 1000, 1000, 814.613), (10_000, 1000, 400, 394.001),
      (10_000, 1000, 1000, 713.332), (10_000, 1000, 4000, 979.799),
    ])
  func eetf(source: Double, target: Double, nits: Double, wanted: Double) throws {
    let curve = try #require(BT2390(sourceNits: source, targetNits: target))
    #expect(abs(curve.nits(nits) - wanted) < 0.01)
    let color = SIMD3<Float>(0.25, 1, 0.5) * Float(nits / ReferenceWhite.nits)
    let out = try run([color], curve)[0]
    #expect(abs(Double(out.y) * ReferenceWhite.nits / wanted - 1) < 2e-4)
    #expect(abs(out.x / out.y - 0.25) < 1e-6)
  }

  @Test("From 1000 to 203 cd/m² the knee lies at 87.84 cd/m²")
  func knee() throws {
    let curve = try #require(BT2390(sourceNits: 1000, targetNits: 203))
    #expect(curve.nits(87.83) == 87.83 && curve.nits(87.87) < 87.87)
    let maxLum = PQ.signal(nits: 203) / PQ.signal(nits: 1000)
    #expect(abs(PQ.signal(nits: 87.84) / PQ.signal(nits: 1000) - (1.5 * maxLum - 0.5)) < 1e-5)
    #expect(abs(1.5 * maxLum - 0.5 - 0.65856) < 1e-5)
  }

  @Test("The EETF keeps values below its knee, and is nil where none is needed")
  func eetfNeutral() throws {
    #expect(BT2390(sourceNits: 1000, targetNits: 1000) == nil)
    #expect(BT2390(sourceNits: 500, targetNits: 1000) == nil)
    let curve = try #require(BT2390(sourceNits: 4000, targetNits: 1000))
    let colors = (0..<50).map { SIMD3<Float>(Float($0) * 0.035, 0.3, -0.1) }
    #expect(try run(colors, curve) == colors)
  }
}
