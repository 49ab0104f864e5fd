import Codecs

/// Packs the coefficients of a DWA chunk.
///
/// Source: `ImfDwaCompressor.cpp` of OpenEXR, by DreamWorks Animation, which describes the format,
/// version 2: eleven 64-bit numbers, the rules by which channels are coded, the coefficients but
/// the first of each block in codes of ``EXRHuffman``, and the first ones as ZIP has them. A chunk
/// that does not become smaller is stored as it is, without loss. Not synchronized.
@safe final class DWAPacker {
  static let numbers = 11
  /// Bytes of the rules, then for R, G and B: name, place among the three and lossy DCT, type.
  private static let rules: [UInt8] = [14, 0, 82, 0, 0x14, 1, 71, 0, 0x24, 1, 66, 0, 0x34, 1]

  private let isHalf: Bool
  private let huffman = EXRHuffman()
  private let deflate: DeflateCompressor
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(isHalf: Bool) throws(CodecError) {
    self.isHalf = isHalf
    deflate = try DeflateCompressor(level: 6)
  }

  deinit { unsafe memory.deallocate() }

  /// Stores the chunk of those coefficients, or `chunk`, its lines, in `target`, which takes as
  /// many bytes; returns how many are used.
  func pack(
    first: UnsafeMutableBufferPointer<UInt16>, rest: UnsafeMutableBufferPointer<UInt16>,
    of chunk: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    let head = 8 * Self.numbers + Self.rules.count
    let most = head + EXRHuffman.bound(rest.count) + deflate.bound(2 * first.count)
    if unsafe memory.count < most + 2 * first.count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: most + 2 * first.count, alignment: 64)
    }
    let restBytes = unsafe huffman.compress(
      UnsafeBufferPointer(rest), into: UnsafeMutableRawBufferPointer(rebasing: memory[head...]))
    let differences = unsafe UnsafeMutableRawBufferPointer(
      rebasing: memory[most..<(most + 2 * first.count)])
    unsafe EXRZip.rearrange(UnsafeRawBufferPointer(first), into: differences)
    let firstBytes = try unsafe deflate.compress(
      UnsafeRawBufferPointer(differences),
      into: UnsafeMutableRawBufferPointer(rebasing: memory[(head + restBytes)..<most]))
    let made = head + restBytes + firstBytes
    guard made < chunk.count else {
      unsafe target.copyMemory(from: chunk)
      return chunk.count
    }
    // Version; two of other channels; bytes of both parts; three of run lengths; words of both
    // parts; 0 for Huffman codes.
    let numbers = [2, 0, 0, restBytes, firstBytes, 0, 0, 0, rest.count, first.count, 0]
    for (index, number) in numbers.enumerated() {
      unsafe memory.storeBytes(
        of: UInt64(number).littleEndian, toByteOffset: 8 * index, as: UInt64.self)
    }
    for (index, byte) in Self.rules.enumerated() {
      let isType = index > 2 && index % 4 == 1
      unsafe memory[8 * Self.numbers + index] = isType && !isHalf ? 2 : byte
    }
    unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<made]))
    return made
  }
}
