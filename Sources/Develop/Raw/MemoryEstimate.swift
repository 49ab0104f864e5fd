import Formats
import ImageCore
import RawFilter
package import Recipes

/// The peak memory of developing a raw, from measurements of complete processes
/// (Docs/verification.md): decoded samples, analysis of the full picture and coded outputs grow
/// with the number of pixels; tiles and libraries do not. A file may need more than estimated,
/// which the pool notices.
package struct MemoryEstimate {
  /// Bytes for each thread but the first.
  package static let bytesPerThread = 24 << 20

  /// Bytes that the program takes before it opens a file.
  private static let programBytes = 20 << 20

  /// Bytes of a job in addition to its pixels and threads.
  private static let jobBytes = 40 << 20

  /// Bytes with one thread, in a process of its own.
  package let bytes: Int
  /// Whether pixels that several outputs use are cached; where memory is scarce they are computed
  /// again.
  package let keepsPictures: Bool

  /// Bytes for each pixel of each frame of a bracket: its samples, and the data for comparing them.
  private static let bytesPerMerged = 12

  /// For a raw of this many pixels, or a bracket of `frames` of them, when all tasks together may
  /// use `memoryBytes`.
  package init(pixels: Int, frames: Int = 0, recipe: Recipe, memoryBytes: Int) {
    let hasGainMap = recipe.outputs.values.contains { $0.format.hasGainMap }
    let developed = recipe.outputs.values.count { $0.format.isDeveloped }
    // Beyond any machine, so that sums do not overflow.
    let pixels = min(max(pixels, 0), 1 << 48)
    // One output after the other is written.
    let coding = recipe.outputs.values.map { $0.codingBytes(of: pixels) }.max() ?? 0
    let merged = min(max(frames, 0), 1 << 10) * Self.bytesPerMerged
    let dng = recipe.outputs.values.map(\.dngBytesPerPixel).max() ?? 0
    let minBytes =
      (120 << 20) + pixels * (max(hasGainMap ? 26 : 16, dng) + merged) + coding
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

  /// Bytes of an alpha plane of `pixels` while it is made, or of an encoder's copy of it.
  static func ofAlpha(pixels: Int) -> Int { 16 * min(max(pixels, 0), 1 << 48) }

  /// Bytes of a job that holds the samples of finished pictures and codes another of `pixels` as
  /// `output`.
  static func ofPictures(
    samples bytes: Int, pixels: Int, output: Recipe.Output, threads: Int
  ) -> Int {
    let pixels = min(max(pixels, 0), 1 << 48)
    return jobBytes + min(bytes, 1 << 56) + 4 * pixels + output.codingBytes(of: pixels)
      + max(threads, 1) * bytesPerThread
  }

  /// Bytes of a job that writes `samples` of a raw of `pixels` as DNG.
  static func ofDNG(_ samples: DNGChoice.Samples, pixels: Int, threads: Int) -> Int {
    jobBytes + samples.bytesPerPixel * min(max(pixels, 0), 1 << 48)
      + max(threads, 1) * bytesPerThread
  }
}

extension DNGChoice.Samples {
  /// Bytes for each pixel of a DNG while it is written: its samples, and for demosaiced ones their
  /// sources.
  var bytesPerPixel: Int { self == .stored ? 8 : 32 }
}

extension Recipe.Output {
  /// Bytes for each pixel of a DNG.
  fileprivate var dngBytesPerPixel: Int {
    format.isDeveloped ? 0 : (dng.samples ?? .stored).bytesPerPixel
  }

  /// Bytes for coding its picture.
  fileprivate func codingBytes(of raw: Int) -> Int {
    format.container.descriptor.codingBytes(of: maxSize.map { min($0 * $0, raw) } ?? raw, tiles)
  }
}
