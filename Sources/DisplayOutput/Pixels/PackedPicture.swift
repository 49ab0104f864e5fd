public import HDRRender
public import ImageCore

/// A picture in memory, laid out as a ``PixelFormat``, and what its values mean.
public struct PackedPicture: Sendable {
  /// Rows of one plane.
  public struct Plane: Sendable, Hashable {
    /// The rows, from the top.
    public let bytes: [UInt8]
    /// Bytes from one row to the next.
    public let bytesPerRow: Int

    /// Rows of `bytesPerRow` bytes; the last may end after its pixels.
    public init(bytes: [UInt8], bytesPerRow: Int) {
      (self.bytes, self.bytesPerRow) = (bytes, bytesPerRow)
    }

    /// The little-endian 16-bit word at byte `offset`.
    func word(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
  }

  /// Columns and rows.
  public let size: PixelSize
  /// The layout of the samples.
  public let format: PixelFormat
  /// One plane, or two: luma, then interleaved Cb and Cr.
  public let planes: [Plane]
  /// The meaning of the values; pixels without attachments are read as
  /// ``PixelAttachments/standard``.
  public var attachments: PixelAttachments?

  /// Throws when the planes are too small for `size`, which has a pixel.
  public init(
    size: PixelSize, format: PixelFormat, planes: [Plane], attachments: PixelAttachments? = nil
  ) throws(OperatorError) {
    guard (1...1 << 24).contains(size.width), (1...1 << 24).contains(size.height) else {
      throw OperatorError("pixels", "\(size) is no picture; give sides of 1 to \(1 << 24)")
    }
    _ = try Self.shapes(
      format, size, heldBy: planes.map { (bytes: $0.bytes.count, bytesPerRow: $0.bytesPerRow) })
    self.size = size
    self.format = format
    self.planes = planes
    self.attachments = attachments
  }

  /// Bytes in use of a row, and rows, of each plane.
  static func shapes(_ format: PixelFormat, _ size: PixelSize) -> [(bytes: Int, rows: Int)] {
    let first = (bytes: size.width * format.bytesPerPixel, rows: size.height)
    if !format.isBiplanar { return [first] }
    return [first, (bytes: (size.width + 1) / 2 * 4, rows: (size.height + 1) / 2)]
  }

  /// The same; throws when `planes` do not hold them.
  static func shapes(
    _ format: PixelFormat, _ size: PixelSize, heldBy planes: [(bytes: Int, bytesPerRow: Int)]
  ) throws(OperatorError) -> [(bytes: Int, rows: Int)] {
    let shapes = shapes(format, size)
    guard planes.count == shapes.count else {
      throw OperatorError(
        "pixels", "\(planes.count) planes; \(format.rawValue) has \(shapes.count)")
    }
    for (plane, shape) in zip(planes, shapes) {
      let (rows, overflow) = plane.bytesPerRow.multipliedReportingOverflow(by: shape.rows - 1)
      guard plane.bytesPerRow >= shape.bytes, !overflow, plane.bytes >= shape.bytes,
        plane.bytes - shape.bytes >= rows
      else {
        throw OperatorError(
          "pixels",
          "\(plane.bytes) bytes in rows of \(plane.bytesPerRow) do not hold "
            + "\(shape.rows) rows of \(shape.bytes); give complete rows")
      }
    }
    return shapes
  }

  /// The picture as linear values. Alpha is left out. Color differences are co-sited with the top
  /// left of each four pixels and interpolated linearly between. Throws for hybrid log-gamma in
  /// other primaries than BT.2020, and linear luma.
  public func linear() throws(OperatorError) -> any PixelSource<DisplayReferred> {
    let meaning = attachments ?? .standard
    try PixelPacking.check(format, meaning.transfer, meaning.primaries)
    return format.isBiplanar
      ? BiplanarSource(self, meaning) : try InterleavedSource(self, meaning)
  }
}
