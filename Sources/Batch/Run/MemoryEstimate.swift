import RawFilter
import Recipes

/// What developing a raw takes at its most, from measurements of whole processes (Docs/verification.md):
/// decoded numbers, what stages know of the whole picture and coded outputs grow with the pixels; tiles and
/// libraries do not. Files of other makers may take more, which the pool notices.
struct MemoryEstimate {
  /// What each thread but the first takes more.
  static let bytesPerThread = 24 << 20

  /// With one thread.
  let bytes: Int
  /// Whether the picture that several outputs are made of is kept; where memory is scarce it is made again.
  let keepsPictures: Bool

  /// For a raw of so many pixels, when all work together may take `memoryBytes`.
  init(pixels: Int, recipe: Recipe, memoryBytes: Int) {
    let hasGainMap = recipe.outputs.values.contains { $0.format.hasGainMap }
    // Beyond all machines, so that sums stay numbers.
    let pixels = min(max(pixels, 0), 1 << 48)
    let minBytes = (120 << 20) + pixels * (hasGainMap ? 26 : 16)
    let cacheBytes = pixels * 12
    keepsPictures =
      (hasGainMap || recipe.outputs.count > 1) && cacheBytes <= RAWFilter.cacheLimitBytes
      && minBytes + cacheBytes <= memoryBytes / 2
    bytes = keepsPictures ? minBytes + cacheBytes : minBytes
  }
}
