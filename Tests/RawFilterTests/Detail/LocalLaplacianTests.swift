import Foundation
import ImageCore
import Testing

@testable import RawFilter

@Suite struct LocalLaplacianTests {
  static func plane(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float) -> TilePlane {
    let plane = TilePlane()
    plane.place(PixelRect(x: 0, y: 0, width: width, height: height))
    for y in 0..<height { for x in 0..<width { plane.row(y)[x] = value(x, y) } }
    return plane
  }

  /// The filter by its definition: each coefficient from a remapping about its own grey.
  static func direct(_ stops: TilePlane, middle: Float) -> GaussianPyramid {
    let size = stops.rect.size
    let input = GaussianPyramid(size)
    for y in 0..<size.height {
      input.levels[0].row(y).update(from: stops.row(y), count: size.width)
    }
    input.build()
    let output = GaussianPyramid(size)
    let top = input.levels.count - 1
    let lines = plane(size.width, 2) { _, _ in 0 }
    for level in 0..<top {
      let guide = input.levels[level]
      for y in 0..<guide.rect.height {
        for x in 0..<guide.rect.width {
          let grey = guide.row(y)[x]
          let remapped = GaussianPyramid(size)
          for v in 0..<size.height {
            for u in 0..<size.width {
              let d = stops.row(v)[u] - grey
              let kept = min(max(d, -LocalLaplacian.sigma), LocalLaplacian.sigma)
              remapped.levels[0].row(v)[u] = grey + kept + (d - kept) * LocalLaplacian.beta
            }
          }
          remapped.build()
          let smooth = GaussianPyramid.expand(
            remapped.levels[level + 1], y, width: guide.rect.width, lines)
          output.levels[level].row(y)[x] = remapped.levels[level].row(y)[x] - smooth[x]
        }
      }
    }
    let rest = input.levels[top]
    for y in 0..<rest.rect.height {
      for x in 0..<rest.rect.width {
        output.levels[top].row(y)[x] = middle + LocalLaplacian.beta * (rest.row(y)[x] - middle)
      }
    }
    for level in stride(from: top - 1, through: 0, by: -1) {
      let fine = output.levels[level]
      for y in 0..<fine.rect.height {
        let smooth = GaussianPyramid.expand(
          output.levels[level + 1], y, width: fine.rect.width, lines)
        for x in 0..<fine.rect.width { fine.row(y)[x] += smooth[x] }
      }
    }
    return output
  }

  @Test(arguments: [Float(0), -7, 5.3])
  func constantsMoveTowardsTheMiddle(value: Float) {
    let filtered = LocalLaplacian.filter(Self.plane(37, 29) { _, _ in value }, middle: -2)
    for i in 0..<29 {
      #expect(abs(filtered.levels[0].row(i)[i] - (-2 + LocalLaplacian.beta * (value + 2))) < 1e-4)
    }
  }

  @Test func samplingTheGreysIsCloseToTheDefinition() {
    let stops = Self.plane(14, 11) { x, y in
      (x > 6 ? 2.5 : -3) + 1.5 * SensorFixture.hash(x, y) + Float(y) * 0.2
    }
    let fast = LocalLaplacian.filter(stops, middle: 0).levels[0]
    let exact = Self.direct(stops, middle: 0).levels[0]
    var worst: Float = 0
    for y in 0..<11 {
      for x in 0..<14 { worst = max(worst, abs(fast.row(y)[x] - exact.row(y)[x])) }
    }
    #expect(worst < 0.15, "\(worst)")
  }

  /// A step loses height and stays a step; texture on it keeps its contrast.
  @Test func stepIsCompressedWithoutHalo() {
    let stops = Self.plane(64, 40) { x, y in
      (x < 32 ? -4 : 2) + ((x + y) % 2 == 0 ? 0.1 : -0.1)
    }
    let out = LocalLaplacian.filter(stops, middle: -1).levels[0]
    func mean(_ x: Int) -> Float { (out.row(20)[x] + out.row(20)[x + 1]) / 2 }
    let height = mean(60) - mean(2)
    #expect(height > 2.9 && height < 4.2, "\(height)")
    for x in [4, 20, 36, 56] {
      let texture = abs(out.row(20)[x] - out.row(20)[x + 1])
      #expect(abs(texture - 0.2) < 0.02, "\(texture)")
    }
    for x in 0..<30 { #expect(mean(x + 2) >= mean(x) - 0.06 && mean(x + 32) >= mean(x)) }
  }

  @Test func reducingAndExpandingKeepsLines() {
    for (width, height) in [(33, 18), (16, 17), (3, 3), (1, 1), (2, 9)] {
      let pyramid = GaussianPyramid(PixelSize(width: width, height: height))
      for y in 0..<height {
        for x in 0..<width { pyramid.levels[0].row(y)[x] = Float(x) * 0.5 - Float(y) }
      }
      pyramid.build()
      guard pyramid.levels.count > 1 else { continue }
      let lines = Self.plane(width, 2) { _, _ in 0 }
      for y in stride(from: 4, to: height - 4, by: 1) {
        let row = GaussianPyramid.expand(pyramid.levels[1], y, width: width, lines)
        for x in stride(from: 4, to: width - 4, by: 1) {
          #expect(abs(row[x] - (Float(x) * 0.5 - Float(y))) < 1e-4)
        }
      }
    }
  }
}
