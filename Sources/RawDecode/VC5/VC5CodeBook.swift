/// The code book of VC-5, number 17 (SMPTE ST 2073-1, annex): a complete prefix code of runs of
/// zeros and magnitudes, of 1 to 26 bits; a sign follows a magnitude, 1 for negative.
///
/// Coded magnitudes 1 to 255 are companded: m represents m + ⌊768 · m³ / 255³⌋, 1 to 1023.
struct VC5CodeBook: Sendable {
  /// Number of bits that index ``prefixes``.
  static let prefixBits = 12

  /// The contents of the next 12 bits: as many complete codes as fit, up to and including the first
  /// magnitude. Bits 0 to 7 are their length, 8 to 15 the number of zeros, 16 to 31 the following
  /// coefficient, 0 for none. The length is 0 if the first code is longer.
  let prefixes: [UInt32]
  /// All codes, left-aligned in 26 bits, ascending.
  private let starts: [UInt32]
  private let meanings: [Meaning]

  /// The meaning of a code.
  struct Meaning: Sendable {
    /// Bits, without the sign.
    var length: Int
    /// Number of zeros; 0 for a magnitude.
    var run = 0
    /// Magnitude after expansion; 0 for none.
    var magnitude: Int16 = 0
    /// Neither: the end of a band.
    var isEnd: Bool { run == 0 && magnitude == 0 }
  }

  static let shared = VC5CodeBook()

  private init() {
    func meaning(_ code: UInt32, run: Int = 0, magnitude: Int = 0) -> (UInt32, Meaning) {
      let length = 31 - code.leadingZeroBitCount
      let cube = 768 * magnitude * magnitude * magnitude / (255 * 255 * 255)
      return (
        (code << UInt32(26 - length)) & 0x3FF_FFFF,
        Meaning(length: length, run: run, magnitude: Int16(magnitude + cube))
      )
    }
    var all = Self.magnitudes.enumerated().map { meaning($1, magnitude: $0 + 1) }
    all += Self.runs.map { meaning($1, run: $0) }
    all.append(meaning(Self.end))
    all.sort { $0.0 < $1.0 }
    let (starts, meanings) = (all.map(\.0), all.map(\.1))
    (self.starts, self.meanings) = (starts, meanings)
    prefixes = (0..<UInt32(1 << Self.prefixBits)).map { bits in
      var (length, zeros) = (0, 0)
      while true {
        let rest = bits << UInt32(26 - Self.prefixBits + length) & 0x3FF_FFFF
        let next = meanings[Self.index(of: rest, in: starts)]
        let signed = next.length + (next.magnitude > 0 ? 1 : 0)
        guard !next.isEnd, length + signed <= Self.prefixBits else { break }
        length += signed
        zeros += next.run
        if next.magnitude > 0 {
          let isNegative = bits >> UInt32(Self.prefixBits - length) & 1 == 1
          let value = isNegative ? -next.magnitude : next.magnitude
          return UInt32(UInt16(bitPattern: value)) << 16 | UInt32(zeros << 8 | length)
        }
        if length == Self.prefixBits { break }
      }
      return UInt32(zeros << 8 | length)
    }
  }

  /// The code at the start of the 26 bits `next`. There is always one.
  func meaning(of next: UInt32) -> Meaning { meanings[Self.index(of: next, in: starts)] }

