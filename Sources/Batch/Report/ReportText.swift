/// The summary of a batch for a terminal: failures, warnings, counts, time and paths of reports.
/// Plain text; control characters of file names are escaped.
public enum ReportText {
  /// The lines, without a line feed at the end. `reports` are paths of report files;
  /// `namesFailures` lists the first ten failures.
  public static func summary(
    _ summary: ReportSummary, reports: [String] = [], namesFailures: Bool = true
  ) -> String {
    var lines: [String] = []
    if namesFailures, !summary.failures.isEmpty {
      lines += summary.failures.prefix(maxListed).map { failure in
        "\(EscapedText.of(failure.id)): \(EscapedText.of(failure.error.message, longest: 500)) "
          + "[\(EscapedText.of(failure.error.code))]"
      }
      let more = summary.failures.count - maxListed
      if more > 0 { lines.append("and \(ReportNumber.grouped(more)) more that failed") }
    }
    let general = summary.warnings.filter { $0.id == nil }
    lines += general.prefix(maxListed).map { "warning: \(EscapedText.of($0.message))" }
    if general.count > maxListed {
      lines.append("and \(ReportNumber.grouped(general.count - maxListed)) more warnings")
    }
    lines.append(counts(summary))
    if summary.done > 0 {
      let speed = ReportNumber.fixed(summary.megapixelsPerSecond, 1)
      let time = summary.seconds > 0 ? " at \(speed) MP/s" : ""
      let files = ReportNumber.grouped(summary.outputs)
      lines.append("\(ReportNumber.bytes(summary.bytes)) written in \(files) files\(time)")
    }
    let workers = [
      count(summary.crashes, "a worker crashed", "workers crashed"),
      count(
        summary.timeouts, "a worker was stopped for its time", "workers were stopped for their time"
      ),
    ].compactMap(\.self)
    if !workers.isEmpty { lines.append(workers.joined(separator: ", ")) }
    lines += reports.map { "report: \(EscapedText.of($0))" }
    return lines.joined(separator: "\n")
  }

  /// Maximum number of failures, and of warnings, that are listed.
  static let maxListed = 10

  private static func counts(_ summary: ReportSummary) -> String {
    var parts: [String] = []
    func add(_ count: Int, _ words: String) {
      if count > 0 { parts.append("\(ReportNumber.grouped(count)) \(words)") }
    }
    add(summary.done, "developed")
    add(summary.skipped, "up to date")
    add(summary.failed, "failed")
    add(summary.interrupted, "left for the next run")
    add(summary.planned, "to be developed")
    let files = summary.total == 1 ? "1 file" : "\(ReportNumber.grouped(summary.total)) files"
    let outcome = parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
    return "\(files) in \(ReportNumber.duration(summary.seconds)): \(outcome)"
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String? {
    number == 0 ? nil : number == 1 ? one : "\(ReportNumber.grouped(number)) \(many)"
  }
}
