import Foundation

/// How ``PictureBands`` divides a picture.
struct LanePlan: Sendable {
  /// Rows of a band whose pixels are made once, in lanes.
  static let strip = 32
  /// Rows of a band of a picture that is read in lanes, at most.
  static let highestStrip = 256
  /// Columns of a lane, about: stages read up to 100 pixels beside it.
  private static let laneWidth = 1536
  /// Cuts between lanes are multiples of this, for stages that work in cells of that side.
  private static let cell = 128
  /// Minimum rows of a section: stages restart at its top.
  private static let minSection = 512

  /// Bands.
  let count: Int
  /// Columns of each lane.
  let lanes: [Range<Int>]
  /// Bands of a section.
  let section: Int
  /// Bands, from the first that is not consumed, that may be made.
  let ahead: Int

  /// Default of ``ahead`` where all bands are one section.
  static let usuallyAhead = 3

  init(
    _ size: PixelSize, rows: Int, isOneLane: Bool, workers: Int, ahead: Int = usuallyAhead
  ) {
    count = (size.height + rows - 1) / rows
    let pieces = isOneLane ? 1 : max(1, (size.width + Self.laneWidth / 2) / Self.laneWidth)
    let cuts = (0...pieces).map {
      $0 == pieces ? size.width : size.width * $0 / pieces / Self.cell * Self.cell
    }
    lanes = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
    let atOnce = (workers + pieces - 1) / pieces
    if isOneLane {
      section = 1
    } else if atOnce == 1 {
      section = count
    } else {
      section = max(Self.minSection / rows, count / (2 * atOnce), 1)
    }
    let allowed = workers > 2 ? max(ahead, 2 * workers) : ahead
    self.ahead = section == count ? allowed : (atOnce + 1) * section
  }

  /// Its parameters, for a trace.
  var details: [String: Int] {
    ["bands": count, "lanes": lanes.count, "section": section, "ahead": ahead]
  }
}

/// The piece of a picture that each thread of ``PictureBands`` makes next: the uppermost available
/// one, so that bands are completed in order.
final class LaneSchedule: @unchecked Sendable {
  /// The work of one thread: a lane of a band.
  struct Piece {
    let lane: Int
    let step: Int
    /// Whether the same reader makes nothing above it.
    let isFirst: Bool
    let reading: ReadingLane
    let pixels: PlanarBuffer
  }

  /// A lane of one section.
  private struct Sequence {
    var next: Int
    let end: Int
    var isBusy = false
    var reading: ReadingLane?
  }

  private let plan: LanePlan
  private let condition = NSCondition()
  private var sequences: [[Sequence]]
  private var head = 0
  private var isEnded = false
  private var pieces: [Int: [PictureBand.Piece?]] = [:]
  private var lastRows: [Int: PlanarBuffer] = [:]
  private var freeReadings: [[ReadingLane]]
  private var freeBuffers: [[PlanarBuffer]]

  init(_ plan: LanePlan) {
    self.plan = plan
    sequences = stride(from: 0, to: plan.count, by: plan.section).map { first in
      plan.lanes.map { _ in Sequence(next: first, end: min(first + plan.section, plan.count)) }
    }
    freeReadings = plan.lanes.map { _ in [] }
    freeBuffers = plan.lanes.map { _ in [] }
  }

  /// The next piece; waits until there is one, nil at the end.
  func next() -> Piece? {
    condition.withLock {
      while !isEnded {
        if let piece = available() { return piece }
        guard sequences.contains(where: { $0.contains { $0.next < $0.end } }) else { return nil }
        condition.wait()
      }
      return nil
    }
  }

  private func available() -> Piece? {
    for section in head / plan.section..<sequences.count {
      let best = plan.lanes.indices
        .filter { lane in
          let sequence = sequences[section][lane]
          return !sequence.isBusy && sequence.next < min(sequence.end, head + plan.ahead)
        }
        .min { sequences[section][$0].next < sequences[section][$1].next }
      if let best { return begin(section, best) }
      if (section + 1) * plan.section >= head + plan.ahead { return nil }
    }
    return nil
  }

  private func begin(_ section: Int, _ lane: Int) -> Piece {
    let reading =
      sequences[section][lane].reading ?? freeReadings[lane].popLast() ?? ReadingLane()
    sequences[section][lane].reading = reading
    sequences[section][lane].isBusy = true
    let step = sequences[section][lane].next
    return Piece(
      lane: lane, step: step, isFirst: step == section * plan.section, reading: reading,
      pixels: freeBuffers[lane].popLast() ?? PlanarBuffer())
  }

  /// Adds the finished `piece`; returns the band `rect` if it was the last one. With `keepsLastRow`
  /// the band below gets its last row.
  func band(
    _ piece: Piece, _ made: PictureBand.Piece, _ rect: PixelRect, keepsLastRow: Bool
  ) throws(PixelError) -> PictureBand? {
    condition.lock()
    defer { condition.unlock() }
    let section = piece.step / plan.section
    sequences[section][piece.lane].isBusy = false
    sequences[section][piece.lane].next += 1
    if sequences[section][piece.lane].next == sequences[section][piece.lane].end {
      freeReadings[piece.lane].append(piece.reading)
      sequences[section][piece.lane].reading = nil
    }
    pieces[piece.step, default: plan.lanes.map { _ in nil }][piece.lane] = made
    condition.broadcast()
    guard let all = pieces[piece.step], !all.contains(where: { $0 == nil }) else { return nil }
    pieces[piece.step] = nil
    let above = lastRows.removeValue(forKey: piece.step - 1)
    let band = PictureBand(rect, all.compactMap(\.self), above: above)
    if keepsLastRow, piece.step + 1 < sequences[section][piece.lane].end {
      let row = try PlanarBuffer(size: PixelSize(width: rect.width, height: 1))
      try band.copy(
        PixelRect(x: rect.x, y: rect.endY - 1, width: rect.width, height: 1), into: row)
      lastRows[piece.step] = row
    }
    return band
  }

  /// Returns the memory of an encoded band.
  func giveBack(_ band: PictureBand) {
    condition.withLock {
      for (lane, piece) in band.pieces.enumerated() { freeBuffers[lane].append(piece.pixels) }
    }
  }

  /// Marks the bands up to `step` as consumed.
  func advance(past step: Int) {
    condition.withLock {
      head = max(head, step + 1)
      condition.broadcast()
    }
  }

  /// Starts no more work.
  func end() {
    condition.withLock {
      isEnded = true
      condition.broadcast()
    }
  }
}