  private static func index(of next: UInt32, in starts: [UInt32]) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= next { low = middle } else { high = middle }
    }
    return low
  }

  // The codes below have an additional leading 1 that marks their length.

  /// The code of each run of zeros.
  static let runs: [(zeros: Int, code: UInt32)] = [
    (1, 0x2), (12, 0xE9), (20, 0x1D1), (32, 0x38A), (60, 0x743), (100, 0xE85), (180, 0x38BF),
    (320, 0x3BA5),
  ]
  static let end: UInt32 = 0x711_4BA3
  /// The code of each magnitude, starting at 1.
  static let magnitudes: [UInt32] = [
    0x6, 0xF, 0x39, 0x70, 0x76, 0xE3, 0xEB, 0xEF, 0x1D4, 0x1DC, 0x389, 0x3A0, 0x3AB, 0x710, 0x716,
    0x754, 0x775, 0x777, 0xE23, 0xE84, 0xEAB, 0xEEC, 0x1C44, 0x1C5C, 0x1C5E, 0x1D55, 0x1DD1,
    0x1DD3, 0x1DDB, 0x388B, 0x38BB, 0x3AA8, 0x3BA0, 0x3BA4, 0x3BB5, 0x7115, 0x7175, 0x717D,
    0x7553, 0x7768, 0xE228, 0xE2E8, 0xE2F8, 0xEAA4, 0xEE85, 0xEE87, 0xEED3, 0x1C453, 0x1C5D3,
    0x1C5F3, 0x1DD08, 0x1DD0C, 0x1DDA4, 0x388A4, 0x38BA5, 0x38BE5, 0x3AA95, 0x3AA97, 0x3BA13,
    0x3BB4A, 0x3BB4B, 0x71748, 0x717C8, 0x75528, 0x7552C, 0x77424, 0x77434, 0x77436, 0xE2294,
    0xE2E92, 0xE2F92, 0xEAA52, 0xEAA5A, 0xEE84A, 0xEE86A, 0xEE86E, 0x1C452A, 0x1C5D27, 0x1C5F26,
    0x1D54A6, 0x1D54B6, 0x1DD096, 0x1DD0D6, 0x1DD0DE, 0x388A56, 0x38BA4D, 0x38BE4E, 0x38BE4F,
    0x3AA96E, 0x3BA12E, 0x3BA12F, 0x3BA1AF, 0x3BA1BF, 0x717498, 0x75529C, 0x75529D, 0x7552DE,
    0x7552DF, 0x77435D, 0x77437D, 0xE2295D, 0xE2E933, 0xEAA53D, 0xEAA53E, 0xEAA53F, 0xEE86B9,
    0xEE86F8, 0x1C452B8, 0x1C5D265, 0x1D54A78, 0x1D54A79, 0x1DD0D70, 0x1DD0D71, 0x1DD0DF2,
    0x1DD0DF3, 0x7114BA2, 0x388A5B1, 0x388A58B, 0x388A595, 0x388A5D6, 0x388A5D7, 0x388A5A8,
    0x388A5AE, 0x388A5AF, 0x388A5C4, 0x388A5C5, 0x388A587, 0x388A584, 0x388A585, 0x388A5C6,
    0x388A5C7, 0x388A5CC, 0x388A5CD, 0x388A581, 0x388A582, 0x388A583, 0x388A5CE, 0x388A5CF,
    0x388A5C2, 0x388A5C3, 0x388A5C1, 0x388A5B4, 0x388A5B5, 0x388A5E6, 0x388A5E7, 0x388A5E4,
    0x388A5E5, 0x388A5AB, 0x388A5E0, 0x388A5E1, 0x388A5E2, 0x388A5E3, 0x388A5B6, 0x388A5B7,
    0x388A5FD, 0x388A57E, 0x388A57F, 0x388A5EC, 0x388A5ED, 0x388A5FE, 0x388A5FF, 0x388A57D,
    0x388A59C, 0x388A59D, 0x388A5E8, 0x388A5E9, 0x388A5EA, 0x388A5EB, 0x388A5EF, 0x388A57A,
    0x388A57B, 0x388A578, 0x388A579, 0x388A5BA, 0x388A5BB, 0x388A5B8, 0x388A5B9, 0x388A588,
    0x388A589, 0x38BA4C8, 0x38BA4C9, 0x388A5FA, 0x388A5FB, 0x388A5BC, 0x388A5BD, 0x388A598,
    0x388A599, 0x388A5F4, 0x388A5F5, 0x388A59B, 0x388A5DE, 0x388A5DF, 0x388A596, 0x388A597,
    0x388A5F8, 0x388A5F9, 0x388A5F1, 0x388A58E, 0x388A58F, 0x388A5DC, 0x388A5DD, 0x388A5F2,
    0x388A5F3, 0x388A58C, 0x388A58D, 0x388A5A4, 0x388A5F0, 0x388A5A5, 0x388A5A6, 0x388A5A7,
    0x388A59A, 0x388A5A2, 0x388A5A3, 0x388A58A, 0x388A5B0, 0x388A5A0, 0x388A5A1, 0x388A5DA,
    0x388A5DB, 0x388A59E, 0x388A59F, 0x388A5D8, 0x388A5EE, 0x388A5D9, 0x388A5F6, 0x388A5F7,
    0x388A57C, 0x388A5C8, 0x388A5C9, 0x388A594, 0x388A5FC, 0x388A5CA, 0x388A5CB, 0x388A5B2,
    0x388A5AA, 0x388A5B3, 0x388A572, 0x388A573, 0x388A5C0, 0x388A5BE, 0x388A5BF, 0x388A592,
    0x388A580, 0x388A593, 0x388A590, 0x388A591, 0x388A586, 0x388A5A9, 0x388A5D2, 0x388A5D3,
    0x388A5D4, 0x388A5D5, 0x388A5AC, 0x388A5AD, 0x388A5D0,
  ]
}
