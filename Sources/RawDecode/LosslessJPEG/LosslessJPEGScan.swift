import ImageCore

/// Decodes the rows of one lossless JPEG stream: differences, then prediction, two rows at a time.
struct LosslessJPEGScan {
  let header: LosslessJPEGHeader
  private let stream: ByteView

  /// The scan of `stream`, which the caller keeps alive. With `extended`, category 16 has 16 bits
  /// of value.
  init(_ stream: ByteView, extended: Bool) throws(LosslessJPEGHeader.Fault) {
    header = try LosslessJPEGHeader(stream, extended: extended)
    self.stream = stream
  }

  /// Hands rows, from the first, to `take` with their number, as long as it asks for more by
  /// returning true. False when the stream is damaged before that.
  func forEachRow(_ take: (_ y: Int, _ row: CodeRowView) -> Bool) -> Bool {
    unsafe header.tables.withUnsafeBufferPointer { entries in
      guard let start = entries.baseAddress,
        var reader = LosslessJPEGReader(stream, from: header.dataStart)
      else { return false }
      let tables = header.tableStarts.map { unsafe LosslessJPEGTable.Lookup(start + $0) }
      return decode(with: &reader, tables, take)
    }
  }

  private func decode(
    with reader: inout LosslessJPEGReader, _ tables: [LosslessJPEGTable.Lookup],
    _ take: (_ y: Int, _ row: CodeRowView) -> Bool
  ) -> Bool {
    let count = header.samplesPerRow
    let rows = RowMemory<UInt16>(count: 2 * count)
    for y in 0..<header.rows {
      let row = rows.row.from((y & 1) * count)
      let restarts = header.restartRows > 0 && y > 0 && y % header.restartRows == 0
      if restarts, !reader.restart(y / header.restartRows - 1) { return false }
      reader.read(count, into: row, tables: tables)
      if reader.isDamaged { return false }
      let above = restarts || y == 0 ? nil : rows.row.from((1 - y & 1) * count)
      LosslessJPEGPrediction.apply(header, to: row, above: above)
      if header.bits < 16, !isWithin(row, count) { return false }
      if !take(y, row) { return true }
    }
    return true
  }

  /// Whether no sample has more than `bits` bits.
  private func isWithin(_ row: CodeRowView, _ count: Int) -> Bool {
    var all: UInt16 = 0
    for i in 0..<count { all |= row[i] }
    return all >> UInt16(header.bits) == 0
  }
}
