/// XXH64, the hash of 64 bits of xxHash (Yann Collet, "xxHash fast digest algorithm" 0.1.1). It
/// detects accidental changes and is not cryptographic; MD5 would take longer than the stages.
///
/// Implemented here because only `Batch` links libxxhash.
enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The hash of `bytes` with `seed`.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var at = 0
    func word<Word: FixedWidthInteger>(_ kind: Word.Type) -> UInt64 {
      defer { at += MemoryLayout<Word>.size }
      return UInt64(Word(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: kind)))
    }
    var hash = seed &+ prime5
    if bytes.count >= 32 {
      var (a, b, c, d) = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
      while at + 32 <= bytes.count {
        a = round(a, word(UInt64.self))
        b = round(b, word(UInt64.self))
        c = round(c, word(UInt64.self))
        d = round(d, word(UInt64.self))
      }
      hash = turned(a, 1) &+ turned(b, 7) &+ turned(c, 12) &+ turned(d, 18)
      for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
    }
    hash &+= UInt64(bytes.count)
    while at + 8 <= bytes.count {
      hash = turned(hash ^ round(0, word(UInt64.self)), 27) &* prime1 &+ prime4
    }
    if at + 4 <= bytes.count {
      hash = turned(hash ^ word(UInt32.self) &* prime1, 23) &* prime2 &+ prime3
    }
    while at < bytes.count { hash = turned(hash ^ word(UInt8.self) &* prime5, 11) &* prime1 }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    turned(lane &+ word &* prime2, 31) &* prime1
  }

  private static func turned(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value &<< bits | value &>> (64 - bits)
  }
}
