public import ImageCore

/// Memory of others that a picture is rendered into: a mapped buffer of a display, camera or encoder.
///
/// It is written only while ``PixelPacking/render(_:into:workers:)`` runs, and must be there that long.
public struct PixelTarget {
  /// Columns and rows.
  public let size: PixelSize
  /// One plane, or two: luma, then Cb and Cr in turn.
  public let planes: [UnsafeMutableRawBufferPointer]
  /// Bytes from one row to the next, of each plane.
  public let bytesPerRow: [Int]

  /// Memory for a picture of `size`.
  public init(size: PixelSize, planes: [UnsafeMutableRawBufferPointer], bytesPerRow: [Int]) {
    (self.size, self.planes, self.bytesPerRow) = (size, planes, bytesPerRow)
  }
}

extension PixelPacking {
  /// Renders `source` into `target` and says what its numbers mean. The bytes behind the pixels of a row stay
  /// as they were. Throws, and writes nothing, when sizes, planes or rows do not fit.
  public func render(
    _ source: any PixelSource<DisplayReferred>, into target: PixelTarget,
    workers: Int = Parallel.defaultWorkers
  ) throws(OperatorError) -> PixelAttachments {
    let shapes = PackedPicture.shapes(format, source.size)
    guard target.size == source.size, source.size.area > 0 else {
      throw OperatorError(
        "pixels", "a picture of \(source.size) into memory for \(target.size); give one of its size"
      )
    }
    guard target.planes.count == shapes.count, target.bytesPerRow.count == shapes.count else {
      throw OperatorError(
        "pixels", "\(target.planes.count) planes; \(format.rawValue) has \(shapes.count)")
    }
    for (index, shape) in shapes.enumerated() {
      let (memory, pitch) = (target.planes[index], target.bytesPerRow[index])
      let (rows, overflow) = pitch.multipliedReportingOverflow(by: shape.rows - 1)
      guard pitch >= shape.bytes, !overflow, memory.count >= shape.bytes,
        memory.count - shape.bytes >= rows
      else {
        throw OperatorError(
          "pixels",
          "\(memory.count) bytes in rows of \(pitch) do not hold \(shape.rows) rows of "
            + "\(shape.bytes); give them all")
      }
    }
    for (band, bytes) in bands(source, shapes.map(\.bytes), workers).enumerated() {
      for (index, shape) in shapes.enumerated() {
        let top = band * Self.bandHeight / (index == 0 ? 1 : 2)
        for y in 0..<bytes[index].count / shape.bytes {
          let start = (top + y) * target.bytesPerRow[index]
          UnsafeMutableRawBufferPointer(
            rebasing: target.planes[index][start..<start + shape.bytes]
          ).copyBytes(from: bytes[index][y * shape.bytes..<(y + 1) * shape.bytes])
        }
      }
    }
    return PixelAttachments(
      primaries: primaries, transfer: transfer, matrix: format.isBiplanar ? matrix : nil)
  }
}
