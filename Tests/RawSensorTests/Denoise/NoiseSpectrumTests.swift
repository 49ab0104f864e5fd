import ImageCore
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct NoiseSpectrumTests {
  @Test func bayerNoiseIsSmoothAndCommonToTheChannels() throws {
    let spectrum = try NoiseFixture.spectrum.get()
    #expect(spectrum.levels.count == 3)
    let full = spectrum.levels[0]
    // Brightness keeps its middle frequencies; color has next to none of the finest.
    #expect(full[0][9] > 2 && full[1][63] < 0.1 && full[2][63] < 0.1)
    for c in 0..<3 { #expect(spectrum.pixels[c] > 0.6 && spectrum.pixels[c] < 1) }
    #expect(spectrum.levels.allSatisfy { $0.allSatisfy { $0.allSatisfy { $0 > 0 } } })
  }

  @Test func reducedPicturesHaveLessNoise() throws {
    let reduced = try NoiseSpectrum(
      layout: .mosaic(NoiseFixture.bayer), settings: SensorSettings(resolution: .reduced),
      model: NoiseFixture.model)
    #expect(abs(reduced.pixels.y - 0.5) < 0.03 && abs(reduced.pixels.x - 1) < 0.04)
  }

  @Test func graySensorsHaveNoColorNoise() throws {
    let gray = try NoiseSpectrum(
      layout: .monochrome, settings: SensorSettings(), model: NoiseFixture.model)
    #expect(gray.levels[0][1].allSatisfy { $0 < 1e-6 })
    #expect(abs(gray.levels[0][0][9] - 3) < 0.3)
  }
}
