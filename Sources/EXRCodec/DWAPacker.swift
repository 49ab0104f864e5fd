import Codecs

/// Packs the coefficients of a DWA chunk.
///
/// Source: `ImfDwaCompressor.cpp` of OpenEXR, by DreamWorks Animation, which describes the format,
/// version 2: eleven 64-bit numbers, the rules by which channels are coded, channels without rules,
/// here alpha, by zlib, the coefficients of each block after the first in codes of ``EXRHuffman``,
/// and the first ones as in ZIP. A chunk that does not become smaller is stored uncompressed. Not
/// synchronized.
@safe final class DWAPacker {
  static let numbers = 11
  /// Bytes of the rules, then for R, G and B: name, index among the three and lossy DCT, type.
  private static let rules: [UInt8] = [14, 0, 82, 0, 0x14, 1, 71, 0, 0x24, 1, 66, 0, 0x34, 1]

  private let isHalf: Bool
  /// Of a line: B, G and R, or A before them.
  private let channels: Int
  private let huffman = EXRHuffman()
  private let deflate: DeflateCompressor
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(isHalf: Bool, channels: Int) throws(CodecError) {
    (self.isHalf, self.channels) = (isHalf, channels)
    deflate = try DeflateCompressor(level: 6)
  }

  deinit { unsafe memory.deallocate() }

  /// Stores the chunk with these coefficients, or `chunk`, its lines of `width` columns, in
  /// `target`, which has the same size; returns how many bytes are used.
  func pack(
    first: UnsafeMutableBufferPointer<UInt16>, rest: UnsafeMutableBufferPointer<UInt16>,
    of chunk: UnsafeRawBufferPointer, width: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    let alphaBytes = channels == 4 ? chunk.count / 4 : 0
    let head = 8 * Self.numbers + Self.rules.count
    let bound =
      head + deflate.bound(alphaBytes) + EXRHuffman.bound(rest.count)
      + deflate.bound(2 * first.count)
    let needed = bound + max(2 * first.count, alphaBytes)
    if unsafe memory.count < needed {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: needed, alignment: 64)
    }
    var at = head
    if alphaBytes > 0 {
      let line = width * (isHalf ? 2 : 4)
      let plane = unsafe UnsafeMutableRawBufferPointer(
        rebasing: memory[bound..<(bound + alphaBytes)])
      for row in 0..<(alphaBytes / line) {
        unsafe UnsafeMutableRawBufferPointer(rebasing: plane[(row * line)...]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: chunk[(4 * row * line)..<((4 * row + 1) * line)]))
      }
      at += try unsafe deflate.compress(
        UnsafeRawBufferPointer(plane),
        into: UnsafeMutableRawBufferPointer(rebasing: memory[head..<bound]))
    }
    let alphaEnd = at
    let restBytes = unsafe huffman.compress(
      UnsafeBufferPointer(rest), into: UnsafeMutableRawBufferPointer(rebasing: memory[at...]))
    at += restBytes
    let differences = unsafe UnsafeMutableRawBufferPointer(
      rebasing: memory[bound..<(bound + 2 * first.count)])
    unsafe EXRZip.rearrange(UnsafeRawBufferPointer(first), into: differences)
    let firstBytes = try unsafe deflate.compress(
      UnsafeRawBufferPointer(differences),
      into: UnsafeMutableRawBufferPointer(rebasing: memory[at..<bound]))
    let made = at + firstBytes
    guard made < chunk.count else {
      unsafe target.copyMemory(from: chunk)
      return chunk.count
    }
    // Version; bytes of other channels, and as stored; bytes of both parts; three of run lengths;
    // words of both parts; 0 for Huffman codes.
    let numbers = [
      2, alphaBytes, alphaEnd - head, restBytes, firstBytes, 0, 0, 0, rest.count, first.count, 0,
    ]
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
