import Foundation
import ImageCore
import RawFilter
import Synchronization
import SyntheticRaw
import TestSupport
import Testing

/// Hostile files cost one typed error: no crash, no hang, no memory beyond the limits.
///
/// Work is judged by the CPU time of the file's own process, which waits of a busy machine do not
/// count in. Each run draws the same variants. `RAWDEV_FUZZ_ROUNDS=20` draws twenty times as many;
/// `RAWDEV_FUZZ_SEED` draws others. Each file has a process of its own, in which memory is counted
/// and which may crash. The variant at hand is named in the file `rawdev-corruption-NAME.txt` of
/// the temporary folder, for the case that it ends the process.
@Suite("Corrupted files")
struct CorruptionTests {
  private static let limits = DecodeLimits(
    maxFileBytes: 8 << 20, maxPixels: 1 << 20, maxDecodeBytes: 16 << 20)
  /// Stored numbers, the demosaiced picture and the rendering of 1 megapixel, each at most 16 MiB,
  /// and as much again for what stages hold on the way.
  private static let peakLimit = 96 << 20
  #if DEBUG
    /// Unoptimized code takes many times as long.
    private static let cpuLimitSeconds = 60.0
    private static let perFile = (synthetic: 60, shared: 8)
  #else
    private static let cpuLimitSeconds = 5.0
    private static let perFile = (synthetic: 500, shared: 120)
  #endif

  private static let seed = Damage.seed(2020)

  @Test("the synthetic ones", arguments: CorruptionSamples.allCases)
  func synthetic(sample: CorruptionSamples) async throws {
    await #expect(processExitsWith: .success) {
      [name = sample.rawValue as String] in
      let sample = try #require(CorruptionSamples(rawValue: name))
      try Self.check(name, sample.bytes, count: Self.perFile.synthetic)
    }
  }

  @Test("shared ones of less than 300 KB")
  func shared() async throws {
    // What is missing skips the test here, not the process.
    _ = try SharedFiles.names(in: "dng") + SharedFiles.names(in: "raws")
    await #expect(processExitsWith: .success) {
      for name in try SharedFiles.names(in: "dng") + SharedFiles.names(in: "raws") {
        let url = try SharedFiles.url(name)
        let data = try Data(contentsOf: url, options: .mappedIfSafe)
        guard data.count < 300_000 else { continue }
        try Self.check(name, [UInt8](data), count: Self.perFile.shared)
      }
    }
  }

  private static func check(_ name: String, _ bytes: [UInt8], count: Int) throws {
    let corruption = Corruption(bytes, seed: Self.seed)
    let note = URL(filePath: NSTemporaryDirectory())
      .appending(path: "rawdev-corruption-\(name.replacing("/", with: "-")).txt")
    var pictures = 0
    let variants = corruption.sample(Damage.count(count), seed: Self.seed ^ UInt64(bytes.count))
    for variant in variants {
      try? Data("\(name): \(variant)\n".utf8).write(to: note)
      let spoiled = variant.apply(to: bytes)
      PixelMemory.resetCounts()
      let (before, start) = (PixelMemory.liveBytes, cpuSeconds())
      if Self.develop(spoiled) { pictures += 1 }
      let (seconds, peak) = (cpuSeconds() - start, PixelMemory.peakBytes - before)
      #expect(seconds <= Self.cpuLimitSeconds, "\(name): \(variant) took \(seconds) CPU seconds")
      #expect(peak <= Self.peakLimit, "\(name): \(variant) took \(peak) bytes of pixels")
    }
    print(
      "\(name): \(variants.count) of \(corruption.variants.count) variants, \(pictures) pictures")
    try? FileManager.default.removeItem(at: note)
  }

  /// CPU time of all threads of this process.
  private static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Asks for all that a file can give; whether it gave a picture.
  private static func develop(_ bytes: [UInt8]) -> Bool {
    do {
      var filter = try RAWFilter(data: Data(bytes), limits: limits)
      _ = filter.properties.entries.count
      _ = filter.previewImage?.size
      _ = try? filter.inspection()
      _ = filter.supportedAdjustments
      _ = filter.neutralTemperature
      filter.workers = 1
      filter.scaleFactor = 0.2
      let image = try filter.outputImage().image
      filter.isDraftModeEnabled = true
      filter.settings.boostAmount = 0
      filter.settings.isHighlightRecoveryEnabled = false
      _ = try filter.outputImage()
      return image.size.area > 0
    } catch { return false }
  }
}
