public import HDRRender
public import ImageCore

/// The layout of a picture in memory that belongs to someone else: a mapped buffer of a display,
/// camera or encoder.
public struct PixelLayout: Sendable, Hashable {
  /// Columns and rows.
  public let size: PixelSize
  /// Bytes from one row to the next, of each plane.
  public let bytesPerRow: [Int]

  /// The layout of one plane, or of two: luma, then interleaved Cb and Cr.
  public init(size: PixelSize, bytesPerRow: [Int]) {
    (self.size, self.bytesPerRow) = (size, bytesPerRow)
  }
}

extension PixelPacking {
  /// Renders `source` into `memory`, for formats of one plane, and returns their attachments.
  /// Padding after the pixels of a row is left unchanged. Throws, and writes nothing, when sizes,
  /// planes or rows do not fit. For memory given by address, pass
  /// `UnsafeMutableRawBufferPointer.mutableBytes`.
  public func render(
    _ source: any PixelSource<DisplayReferred>, as layout: PixelLayout,
    into memory: inout MutableRawSpan, workers: Int = Parallel.defaultWorkers
  ) throws(OperatorError) -> PixelAttachments {
    let shapes = try shapes(of: source, layout, [memory.byteCount])
    let bands = try bands(source, shapes.map(\.bytes), workers)
    Self.copy(bands, 0, shapes[0].bytes, layout.bytesPerRow[0], into: &memory)
    return attachments()
  }

  // Swift 6.2 allows one such span among the parameters of a method.
  #if compiler(>=6.3)
    /// The same for formats of two planes.
    public func render(
      _ source: any PixelSource<DisplayReferred>, as layout: PixelLayout,
      intoLuma luma: inout MutableRawSpan, chroma: inout MutableRawSpan,
      workers: Int = Parallel.defaultWorkers
    ) throws(OperatorError) -> PixelAttachments {
      let shapes = try shapes(of: source, layout, [luma.byteCount, chroma.byteCount])
      let bands = try bands(source, shapes.map(\.bytes), workers)
      Self.copy(bands, 0, shapes[0].bytes, layout.bytesPerRow[0], into: &luma)
      Self.copy(bands, 1, shapes[1].bytes, layout.bytesPerRow[1], into: &chroma)
      return attachments()
    }
  #endif

  /// Bytes in use of a row, and rows, of each plane; throws when planes of `counts` bytes do not
  /// hold them.
  private func shapes(
    of source: any PixelSource<DisplayReferred>, _ layout: PixelLayout, _ counts: [Int]
  ) throws(OperatorError) -> [(bytes: Int, rows: Int)] {
    guard layout.size == source.size, source.size.area > 0 else {
      throw OperatorError(
        "pixels", "a picture of \(source.size) into memory for \(layout.size); give one of its size"
      )
    }
    guard layout.bytesPerRow.count == counts.count else {
      throw OperatorError(
        "pixels",
        "\(layout.bytesPerRow.count) lengths of rows for \(counts.count) planes; give one for each")
    }
    return try PackedPicture.shapes(
      format, source.size,
      heldBy: zip(counts, layout.bytesPerRow).map { (bytes: $0, bytesPerRow: $1) })
  }

  /// Copies the rows of plane `index` of all bands, `rowBytes` each, to rows of `pitch` bytes.
  private static func copy(
    _ bands: [[[UInt8]]], _ index: Int, _ rowBytes: Int, _ pitch: Int,
    into memory: inout MutableRawSpan
  ) {
    // Slicing the buffer checks the bounds.
    unsafe memory.withUnsafeMutableBytes { memory in
      for (band, planes) in bands.enumerated() {
        let top = band * bandHeight / (index == 0 ? 1 : 2)
        for y in 0..<planes[index].count / rowBytes {
          let start = (top + y) * pitch
          unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + rowBytes])
            .copyBytes(from: planes[index][y * rowBytes..<(y + 1) * rowBytes])
        }
      }
    }
  }
}
