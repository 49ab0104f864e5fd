import Testing

@testable import RawFilter

/// What libxxhash 0.8.1 makes of the same bytes.
@Suite struct XXH64Tests {
  @Test(
    arguments: [
      (0, 0, 0xef46_db37_51d8_e999),
      (1, 0, 0x8a41_2781_1b21_e730),
      (3, 0, 0xb6e6_c910_c2fd_373a),
      (4, 0, 0x22ed_a2cf_6af4_c124),
      (8, 0, 0xc6f1_803a_5e0b_3222),
      (31, 0, 0x6ab1_c40e_29f5_0073),
      (32, 0, 0x5a07_56fb_e9ec_d3d1),
      (101, 0, 0x6bf4_5217_6f29_bc13),
      (101, 2654435761, 0xe91f_d633_6b39_b946),
    ] as [(Int, UInt64, UInt64)])
  func isTheHashOfTheLibrary(count: Int, seed: UInt64, hash: UInt64) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
    #expect(bytes.withUnsafeBytes { XXH64.hash($0, seed: seed) } == hash)
  }
}
