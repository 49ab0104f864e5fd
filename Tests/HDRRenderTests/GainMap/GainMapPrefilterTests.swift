import Testing

@testable import HDRRender

@Suite struct GainMapPrefilterTests {
  @Test func theStretchedMapHasTheMeansItWasMadeFrom() {
    for (width, height, channels) in [(2, 2, 1), (9, 7, 1), (40, 3, 3), (1, 30, 1), (25, 1, 3)] {
      let means = (0..<width * height * channels).map { Float(($0 * 7919) % 101) / 25 - 2 }
      var map = means
      map.withUnsafeMutableBufferPointer {
        GainMapPrefilter.apply($0, width: width, height: height, channels: channels)
      }
      func sample(_ x: Int, _ y: Int, _ c: Int) -> Float {
        let (x, y) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
        return map[(y * width + x) * channels + c]
      }
      let kernel: [Float] = [0.125, 0.75, 0.125]
      for y in 0..<height {
        for x in 0..<width {
          for c in 0..<channels {
            var mean: Float = 0
            for j in 0..<3 {
              for i in 0..<3 { mean += kernel[i] * kernel[j] * sample(x + i - 1, y + j - 1, c) }
            }
            #expect(abs(mean - means[(y * width + x) * channels + c]) < 2e-5)
          }
        }
      }
    }
  }

  @Test func flatMapsStayFlat() {
    var map = [Float](repeating: 1.25, count: 35)
    map.withUnsafeMutableBufferPointer {
      GainMapPrefilter.apply($0, width: 7, height: 5, channels: 1)
    }
    for value in map { #expect(abs(value - 1.25) < 4e-6) }
  }
}
