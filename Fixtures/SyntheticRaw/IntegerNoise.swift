/// Repeatable randomness from integers: the same inputs give the same value on every machine.
///
/// The generator is the finalizer of MurmurHash3 (Appleby 2011) over a mixed lattice position for
/// textures, and SplitMix64 (Steele, Lea, Flood 2014) over a counter for sensor noise. A normal
/// variate is the sum of eight 16-bit uniforms (Irwin–Hall), mean 0, variance 1, bounded by ±4.9:
/// its tails end there, which no test of a noise model at up to three sigma can see.
package enum IntegerNoise {
  /// A value in 0..<1 for the lattice point (`x`, `y`) of the texture `seed`.
  package static func uniform(_ x: Int32, _ y: Int32, seed: UInt32) -> Float {
    var h =
      (UInt32(bitPattern: x) &* 0x8DA6_B343) ^ (UInt32(bitPattern: y) &* 0xD816_3841)
      ^ (seed &* 0xCB1A_B31F)
    h = (h ^ (h >> 16)) &* 0x85EB_CA6B
    h = (h ^ (h >> 13)) &* 0xC2B2_AE35
    h ^= h >> 16
    return Float(h >> 8) * 0x1p-24
  }

  /// Smooth noise in 0..<1 with independent values at integer coordinates (Perlin's quintic).
  package static func value(_ x: Float, _ y: Float, seed: UInt32) -> Float {
    let floorX = x.rounded(.down)
    let floorY = y.rounded(.down)
    let (ix, iy) = (Int32(floorX), Int32(floorY))
    let (u, v) = (quintic(x - floorX), quintic(y - floorY))
    let a = uniform(ix, iy, seed: seed)
    let b = uniform(ix &+ 1, iy, seed: seed)
    let c = uniform(ix, iy &+ 1, seed: seed)
    let d = uniform(ix &+ 1, iy &+ 1, seed: seed)
    let top = a + (b - a) * u
    return top + (c + (d - c) * u - top) * v
  }

  /// Sum of `octaves` of smooth noise, each twice as fine and half as strong; 0..<1.
  package static func fractal(_ x: Float, _ y: Float, octaves: Int, seed: UInt32) -> Float {
    var (px, py) = (x, y)
    var strength: Float = 0.5
    var sum: Float = 0
    var total: Float = 0
    for octave in 0..<octaves {
      sum += strength * value(px, py, seed: seed &+ UInt32(octave) &* 101)
      total += strength
      strength *= 0.5
      px = px * 2 + 17.25
      py = py * 2 - 9.75
    }
    return sum / total
  }

  private static func quintic(_ t: Float) -> Float { t * t * t * (t * (t * 6 - 15) + 10) }

  /// 64 random bits for the `counter`-th draw of `seed`.
  package static func bits(_ counter: UInt64, seed: UInt64) -> UInt64 {
    var z = (seed &+ counter) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A normal variate, mean 0 and variance 1, for the `counter`-th draw of `seed`.
  package static func normal(_ counter: UInt64, seed: UInt64) -> Float {
    let a = bits(counter &* 2, seed: seed)
    let b = bits(counter &* 2 &+ 1, seed: seed)
    var sum: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 16) {
      sum += ((a >> shift) & 0xFFFF) + ((b >> shift) & 0xFFFF)
    }
    // Eight uniforms on 0…65535 have the mean 4 · 65535 and the variance 8 · (65536² − 1) / 12.
    return (Float(sum) - 262_140) * (1 / 53_509.93)
  }
}
