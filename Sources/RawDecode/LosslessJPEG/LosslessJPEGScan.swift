import ImageCore

/// Decodes the rows of one lossless JPEG stream: differences, then prediction, two rows at a time.
struct LosslessJPEGScan {
  let header: LosslessJPEGHeader
  private let stream: ByteView

  /// The scan of `stream`, which must outlive it. With `extended`, category 16 has 16 bits of
  /// value.
  init(_ stream: ByteView, extended: Bool) throws(LosslessJPEGHeader.Fault) {
    header = try LosslessJPEGHeader(stream, extended: extended)
    self.stream = stream
  }

  /// Passes rows, starting at the first, with their number to `take` while it returns true. False
  /// if the stream is damaged before that.
  func forEachRow(_ take: (_ y: Int, _ row: CodeRowView) -> Bool) -> Bool {
    unsafe header.tables.withUnsafeBufferPointer { entries in
      guard let first = entries.baseAddress else { return false }
      var reader = unsafe LosslessJPEGReader(
        stream, from: header.dataStart, count: header.samplesPerRow, tables: header.tableStarts,
        first: first)
      return decode(with: &reader, take)
    }
  }

  private func decode(
    with reader: inout LosslessJPEGReader, _ take: (_ y: Int, _ row: CodeRowView) -> Bool
  ) -> Bool {
    let count = header.samplesPerRow
    let rows = RowMemory<UInt16>(count: 2 * count)
    let middle = RowMemory<UInt16>(count: header.components)
    middle.row.update(repeating: 1 << UInt16(header.bits - 1), count: header.components)
    for y in 0..<header.rows {
      let row = rows.row.from((y & 1) * count)
      let restarts = header.restartRows > 0 && y > 0 && y % header.restartRows == 0
      if restarts, !reader.restart(y / header.restartRows - 1) { return false }
      let above = restarts || y == 0 ? nil : rows.row.from((1 - y & 1) * count)
      var all: UInt16
      if let above, header.predictor > 1 {
        _ = reader.read(count, into: row, left: nil)
        all = LosslessJPEGPrediction.apply(header, to: row, above: above)
      } else {
        all = reader.read(count, into: row, left: above ?? middle.row)
      }
      if reader.isDamaged || all >> UInt16(header.bits - 1) > 1 { return false }
      if !take(y, row) { return true }
    }
    return true
  }
}
