/// The progress line of a batch, or of one task, for a terminal.
public enum ProgressLine {
  /// At most `columns` characters, each one column wide: `123/500  24 %  38.2 MP/s  4:12 left  3
  /// failed`, with a bar where there is room. Parts that do not fit are dropped, least important
  /// first: the bar, what was up to date, the speed, the percentage, the time left, failures.
  public static func text(_ progress: BatchProgress, columns: Int) -> String {
    let total = max(progress.total, 0)
    let finished = min(max(progress.finished, 0), max(total, 0))
    let fraction = total > 0 ? Double(finished) / Double(total) : 1
    var parts = [Part(rank: 0, text: "\(finished)/\(total)")]
    parts.append(Part(rank: 3, text: "\(Int(fraction * 100)) %"))
    if progress.megapixelsPerSecond > 0, progress.megapixelsPerSecond.isFinite {
      let speed = ReportNumber.fixed(progress.megapixelsPerSecond, 1)
      parts.append(Part(rank: 4, text: "\(speed) MP/s"))
    }
    if let left = progress.secondsLeft, left.isFinite, left >= 0, finished < total {
      parts.append(Part(rank: 2, text: "\(ReportNumber.clock(left)) left"))
    }
    if progress.failed > 0 { parts.append(Part(rank: 1, text: "\(progress.failed) failed")) }
    if progress.skipped > 0 { parts.append(Part(rank: 5, text: "\(progress.skipped) up to date")) }
    var maxRank = 5
    while maxRank > 0, width(parts, maxRank) > columns { maxRank -= 1 }
    let words = parts.filter { $0.rank <= maxRank }.map(\.text).joined(separator: "  ")
    let room = columns - words.count - 4
    guard maxRank == 5, room >= 10 else { return String(words.prefix(max(columns, 0))) }
    return "\(bar(fraction, min(room, 30)))  \(words)"
  }

  /// At most `columns` characters about `work`, which is truncated where it is too long, and has
  /// taken `seconds`: with a bar, a percentage and the time left where a `fraction` is given, else
  /// with the elapsed time.
  public static func text(
    _ work: String, fraction: Double?, seconds: Double, columns: Int
  ) -> String {
    func line(_ before: String, _ after: String) -> String {
      let room = max(columns - before.count - after.count, 0)
      return String((before + work.prefix(room) + after).prefix(max(columns, 0)))
    }
    guard let fraction, fraction < 1 else { return line("", "  \(ReportNumber.clock(seconds))") }
    let done = max(fraction, 0)
    // The first pixels wait for the measurements before them.
    let left = done > 0.05 ? "  \(ReportNumber.clock(seconds / done * (1 - done))) left" : ""
    return line("\(bar(done, 20))  ", "  \(Int(done * 100)) %\(left)")
  }

  private static func bar(_ fraction: Double, _ length: Int) -> String {
    let full = Int(fraction * Double(length))
    return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: length - full)
      + "]"
  }

  private struct Part {
    var rank: Int
    var text: String
  }

  private static func width(_ parts: [Part], _ maxRank: Int) -> Int {
    let shown = parts.filter { $0.rank <= maxRank }
    return shown.reduce(0) { $0 + $1.text.count } + 2 * (shown.count - 1)
  }
}
