/// Decodes the rows of one lossless JPEG stream: differences, then prediction, two rows at a time.
struct LosslessJPEGScan {
  let header: LosslessJPEGHeader
  private let stream: UnsafeRawBufferPointer

  /// The scan of `stream`, which the caller keeps alive. With `extended`, category 16 has 16 bits
  /// of value.
  init(
    _ stream: UnsafeRawBufferPointer, extended: Bool
  ) throws(LosslessJPEGHeader.Fault) {
    header = try LosslessJPEGHeader(stream, extended: extended)
    self.stream = stream
  }

  /// Hands rows, from the first, to `take` with their number, as long as it asks for more by
  /// returning true. False when the stream is damaged before that.
  func forEachRow(_ take: (_ y: Int, _ row: UnsafePointer<UInt16>) -> Bool) -> Bool {
    guard let base = stream.baseAddress else { return false }
    let count = header.samplesPerRow
    let rows = UnsafeMutablePointer<UInt16>.allocate(capacity: 2 * count)
    rows.initialize(repeating: 0, count: 2 * count)
    defer { rows.deallocate() }
    return header.tables.withUnsafeBufferPointer { tables in
      guard let tables = tables.baseAddress else { return false }
      var reader = LosslessJPEGReader(
        (base + header.dataStart).assumingMemoryBound(to: UInt8.self),
        count: stream.count - header.dataStart)
      for y in 0..<header.rows {
        let row = rows + (y & 1) * count
        let restarts = header.restartRows > 0 && y > 0 && y % header.restartRows == 0
        if restarts, !reader.restart(y / header.restartRows - 1) { return false }
        reader.read(count, into: row, tables: tables, starts: header.tableStarts)
        if reader.isDamaged { return false }
        let above = UnsafePointer(rows + (1 - y & 1) * count)
        LosslessJPEGPrediction.apply(header, to: row, above: restarts || y == 0 ? nil : above)
        if header.bits < 16, !isWithin(row, count) { return false }
        if !take(y, row) { return true }
      }
      return true
    }
  }

  /// Whether no sample has more than `bits` bits.
  private func isWithin(_ row: UnsafePointer<UInt16>, _ count: Int) -> Bool {
    var all: UInt16 = 0
    for i in 0..<count { all |= row[i] }
    return all >> UInt16(header.bits) == 0
  }
}
