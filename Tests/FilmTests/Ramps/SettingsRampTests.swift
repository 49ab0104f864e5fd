import ImageCore
import RawFilter
import Testing

@testable import Film

struct SettingsRampTests {
  private func settings(_ change: (inout RAWSettings) -> Void) -> RAWSettings {
    var settings = RAWSettings()
    change(&settings)
    return settings
  }

  @Test("Numbers run through the key frames, and are held before and after them")
  func exposure() throws {
    let ramp = try SettingsRamp([
      (10, settings { $0.exposure = 0 }), (20, settings { $0.exposure = 1 }),
      (40, settings { $0.exposure = 3 }),
    ])
    let found = try (0..<60).map { try ramp.settings(at: $0).exposure }
    #expect(found[0] == 0 && found[10] == 0 && found[59] == 3 && found[40] == 3)
    #expect(abs(found[20] - 1) < 1e-5)
    for (a, b) in zip(found, found.dropFirst()) { #expect(b >= a - 1e-6) }
    // Smooth: no change of the slope as large as the slope.
    let slopes = zip(found[10...40], found[11...40]).map { $1 - $0 }
    for (a, b) in zip(slopes, slopes.dropFirst()) { #expect(abs(b - a) < 0.03) }
  }

  @Test("Whites run by their chromaticities, groups of numbers too; toggles and codes change")
  func others() throws {
    let ramp = try SettingsRamp([
      (
        0,
        settings {
          $0.neutral = .chromaticity(Chromaticity(x: 0.30, y: 0.32))
          $0.isLensCorrectionEnabled = true
          $0.orientation = .up
          $0.look.saturation = 0
        }
      ),
      (
        10,
        settings {
          $0.neutral = .chromaticity(Chromaticity(x: 0.40, y: 0.40))
          $0.isLensCorrectionEnabled = false
          $0.orientation = .down
          $0.look.saturation = 0.5
        }
      ),
    ])
    let middle = try ramp.settings(at: 5)
    guard case .chromaticity(let white) = middle.neutral else {
      Issue.record("no chromaticity")
      return
    }
    #expect(abs(white.x - 0.35) < 1e-4 && abs(white.y - 0.36) < 1e-4)
    #expect(abs(middle.look.saturation - 0.25) < 1e-4)
    #expect(middle.isLensCorrectionEnabled && middle.orientation == .up)
    let end = try ramp.settings(at: 10)
    #expect(!end.isLensCorrectionEnabled && end.orientation == .down)
  }

  @Test("One set of settings is that of every frame, bit for bit; corrections are added")
  func constant() throws {
    let own = settings { $0.exposure = 0.1 }
    var ramp = try SettingsRamp(own)
    #expect(ramp.isConstant)
    #expect(try ramp.settings(at: 7) == own)
    ramp.stops = [0, 0.5]
    #expect(try ramp.settings(at: 1).exposure == 0.6)
    #expect(try ramp.settings(at: 5).exposure == 0.1)
    #expect(try ramp.text != SettingsRamp(own).text)
  }
}
