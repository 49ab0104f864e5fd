/// The head of the page: the outcome of the batch, in words and numbers.
extension HTMLReport {
  var header: HTML {
    let starts = merge.runs.map(\.start)
    var moments: [String] = []
    if let first = starts.first { moments.append("started \(ReportTime.shown(first.time))") }
    if let last = merge.lastEnd { moments.append("ended \(ReportTime.shown(last))") }
    let versions = Set(starts.map(\.version)).sorted().joined(separator: ", ")
    if !versions.isEmpty { moments.append("rawdev \(versions)") }
    let counts = [
      ("Developed", "done", summary.done), ("Up to date", "skipped", summary.skipped),
      ("Failed", "failed", summary.failed), ("Left for later", "interrupted", summary.interrupted),
    ].map { label, status, count -> HTML in
      """
      <div class=\(count == 0 ? "zero" : status)><dt>\(label)</dt>\
      <dd data-count=\(status) data-n=\(count)>\(ReportNumber.grouped(count))</dd></div>

      """
    }
    let rows = rows.map { label, value -> HTML in
      "<div><dt>\(label)</dt><dd>\(value)</dd></div>\n"
    }
    return """
      <header>
      <h1>\(options.title)</h1>
      <p class=verdict>\(verdict)</p>
      <p class=soft>\(moments.joined(separator: " · "))</p>
      <dl class=counts>
      \(counts.joined())</dl>
      <dl class=facts>
      \(rows.joined())</dl>
      </header>

      """
  }

  private var verdict: String {
    let total = ReportNumber.grouped(summary.total)
    switch summary.outcome {
    case .complete:
      return summary.total == 0 ? "There was nothing to do." : "All \(total) files are done."
    case .interrupted:
      return "Not all files were processed: run the batch again, it continues where it stopped."
    case .allFailed: return "All \(total) files failed."
    case .someFailed, .cannotWrite:
      return
        "\(ReportNumber.grouped(summary.failed)) of \(total) files failed; all others are done."
    }
  }

  private var rows: [(String, String)] {
    var rows = [("Time", ReportNumber.duration(summary.seconds))]
    if summary.megapixels > 0 {
      let speed = ReportNumber.fixed(summary.megapixelsPerSecond, 1)
      rows.append(
        ("Throughput", "\(speed) MP/s (\(ReportNumber.fixed(summary.megapixels, 0)) megapixels)"))
    }
    if summary.outputs > 0 {
      let files = "\(ReportNumber.grouped(summary.outputs)) files"
      rows.append(("Written", "\(ReportNumber.bytes(summary.bytes)) in \(files)"))
    }
    let nodes = summary.nodes.sorted { $0.key < $1.key }.map { node, done in
      summary.nodes.count == 1 ? node : "\(node) (\(ReportNumber.grouped(done)))"
    }
    if !nodes.isEmpty {
      rows.append((nodes.count == 1 ? "Machine" : "Machines", nodes.joined(separator: ", ")))
    }
    let starts = merge.runs.map(\.start)
    if let jobs = starts.map(\.jobs).max() { rows.append(("Files at a time", "\(jobs)")) }
    if let memory = starts.map(\.memoryBytes).max(), memory > 0 {
      rows.append(("Memory limit", ReportNumber.bytes(memory)))
    }
    if merge.runs.count > 1 { rows.append(("Runs", ReportNumber.grouped(merge.runs.count))) }
    if summary.crashes > 0 { rows.append(("Crashes", ReportNumber.grouped(summary.crashes))) }
    if summary.timeouts > 0 { rows.append(("Timeouts", ReportNumber.grouped(summary.timeouts))) }
    return rows
  }
}
