import Foundation
import TestSupport
import Testing

@testable import Film

/// A simulated time-lapse: a sunset of six stops, a camera that follows it in thirds of a stop,
/// flicker, noise, a cloud over a quarter of the picture and cars.
struct DeflickerTests {
  private struct Lapse {
    var levels: [Double] = []
    var scene: [Double] = []
    var grids: [[Float?]?] = []

    init(frames: Int, hasSteps: Bool, flicker: Double, seed: UInt64 = 7) {
      var random = SeededRandom(seed: seed)
      func normal() -> Double {
        let (a, b) = (
          Double.random(in: 1e-9...1, using: &random), Double.random(in: 0...1, using: &random)
        )
        return (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
      }
      let cells = 48 * 27
      let base = (0..<cells).map { _ in Double.random(in: 0.02...0.5, using: &random) }
      var exposure = 0.0
      for frame in 0..<frames {
        let light = -6 / (1 + exp(-(Double(frame) - Double(frames) / 2) / 40))
        if hasSteps, frame % 8 == 0, light + exposure < -1 / 6.0 { exposure += 1 / 3.0 }
        scene.append(light)
        levels.append(light + exposure + normal() * flicker)
        var grid = base.map { Float?(Float($0 * exp2(levels[frame]) * (1 + normal() * 0.01))) }
        for cell in 0..<cells where (cell + frame * 37) % cells < cells / 4 { grid[cell]? *= 1.6 }
        for cell in 0..<cells where (cell + frame * 411) % cells < 20 { grid[cell]? *= 5 }
        grids.append(grid.map { ($0 ?? 0) > 0.9 ? nil : $0 })
      }
    }

    /// The levels with the corrections.
    func corrected() -> [Double] {
      zip(levels, Deflicker.stops(grids)).map { $0 + Double($1) }
    }

    /// Root mean square of the changes between frames around their running mean, in percent.
    static func flicker(_ levels: [Double]) -> Double {
      let changes = zip(levels, levels.dropFirst()).map { $1 - $0 }
      let errors = changes.indices.map { index -> Double in
        let around = changes[max(0, index - 6)...min(changes.count - 1, index + 6)]
        return changes[index] - around.reduce(0, +) / Double(around.count)
      }
      return 100 * log(2)
        * (errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)).squareRoot()
    }
  }

  @Test("Steps of the camera, flicker, clouds and cars leave under half a percent")
  func timeLapse() {
    for (hasSteps, flicker) in [(false, 0.03), (true, 0.0), (true, 0.02), (true, 0.04)] {
      let lapse = Lapse(frames: 300, hasSteps: hasSteps, flicker: flicker)
      let (before, after) = (Lapse.flicker(lapse.levels), Lapse.flicker(lapse.corrected()))
      #expect(before > 1)
      #expect(after < 0.5, "\(hasSteps) \(flicker): \(before) % before, \(after) % after")
    }
  }

  @Test("A ramp of the scene stays within a percent")
  func ramps() {
    let lapse = Lapse(frames: 300, hasSteps: false, flicker: 0.01)
    let difference = zip(lapse.corrected(), lapse.scene).map { $0 - $1 }
    let mean = difference.reduce(0, +) / Double(difference.count)
    let largest = difference.map { abs($0 - mean) }.max() ?? 1
    #expect(100 * (exp2(largest) - 1) < 1)
  }

  @Test("A clip without flicker is left as it is, and so is one of two frames")
  func still() {
    let lapse = Lapse(frames: 60, hasSteps: false, flicker: 0)
    #expect(Deflicker.stops(lapse.grids).allSatisfy { abs($0) < 0.01 })
    #expect(Deflicker.stops(Array(lapse.grids[..<2])) == [0, 0])
    #expect(Deflicker.stops([]) == [])
  }

  @Test("Frames that cannot be read, and pictures without light, are passed over")
  func missing() {
    var lapse = Lapse(frames: 40, hasSteps: false, flicker: 0.02)
    lapse.grids[10] = nil
    lapse.grids[20] = lapse.grids[20]?.map { _ in nil }
    let stops = Deflicker.stops(lapse.grids)
    #expect(stops.count == 40 && stops[10] == 0 && stops.allSatisfy(\.isFinite))
  }
}
