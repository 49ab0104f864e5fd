import Codecs

/// The DWAA and DWAB compression of OpenEXR for chunks of R, G and B, and A if there is one: lossy
/// coefficients (``DWATransform``), packed (``DWAPacker``). They differ in the lines of a chunk
/// alone. A coder of our own: the C core of OpenEXR 3.1 writes neither; the C++ library of Debian
/// 12 does, but adds 0.7 ms to every start of a program that links it, takes 1.6 times the CPU
/// time, and makes files that are 2 % larger. Not synchronized.
@safe final class EXRDWA {
  private let transform: DWATransform
  private let packer: DWAPacker
  /// First coefficients, of each channel together, and the others.
  private var words = unsafe UnsafeMutableBufferPointer<UInt16>(start: nil, count: 0)

  init(level: Float, isHalf: Bool, channels: Int) throws(CodecError) {
    transform = DWATransform(level: level, isHalf: isHalf, channels: channels)
    packer = try DWAPacker(isHalf: isHalf, channels: channels)
  }

  deinit { unsafe words.deallocate() }

  /// Codes `chunk` of `width` columns into `target`, which takes as many bytes; returns how many
  /// are used.
  func compress(
    _ chunk: UnsafeRawBufferPointer, width: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    let blocks = transform.blocks(chunk.count, width: width)
    let needed = DWATransform.maxWords * blocks
    if unsafe words.count < needed {
      unsafe words.deallocate()
      unsafe words = .allocate(capacity: needed)
    }
    let count = unsafe transform.transform(chunk, width: width, into: words)
    return try unsafe packer.pack(
      first: UnsafeMutableBufferPointer(rebasing: words[..<(3 * blocks)]),
      rest: UnsafeMutableBufferPointer(rebasing: words[(3 * blocks)..<count]), of: chunk,
      width: width, into: target)
  }

  /// Stores `lines`, which are a part of a chunk, followed by their coefficients, as ``DWAStrips``
  /// takes them. Returns the number of bytes.
  func transform(
    _ lines: UnsafeRawBufferPointer, width: Int, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    unsafe target.copyMemory(from: lines)
    let words = unsafe UnsafeMutableRawBufferPointer(rebasing: target[lines.count...])
    return unsafe lines.count + 2
      * transform.transform(lines, width: width, into: words.bindMemory(to: UInt16.self))
  }
}
