public import Formats
import HDRRender
public import ImageCore
import Synchronization

/// Finished pictures as code values in memory, for screens: the codes that the writers of PNG write
/// for the same pixels, bit for bit.
public struct ScreenPixels: Sendable {
  /// What code values mean.
  public let space: ColorSpace
  private let workers: Int

  /// Pixels in `space`. `workers`: maximum threads; they do not change the values.
  public init(_ space: ColorSpace, workers: Int = Parallel.defaultWorkers) {
    (self.space, self.workers) = (space, max(workers, 1))
  }

  /// `picture` in 8 bits each of red, green, blue, and 255, row by row without gaps. Values above
  /// reference white are rolled off (BT.2390), if the picture declares headroom. Throws
  /// `WriteError` where its primaries are not the space's.
  public func rgba8(_ picture: some PixelSource<DisplayReferred>) throws -> [UInt8] {
    try WriteError.check(picture.info, in: space.primaries, of: "picture on screen")
    let size = picture.size
    let toneMapping = space.toneMapping(headroom: picture.info.headroom)
    let (encoder, rowBytes) = (space.rowEncoder, 4 * size.width)
    let bands = PictureBands(picture, workers: workers)
    let count = rowBytes * size.height
    return try unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      nonisolated(unsafe) let first = bytes.baseAddress
      try bands.forEach { band, _ in
        _ = band.rollOff(toneMapping)
        guard let first = unsafe first else { return }
        for piece in band.pieces {
          var codes = [UInt16](repeating: 0, count: 3 * piece.columns.count)
          unsafe codes.withUnsafeMutableBufferPointer { codes in
            guard let scratch = codes.baseAddress else { return }
            for y in 0..<band.rect.height {
              unsafe encoder.encode(
                piece.rows(y), scratch: scratch,
                intoRGBA: first + (band.rect.y + y) * rowBytes + 4 * piece.columns.lowerBound)
            }
          }
        }
      } consume: { _, _ in
      }
      filled = count
    }
  }

  /// Code values of one pixel, of `bits` bits, full range. `linear` is in the primaries of the
  /// space.
  public func codes(_ linear: SIMD3<Float>, bits: Int, headroom: Float = 1) throws(PixelError)
    -> SIMD3<Int>
  {
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for plane in 0..<3 { buffer.row(plane, 0)[0] = linear[plane] }
    if let toneMapping = space.toneMapping(headroom: headroom) {
      toneMapping.apply(buffer.rows(0))
    }
    var codes = [UInt16](repeating: 0, count: 3)
    unsafe codes.withUnsafeMutableBufferPointer { codes in
      if let first = codes.baseAddress {
        unsafe space.rowEncoder.encode(buffer.rows(0), into: first)
      }
    }
    let top = (UInt64(1) << UInt64(bits)) - 1
    func code(_ code: UInt16) -> Int { Int((UInt64(code) * top + 32_767) / 65_535) }
    return SIMD3(code(codes[0]), code(codes[1]), code(codes[2]))
  }
}

extension RowEncoder {
  /// The same codes of 8 bits, with 255 after each pixel.
  func encode(
    _ rows: RGBRows, scratch: UnsafeMutablePointer<UInt16>,
    intoRGBA bytes: UnsafeMutablePointer<UInt8>
  ) {
    unsafe encode(rows, into: scratch)
    for x in 0..<rows.count {
      let from = unsafe scratch + 3 * x
      let codes = unsafe SIMD4<UInt16>(from[0], from[1], from[2], .max)
      // Divided by 65,535, exactly.
      let scaled = SIMD4<UInt32>(truncatingIfNeeded: codes) &* 255 &+ 32_767
      let bits = (scaled &+ 1 &+ (scaled &>> 16)) &>> 16
      unsafe UnsafeMutableRawPointer(bytes).storeBytes(
        of: SIMD4<UInt8>(truncatingIfNeeded: bits), toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
    }
  }
}
