import Recipes

/// What developing a raw takes at its most, from measurements of whole processes (Docs/verification.md):
/// decoded numbers, what stages know of the whole picture and coded outputs grow with the pixels; tiles and
/// libraries do not. Files of other makers may take more, which the crew notices.
enum MemoryEstimate {
  /// What each thread but the first takes more.
  static let bytesPerThread = 24 << 20

  /// With one thread.
  static func bytes(pixels: Int, recipe: Recipe) -> Int {
    let fixed = 120 << 20
    let perPixel = recipe.outputs.values.contains { $0.format.hasGainMap } ? 26 : 16
    // Beyond all machines, so that sums stay numbers.
    return fixed + min(max(pixels, 0), 1 << 48) * perPixel
  }
}
