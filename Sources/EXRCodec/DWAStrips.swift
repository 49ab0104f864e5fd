import Codecs

/// Makes the chunks of a DWAB file, 256 lines, of strips of 32 that several threads have
/// transformed (``EXRDWA/transform(_:width:into:)``): no thread holds more lines than in DWAA. Not
/// synchronized.
@safe final class DWAStrips {
  /// Lines of a strip, a multiple of the lines of a block, and of a chunk of DWAB.
  static let lines = 32
  private static let chunkLines = 256

  private let width: Int
  private let lineBytes: Int
  private let blocksAcross: Int
  private let packer: DWAPacker
  /// The lines of the chunk, to which it is packed.
  private let chunk: UnsafeMutableRawBufferPointer
  private let first: UnsafeMutableBufferPointer<UInt16>
  private let rest: UnsafeMutableBufferPointer<UInt16>
  private var linesAdded = 0
  private var restCount = 0

  init(width: Int, isHalf: Bool, channels: Int) throws(CodecError) {
    let lines = Self.chunkLines
    self.width = width
    lineBytes = channels * width * (isHalf ? 2 : 4)
    packer = try DWAPacker(isHalf: isHalf, channels: channels)
    blocksAcross = DWATransform.blocks(width, 1)
    let blocks = DWATransform.blocks(width, lines)
    unsafe chunk = .allocate(byteCount: lines * lineBytes, alignment: 64)
    unsafe first = .allocate(capacity: 3 * blocks)
    unsafe rest = .allocate(capacity: (DWATransform.maxWords - 3) * blocks)
  }

  deinit {
    unsafe chunk.deallocate()
    unsafe first.deallocate()
    unsafe rest.deallocate()
  }

  /// Adds a strip of `lines` lines to a chunk of `height`. Returns the chunk with its last one,
  /// valid until the next call.
  func add(
    _ strip: UnsafeRawBufferPointer, lines: Int, of height: Int
  ) throws(CodecError) -> UnsafeRawBufferPointer? {
    let pixels = lines * lineBytes
    unsafe UnsafeMutableRawBufferPointer(rebasing: chunk[(linesAdded * lineBytes)...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: strip[..<pixels]))
    let words = unsafe UnsafeRawBufferPointer(rebasing: strip[pixels...])
      .assumingMemoryBound(to: UInt16.self)
    let blocks = DWATransform.blocks(width, lines)
    let allBlocks = DWATransform.blocks(width, height)
    for channel in 0..<3 {
      let start = channel * allBlocks + linesAdded / 8 * blocksAcross
      for block in 0..<blocks {
        unsafe first[start + block] = words[channel * blocks + block]
      }
    }
    let added = unsafe UnsafeBufferPointer(rebasing: words[(3 * blocks)...])
    unsafe _ = rest[restCount...].update(fromContentsOf: added)
    restCount += added.count
    linesAdded += lines
    guard linesAdded == height else { return nil }
    let made = try unsafe packer.pack(
      first: UnsafeMutableBufferPointer(rebasing: first[..<(3 * allBlocks)]),
      rest: UnsafeMutableBufferPointer(rebasing: rest[..<restCount]),
      of: UnsafeRawBufferPointer(rebasing: chunk[..<(height * lineBytes)]), width: width,
      into: chunk)
    (linesAdded, restCount) = (0, 0)
    return unsafe UnsafeRawBufferPointer(rebasing: chunk[..<made])
  }
}
