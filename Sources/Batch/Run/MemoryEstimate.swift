import Recipes

/// What developing a raw takes at its most, from measurements of whole processes (Docs/verification.md):
/// decoded numbers, what stages know of the whole picture and coded outputs grow with the pixels; tiles and
/// libraries do not. Files of other makers may take more, which the crew notices.
enum MemoryEstimate {
  static func bytes(pixels: Int, recipe: Recipe, threads: Int) -> Int {
    let fixed = (96 + 24 * threads) << 20
    let perPixel = recipe.outputs.values.contains { $0.format.hasGainMap } ? 26 : 16
    // Beyond all machines, so that sums stay numbers.
    return fixed + min(max(pixels, 0), 1 << 48) * perPixel
  }
}
