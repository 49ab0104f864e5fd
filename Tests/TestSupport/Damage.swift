import Foundation

/// Ways to damage a file of any format. The same seed damages in the same way.
package enum Damage {
  /// How many damaged files are tried where `usual` are by default: `RAWDEV_FUZZ_ROUNDS`, which may
  /// be a fraction, times as many.
  package static func count(_ usual: Int) -> Int {
    let rounds = ProcessInfo.processInfo.environment["RAWDEV_FUZZ_ROUNDS"].flatMap(Double.init)
    return max(1, Int(Double(usual) * (rounds ?? 1)))
  }

  /// Draws other variants than usual, from `RAWDEV_FUZZ_SEED`.
  package static func seed(_ usual: Int) -> UInt64 {
    let seed = ProcessInfo.processInfo.environment["RAWDEV_FUZZ_SEED"].flatMap { Int($0) }
    return UInt64(seed ?? usual)
  }

  /// Numbers that break careless sums and products.
  private static let words: [[UInt8]] = [
    [255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 0], [128, 0, 0, 0],
  ]

  /// One way to damage `bytes`: single bits and bytes, words of extreme values, an early end.
  package static func damaged(_ bytes: some Collection<UInt8>, seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    var bytes = Array(bytes)
    guard bytes.count > 8 else { return bytes }
    switch seed % 5 {
    case 0:
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          .random(in: 0...255, using: &random)
      }
    case 2:
      let start = Int.random(in: 0..<bytes.count - 4, using: &random)
      let word = (words + [[0, 1, 0, 0]]).randomElement(using: &random) ?? []
      bytes.replaceSubrange(start..<start + 4, with: word)
    case 3: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    default:
      // Headers are where damage tells most.
      for _ in 0..<3 {
        let index = Int.random(in: 0..<min(bytes.count, 256), using: &random)
        bytes[index] = .random(in: 0...255, using: &random)
      }
    }
    return bytes
  }

  /// One way to damage a container: mostly in `tables`, where damage tells most, every `anywhere`th
  /// seed in the complete file. Bytes are also copied, taken out and put in, so that all offsets
  /// behind are wrong.
  package static func damaged(
    _ bytes: [UInt8], tables: Range<Int>, anywhere: UInt64, seed: UInt64
  ) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    var bytes = bytes
    let area = (seed % anywhere == 0 ? 0..<bytes.count : tables.clamped(to: 0..<bytes.count))
      .dropLast(4)
    func position() -> Int { Int.random(in: area, using: &random) }
    switch seed % 7 {
    case 0: bytes[position()] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[position()] = .random(in: 0...255, using: &random)
      }
    case 2:
      let start = position()
      let word = (words + [[0, 0, 0, 1]]).randomElement(using: &random) ?? []
      bytes.replaceSubrange(start..<start + 4, with: word)
    case 3: bytes.removeLast(Int.random(in: 1..<bytes.count - 16, using: &random))
    case 4:
      let (from, to) = (position(), position())
      bytes.replaceSubrange(to..<to + 4, with: bytes[from..<from + 4])
    case 5: bytes.remove(at: position())
    default: bytes.insert(.random(in: 0...255, using: &random), at: position())
    }
    return bytes
  }
}
