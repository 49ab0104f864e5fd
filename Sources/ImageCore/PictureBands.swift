/// A picture read once, from top to bottom, in bands of its full width: the way to write a file.
///
/// A band is made in pieces side by side, on several threads. Pieces of the same columns are made
/// in order, as a ``ReadingLane``, so stages make no pixel twice; where there are more threads than
/// pieces, the picture is divided into sections that are made at the same time. Pictures whose
/// stages need high bands instead (``PixelSource/bandHeight`` above 256) are read in bands of full
/// width. Memory holds the lanes and a few bands. Bands do not depend on the number of threads.
package struct PictureBands<Picture: PixelSource>: Sendable {
  package let picture: Picture
  /// Rows of a band; the last one has fewer.
  package let rows: Int
  /// Threads that are used.
  package let workers: Int
  private let plan: LanePlan
  private let hasRowAbove: Bool

  /// Bands of `picture` of a multiple of `unit` rows, or of `rows`, with the row above them if it
  /// `hasRowAbove`. `ahead`: bands that may be made, from the first that is not encoded; more than
  /// usual where one thread encodes many of them together.
  package init(
    _ picture: Picture, rows: Int? = nil, unit: Int = 1, hasRowAbove: Bool = false,
    ahead: Int? = nil, workers: Int
  ) {
    self.picture = picture
    self.hasRowAbove = hasRowAbove
    let (size, workers) = (picture.size, max(workers, 1))
    let isOneLane = picture.bandHeight > LanePlan.highestStrip
    let wanted =
      !isOneLane
      ? LanePlan.strip
      : min(picture.bandHeight, max(LanePlan.highestStrip, size.height / (2 * workers)))
    self.rows = rows ?? max((wanted + unit - 1) / unit, 1) * unit
    plan = LanePlan(
      size, rows: self.rows, isOneLane: isOneLane, workers: workers,
      ahead: ahead ?? LanePlan.usuallyAhead)
    self.workers = min(workers, plan.count * plan.lanes.count)
  }

  /// Number of bands.
  package var count: Int { plan.count }

  /// The pixels of band `index`.
  package func rect(_ index: Int) -> PixelRect {
    let (size, y) = (picture.size, index * rows)
    return PixelRect(x: 0, y: y, width: size.width, height: min(rows, size.height - y))
  }

  /// Makes each band, calls `encode` with it on the thread that made its last piece, and passes the
  /// results to `consume` one at a time, in order. The first error stops the work and is thrown.
  /// After cancellation no piece is started.
  package func forEach<Result>(
    _ encode: @Sendable (_ band: PictureBand, _ worker: Int) throws -> Result,
    consume: @Sendable (_ index: Int, _ result: Result) throws -> Void
  ) throws {
    try forEach(encode, consume) { $0 }
  }

  /// The same for an `encode` and a `consume` that cannot fail otherwise.
  package func forEach<Result>(
    _ encode: @Sendable (_ band: PictureBand, _ worker: Int) throws(PixelError) -> Result,
    consume: @Sendable (_ index: Int, _ result: Result) throws(PixelError) -> Void
  ) throws(PixelError) {
    try forEach(encode, consume) { $0 }
  }

  private func forEach<Result, E: Error>(
    _ encode: @Sendable (_ band: PictureBand, _ worker: Int) throws(E) -> Result,
    _ consume: @Sendable (_ index: Int, _ result: Result) throws(E) -> Void,
    _ failure: @Sendable (PixelError) -> E
  ) throws(E) {
    let schedule = LaneSchedule(plan)
    let results = OrderedResults<Result, E>()
    Parallel.onThreads(workers, "bands", plan.details) { worker in
      while let piece = schedule.next() {
        do throws(E) {
          let band: PictureBand?
          do throws(PixelError) { band = try make(piece, schedule) } catch { throw failure(error) }
          guard let band else { continue }
          let result = try StageThread.part("band", ["step": piece.step]) { () throws(E) in
            try encode(band, worker)
          }
          results.add(result, at: piece.step)
          schedule.giveBack(band)
          while let (head, ready) = results.takeHead() {
            try StageThread.part("consumed", ["step": head]) { () throws(E) in
              try consume(head, ready)
            }
            results.finishHead()
            schedule.advance(past: head)
          }
        } catch {
          results.fail(error)
          schedule.end()
        }
      }
    }
    if let failure = results.failure { throw failure }
  }

  /// Makes a piece; the band if it was its last one.
  private func make(
    _ piece: LaneSchedule.Piece, _ schedule: LaneSchedule
  ) throws(PixelError) -> PictureBand? {
    let (rect, columns) = (rect(piece.step), plan.lanes[piece.lane])
    let above = hasRowAbove && piece.isFirst && rect.y > 0 ? 1 : 0
    let part = PixelRect(
      x: columns.lowerBound, y: rect.y - above, width: columns.count, height: rect.height + above)
    try Cancellation.check()
    try StageThread.part("piece", ["lane": piece.lane, "step": piece.step]) {
      () throws(PixelError) in
      try piece.reading.read(part, of: picture, into: piece.pixels)
    }
    let made = PictureBand.Piece(columns: columns, rowsAbove: above, pixels: piece.pixels)
    return try schedule.band(piece, made, rect, keepsLastRow: hasRowAbove)
  }
}

/// Some rows of a picture, in pieces side by side. The owner of the band may overwrite them.
package final class PictureBand: @unchecked Sendable {
  /// The columns of the picture that one buffer holds, and how many rows of it lie above the band.
  package struct Piece {
    package let columns: Range<Int>
    package let rowsAbove: Int
    package let pixels: PlanarBuffer

    /// Row `y` of the band.
    package func rows(_ y: Int) -> RGBRows { pixels.rows(y + rowsAbove) }
  }

  /// The rows, in the picture.
  package let rect: PixelRect
  /// From left to right.
  package let pieces: [Piece]
  /// The row above, where that is not in the pieces.
  private let above: PlanarBuffer?

  init(_ rect: PixelRect, _ pieces: [Piece], above: PlanarBuffer?) {
    (self.rect, self.pieces, self.above) = (rect, pieces, above)
  }

  /// Copies all rows to their position in `planes`, which hold the entire picture.
  package func copy(into planes: PlanarBuffer) {
    for piece in pieces {
      for y in 0..<rect.height {
        planes.rows(rect.y + y).from(piece.columns.lowerBound)
          .update(from: piece.rows(y), count: piece.columns.count)
      }
    }
  }

  /// Copies `part` of the picture, which lies in the band and the row above it, into `buffer`.
  package func copy(_ part: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(part.size)
    for y in part.y..<part.endY {
      let out = buffer.rows(y - part.y)
      if y < rect.y, let above {
        out.update(from: above.rows(0).from(part.x), count: part.width)
        continue
      }
      for piece in pieces {
        let columns = piece.columns.clamped(to: part.x..<part.endX)
        guard !columns.isEmpty else { continue }
        let rows = piece.rows(y - rect.y).from(columns.lowerBound - piece.columns.lowerBound)
        out.from(columns.lowerBound - part.x).update(from: rows, count: columns.count)
      }
    }
  }
}
