public import HDRRender
public import ImageCore

/// Packs a picture of linear values into pixels in memory, for other programs and devices.
///
/// Code values are round(v · top), v clamped to 0…1; floats keep values outside. Values above the
/// signal range are tone-mapped first (`ReferenceWhiteToneMapping`): above 1 for linear and sRGB
/// integers, above 1000 cd/m² for hybrid log-gamma, 10,000 for PQ. Colors outside the primaries are
/// mapped to the gamut's surface, except for linear and sRGB floats, which keep them as negative
/// channels. Alpha is 1.
public struct PixelPacking: Sendable, Hashable {
  /// The layout of the samples.
  public let format: PixelFormat
  /// The function from linear values to signal.
  public let transfer: SignalTransfer
  /// Red, green and blue of the result.
  public let primaries: Primaries
  /// Whether integers are dithered.
  public let isDithered: Bool
  /// Alignment of rows, bytes.
  public let rowAlignment: Int

  /// Throws for hybrid log-gamma in other primaries than BT.2020, linear luma, PQ or hybrid
  /// log-gamma in eight bits, dithered floats, and alignments that are not a power of two up to
  /// 4096.
  public init(
    _ format: PixelFormat, transfer: SignalTransfer, primaries: Primaries = .bt2020,
    isDithered: Bool = false, rowAlignment: Int = 64
  ) throws(OperatorError) {
    try Self.check(format, transfer, primaries)
    if transfer.isHDR, !format.isHDRSafe {
      throw OperatorError(
        "pixels", "\(transfer.rawValue) in eight bits causes banding; use ten or more")
    }
    if isDithered, format.isFloat {
      throw OperatorError("pixels", "floats are not quantized; leave the dither out")
    }
    guard (1...4096).contains(rowAlignment), rowAlignment & (rowAlignment - 1) == 0 else {
      throw OperatorError(
        "pixels", "rows aligned to \(rowAlignment); give a power of two up to 4096")
    }
    (self.format, self.transfer, self.primaries) = (format, transfer, primaries)
    (self.isDithered, self.rowAlignment) = (isDithered, rowAlignment)
  }

  static func check(_ format: PixelFormat, _ transfer: SignalTransfer, _ primaries: Primaries)
    throws(OperatorError)
  {
    if transfer == .hlg, primaries != .bt2020 {
      throw OperatorError("pixels", "hybrid log-gamma in \(primaries.rawValue); use BT.2020")
    }
    if format.isBiplanar, transfer == .linear {
      throw OperatorError("pixels", "luma of linear values; use PQ, hybrid log-gamma or sRGB")
    }
  }

  /// Whether values above reference white are preserved.
  public var isHDRSafe: Bool { format.isHDRSafe && (transfer.isHDR || format.isFloat) }

  /// The pixels of `source`, with `hdrMetadata` attached. Throws when it has no pixel.
  public func callAsFunction(
    _ source: any PixelSource<DisplayReferred>, hdrMetadata: HDRMetadata = HDRMetadata(),
    workers: Int = Parallel.defaultWorkers
  ) throws(OperatorError) -> PackedPicture {
    let size = source.size
    let pitches = PackedPicture.shapes(format, size).map {
      ($0.bytes + rowAlignment - 1) / rowAlignment * rowAlignment
    }
    let bands = try bands(source, pitches, workers)
    let planes = pitches.enumerated().map { index, pitch in
      PackedPicture.Plane(bytes: bands.flatMap { $0[index] }, bytesPerRow: pitch)
    }
    return try PackedPicture(
      size: size, format: format, planes: planes, attachments: attachments(hdrMetadata))
  }

  /// What the pixels mean.
  func attachments(_ hdrMetadata: HDRMetadata = HDRMetadata()) -> PixelAttachments {
    PixelAttachments(
      primaries: primaries, transfer: transfer, matrix: format.isBiplanar ? matrix : nil,
      hdrMetadata: hdrMetadata)
  }

  /// Bands of the picture from the top, the bytes of each of their planes.
  func bands(
    _ source: any PixelSource<DisplayReferred>, _ pitches: [Int], _ workers: Int
  ) throws(OperatorError) -> [[[UInt8]]] {
    let signal = fitted(source)
    let size = source.size
    // An even number of rows: two make one row of color differences.
    let height = Self.bandHeight
    let pool = BufferPool()
    return try OperatorError.translating("pixels") { () throws(PixelError) in
      try Parallel.map(count: (size.height + height - 1) / height, workers: workers) {
        index throws(PixelError) in
        let rect = PixelRect(
          x: 0, y: index * height, width: size.width,
          height: min(height, size.height - index * height))
        return format.isBiplanar
          ? try BiplanarRows(self).pack(signal, rect, pitches, pool)
          : [try InterleavedRows(self).pack(signal, rect, pitches[0], pool)]
      }
    }
  }

  /// Rows of a band.
  static let bandHeight = 64

  /// The luma of the primaries.
  var matrix: LumaMatrix { primaries == .bt2020 ? .bt2020 : .bt709 }

  /// `source` brought into the range and gamut of the format.
  private func fitted(_ source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    if format.isFloat, !transfer.isHDR {
      return PrimariesConversion(source, to: primaries, .kept)
    }
    let held = PrimariesConversion(source, to: primaries, limit: transfer.headroom)
    if held.info.headroom <= transfer.headroom { return held }
    return DisplayRendering(.high, displayHeadroom: Double(transfer.headroom))(
      DisplayPicture(held))
  }

  /// The code value, 0…`top`, for a value on that scale.
  @inline(__always)
  func code(_ value: Float, top: Float, x: Int, y: Int) -> UInt16 {
    guard value > 0 else { return 0 }
    let half = isDithered ? OrderedDither.threshold(x, y) : 0.5
    return UInt16(min(value + half, top))
  }
}
