import Foundation
import ImageCore
import RawDecode
import RawFilter
import RawSensor
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct GhostMapTests {
  static let size = PixelSize(width: 320, height: 240)

  /// Patches, and a disc at another position in each frame.
  static func radiance(_ frame: Int, _ x: Int, _ y: Int, disc: Float) -> SIMD3<Float> {
    let (dx, dy) = (x - 80 - 70 * frame, y - 120)
    if dx * dx + dy * dy < 900 { return SIMD3(disc, disc * 0.7, disc * 0.5) }
    let level = 0.05 + 0.6 * IntegerNoise.fractal(Float(x) / 50, Float(y) / 50, octaves: 3, seed: 9)
    return SIMD3(0.8, 1, 0.9) * level
  }

  private func bracket() -> SyntheticBracket {
    var bracket = SyntheticBracket(count: 3, spacing: 2)
    bracket.size = Self.size
    return bracket
  }

  @Test(arguments: [Float(0.02), 1.2])
  func whatMovesComesFromOneFrame(disc: Float) throws {
    let bracket = bracket()
    let members = try bracket.members { Self.radiance($0, $1, $2, disc: disc) }
    var merge = BracketMerge()
    merge.alignsFrames = false
    let merged = try merge.merge(members)
    let fraction = try #require(merged.report.ghostShare)
    // Three discs and their borders.
    #expect(fraction > 0.1 && fraction < 0.3, "\(fraction)")
    let values = try merged.filter.file.storedData().linearValues
    let shortest = Float(try #require(bracket.times.min()))
    // Each position has the value of one frame.
    var wrong = 0
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let channel = [0, 1, 1, 2][y % 2 * 2 + x % 2]
        let seen = (0..<3).map {
          Self.radiance($0, x, y, disc: disc)[channel] * SyntheticBracket.white * shortest
        }
        let noise = (1e-4 * (seen.max() ?? 0) + 4e-8).squareRoot()
        let nearest = seen.map { abs($0 - values[y][x]) }.min() ?? 0
        if nearest > 5 * noise + 0.03 * (seen.max() ?? 0) { wrong += 1 }
      }
    }
    #expect(Double(wrong) / Double(Self.size.area) < 0.002, "\(wrong) photosites mix two frames")
    // Within a disc no two frames are mixed.
    let map = try #require(merged.ghostMap)
    for frame in 0..<3 {
      let centers = [-3, 0, 3].map {
        (80 + 70 * frame) / map.side + $0 + 120 / map.side * map.size.width
      }
      let chosen = Set(centers.map { map.values[$0] })
      #expect(chosen.count == 1 && !chosen.contains(0))
    }
  }

  @Test(arguments: [0.2, 1, 4])
  func whatRestsIsNoGhost(noise: Float) throws {
    var bracket = bracket()
    (bracket.shot, bracket.read) = (1e-4 * noise, 4e-8 * noise)
    let members = try bracket.members { _, x, y in Self.radiance(0, x, y, disc: 1) }
    let merged = try BracketMerge().merge(members)
    #expect(merged.report.ghostShare == 0)
  }

  @Test func ghostsMayStay() throws {
    let members = try bracket().members { Self.radiance($0, $1, $2, disc: 1) }
    var merge = BracketMerge()
    merge.removesGhosts = false
    let merged = try merge.merge(members)
    #expect(merged.ghostMap == nil && merged.report.ghostShare == nil)
  }

  @Test func blocksComeFromTheReferenceOrTheNextShorterFrame() {
    let size = PixelSize(width: 20, height: 20)
    func frame(_ radiance: Float, _ ghost: Float, isUsable: Bool = true) -> [GhostMap.Block] {
      (0..<400).map { i in
        let isGhost = (8..<12).contains(i % 20) && (8..<12).contains(i / 20)
        return GhostMap.Block(
          mean: SIMD4(repeating: isGhost ? ghost : radiance),
          peak: SIMD4(repeating: isGhost ? ghost : radiance), variance: SIMD4(repeating: 1e-6),
          isUsable: isUsable || !isGhost)
      }
    }
    // A shorter frame is used only where the reference is saturated and the frame is as bright.
    for (isUsable, shorter, frames) in [(true, 0.1, 2), (false, 0.9, 1), (false, 0.1, 2)] {
      let map = GhostMap(
        [
          frame(0.1, Float(shorter)), frame(0.1, isUsable ? 0.3 : 1, isUsable: isUsable),
          frame(0.1, 0.2),
        ],
        limits: [SIMD4<Float>](repeating: SIMD4(repeating: 1), count: 3), size: size, side: 4,
        reference: 1, channelCount: 1)
      #expect(map.choice[10 * 20 + 10] == UInt8(frames))
      #expect(map.choice[0] == 0)
    }
  }
}
