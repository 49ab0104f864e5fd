import SyntheticRaw

/// The random numbers of one seed.
struct Draws: RandomNumberGenerator {
  private let seed: UInt64
  private var count: UInt64 = 0

  init(seed: UInt32) {
    // So that seeds in a row share no numbers.
    self.seed = UInt64(seed) << 32
  }

  mutating func next() -> UInt64 {
    count += 1
    return IntegerNoise.bits(count, seed: seed)
  }
}
