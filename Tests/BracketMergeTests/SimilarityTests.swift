import Foundation
import Testing

@testable import BracketMerge

@Suite struct SimilarityTests {
  @Test func oneAfterTheOtherIsBoth() {
    let first = Similarity(right: 3, down: -2, a: 0.01, b: 0.02)
    let second = Similarity(right: -1, down: 5, a: -0.03, b: 0.005)
    let both = first.then(second)
    for (x, y) in [(0.0, 0.0), (100, -50), (-7, 900)] {
      let step = first(x, y)
      let (expected, found) = (second(step.x, step.y), both(x, y))
      #expect(hypot(expected.x - found.x, expected.y - found.y) < 1e-9)
    }
  }

  @Test func placementsDescribeTheSimilarity() {
    let angle = 2 * Double.pi / 180
    let turned = Similarity(a: 1.01 * cos(angle) - 1, b: 1.01 * sin(angle))
    #expect(abs(turned.placement.rotation - 2) < 1e-9 && abs(turned.placement.scale - 1.01) < 1e-9)
    // Clockwise as seen: what is on the right goes down.
    #expect(turned(100, 0).y > 0)
    #expect(Similarity.identity.placement.isIdentity)
    #expect(Similarity(right: 3, down: 4).farthest(100, 100) == 5)
  }
}
