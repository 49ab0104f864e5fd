import Formats
import ImageCore
import RawFilter
package import Recipes

/// The peak memory of developing a raw, from measurements of whole processes
/// (Docs/verification.md): decoded samples, whole-picture analysis and coded outputs grow with the
/// number of pixels; tiles and libraries do not. A file may take more than estimated, which the
/// pool notices.
package struct MemoryEstimate {
  /// Bytes for each thread but the first.
  package static let bytesPerThread = 24 << 20

  /// Bytes that the program takes before it opens a file.
  private static let programBytes = 20 << 20

  /// Bytes with one thread, in a process of its own.
  package let bytes: Int
  /// Whether pixels that several outputs share are kept; where memory is scarce they are computed
  /// again.
  package let keepsPictures: Bool

  /// Bytes for each pixel of each frame of a bracket: its samples, and what they are compared by.
  private static let bytesPerMerged = 12

  /// For a raw of so many pixels, or a bracket of so many `frames` of them, when all work together
  /// may take `memoryBytes`.
  package init(pixels: Int, frames: Int = 0, recipe: Recipe, memoryBytes: Int) {
    let hasGainMap = recipe.outputs.values.contains { $0.format.hasGainMap }
    let developed = recipe.outputs.values.count { $0.format.isDeveloped }
    // Beyond any machine, so that sums do not overflow.
    let pixels = min(max(pixels, 0), 1 << 48)
    // One output after the other is written.
    let pieces = recipe.outputs.values.map { $0.pixelsInOnePiece(of: pixels) }.max() ?? 0
    let merged = min(max(frames, 0), 1 << 10) * Self.bytesPerMerged
    let dng = recipe.outputs.values.map(\.dngBytesPerPixel).max() ?? 0
    let minBytes =
      (120 << 20) + pixels * (max(hasGainMap ? 26 : 16, dng) + merged) + pieces * 20
    let cacheBytes = pixels * 12
    keepsPictures =
      (hasGainMap || developed > 1) && cacheBytes <= RAWFilter.cacheLimitBytes
      && minBytes + cacheBytes <= memoryBytes / 2
    bytes = keepsPictures ? minBytes + cacheBytes : minBytes
  }
}

extension MemoryEstimate {
  /// Bytes of one of the jobs of a process, on `threads` threads.
  func ofJob(threads: Int) -> Int {
    bytes - Self.programBytes + max(threads - 1, 0) * Self.bytesPerThread
  }

  /// Bytes of a job that holds the samples of finished pictures and codes another of `pixels`.
  static func ofPictures(samples bytes: Int, pixels: Int, threads: Int) -> Int {
    let codes = 16 * min(max(pixels, 0), 1 << 48)
    return (40 << 20) + min(bytes, 1 << 56) + codes + max(threads, 1) * bytesPerThread
  }
}

extension DNGChoice.Samples {
  /// Bytes that a DNG takes for each pixel while it is written: its samples, and for demosaiced
  /// ones what they are made of.
  var bytesPerPixel: Int { self == .stored ? 8 : 32 }
}

extension Recipe.Output {
  /// Bytes for each pixel of a DNG.
  fileprivate var dngBytesPerPixel: Int {
    format.isDeveloped ? 0 : (dng.samples ?? .stored).bytesPerPixel
  }

  /// Pixels of its picture where that is coded in one piece larger than a tile; else 0.
  fileprivate func pixelsInOnePiece(of raw: Int) -> Int {
    let pixels = maxSize.map { min($0 * $0, raw) } ?? raw
    let isOne =
      switch format.container {
      case .avif:
        tiles == .single || tiles == .auto && pixels <= TileLayout.largestAV1Area
      case .heif: tiles == .single
      case .jpeg, .png, .tiff, .jpegXL, .exr, .npy, .planes, .dng: false
      }
    return isOne ? pixels : 0
  }
}
