import RawFilter
import Recipes
import Testing

@testable import Develop

/// The expected memory of a raw.
@Suite struct MemoryEstimateTests {
  private func estimate(
    _ formats: [OutputFormat], megapixels: Int = 24, memory: Int = 64 << 30
  ) -> MemoryEstimate {
    var recipe = Recipe()
    recipe.outputs = [:]
    for (index, format) in formats.enumerated() {
      var output = Recipe.Output()
      output.format = format
      recipe.outputs["\(index)"] = output
    }
    return MemoryEstimate(pixels: megapixels * 1_000_000, recipe: recipe, memoryBytes: memory)
  }

  /// Pictures are cached where they are used again, where memory allows, and within the
  /// limit.
  @Test func keepsWhatIsUsedAgain() {
    #expect(!estimate([.heifHLG]).keepsPictures)
    #expect(estimate([.jpegGainMap]).keepsPictures)
    #expect(estimate([.heifHLG, .tiff]).keepsPictures)
    #expect(!estimate([.heifHLG, .tiff], memory: 1 << 30).keepsPictures)
    let maxMegapixels = RAWFilter.cacheLimitBytes / 12_000_000
    #expect(estimate([.jpegGainMap], megapixels: maxMegapixels).keepsPictures)
    #expect(!estimate([.jpegGainMap], megapixels: maxMegapixels + 1).keepsPictures)
  }

  @Test func growsWithPixelsAndEndsBelowOverflow() {
    var last = 0
    for pixels in [0, 1, 12, 24, 44, 61, 151, 1000, Int.max / 1_000_000] {
      let bytes = estimate([.heifHLG], megapixels: pixels).bytes
      #expect(bytes > last)
      last = bytes
    }
    #expect(estimate([.jpegGainMap], megapixels: 24).bytes > estimate([.heifHLG]).bytes)
    #expect(estimate([.dng]).bytes <= estimate([.heifHLG]).bytes)
    #expect(estimate([.dng, .heifHLG]).bytes == estimate([.heifHLG]).bytes)
    #expect(estimate([.jxl]).bytes == estimate([.heifHLG]).bytes + 24_000_000 * 42)
    // As one picture, and in tiles.
    #expect(estimate([.avif]).bytes == estimate([.heifHLG]).bytes + 24_000_000 * 20)
    #expect(
      estimate([.avif], megapixels: 60).bytes == estimate([.heifHLG], megapixels: 60).bytes)
  }

  /// Memory of complete processes: `rawdev convert` on two threads, and 20 MiB for each process.
  @Test func finishedPicturesStayBelow() {
    func convert(_ format: OutputFormat, megapixels: Double, bytesPerPixel: Int) -> Int {
      var output = Recipe.Output()
      output.format = format
      let pixels = Int(megapixels * 1e6)
      return
        (MemoryEstimate.ofPictures(
          samples: bytesPerPixel * pixels, pixels: pixels, output: output, threads: 2) >> 20) + 20
    }
    let measured: [(OutputFormat, Double, Int, MiB: Int)] = [
      (.heifPQ, 19.96, 6, 201), (.tiff, 19.96, 6, 196),
      (.jxl, 19.96, 6, 1014), (.heifPQ, 12.19, 4, 123), (.jpegGainMap, 12.19, 4, 122),
      (.png, 12.19, 4, 84), (.jxl, 12.19, 4, 668),
    ]
    for (format, megapixels, bytesPerPixel, most) in measured {
      let estimate = convert(format, megapixels: megapixels, bytesPerPixel: bytesPerPixel)
      #expect((most...3 * most).contains(estimate), "\(format): \(estimate)")
    }
  }
}
