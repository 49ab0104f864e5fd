import Foundation

/// How many times as many damaged files as usual are tried, from the environment.
let damageFactor =
  ProcessInfo.processInfo.environment["RAWDEV_DAMAGE_FACTOR"].flatMap { UInt64($0) } ?? 1

/// Numbers that are the same on every run (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// One of many ways to damage `bytes`: single bits and bytes, runs, words of extreme values, an early end.
func damaged(_ bytes: some Collection<UInt8>, seed: UInt64) -> [UInt8] {
  var random = Seeded(state: seed)
  var bytes = Array(bytes)
  guard bytes.count > 8 else { return bytes }
  switch seed % 5 {
  case 0:
    let index = Int.random(in: 0..<bytes.count, using: &random)
    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  case 1:
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
  case 2:
    let start = Int.random(in: 0..<bytes.count - 4, using: &random)
    let word: [UInt8] =
      [[255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 0], [128, 0, 0, 0], [0, 1, 0, 0]]
      .randomElement(using: &random) ?? []
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
