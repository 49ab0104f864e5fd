/// The lists around the pictures: what failed, warnings, the slowest files, the runs.
extension HTMLReport {
  func writeFailures(_ put: (HTML) throws -> Void) throws {
    guard !summary.failures.isEmpty else { return }
    let codes = summary.failuresByCode.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let kinds = codes.map { "\($0.key) \(ReportNumber.grouped($0.value))" }
    try put(
      """
      <section aria-labeledby=failed class=failed>
      <h2 id=failed>Failed <span class=n>\(ReportNumber.grouped(summary.failed))</span> \
      <small>\(kinds.joined(separator: " · "))</small></h2>
      <table id=failures>
      <thead><tr><th scope=col>File<th scope=col>Kind\
      <th scope=col>What happened and what to do</tr></thead>
      <tbody>

      """)
    for failure in summary.failures {
      try put(
        """
        <tr class=f data-status=failed><th scope=row><bdi dir=ltr>\(failure.id)</bdi>\
        <td><code>\(failure.error.code)</code>\
        <td><bdi dir=ltr>\(failure.error.message)</bdi></tr>

        """)
    }
    try put("</tbody>\n</table>\n</section>\n")
  }

  func writeWarnings(_ put: (HTML) throws -> Void) throws {
    guard !summary.warnings.isEmpty else { return }
    var ids: [String: [String]] = [:]
    var messages: [String] = []
    for warning in summary.warnings {
      if ids[warning.message] == nil { messages.append(warning.message) }
      ids[warning.message, default: []] += warning.id.map { [$0] } ?? []
    }
    let cards = merge.identifiers(of: .done)
    let indices = Dictionary(uniqueKeysWithValues: zip(cards, cards.indices))
    try put(
      """
      <section aria-labeledby=warnings class=warnings>
      <h2 id=warnings>Warnings \
      <span class=n>\(ReportNumber.grouped(summary.warnings.count))</span></h2>
      <ul>

      """)
    for (index, message) in messages.enumerated() {
      if index == 10, messages.count > 12 {
        let more = ReportNumber.grouped(messages.count - index)
        try put("</ul>\n<details><summary>\(more) more</summary>\n<ul>\n")
      }
      let links = (ids[message] ?? []).map { id -> HTML in
        let name: HTML = "<bdi dir=ltr>\(id)</bdi>"
        return indices[id].map { "<a href=\"#i\($0)\">\(name)</a>" } ?? name
      }
      let list = links.joined(separator: ", ")
      try put("<li><bdi dir=ltr>\(message)</bdi>")
      if links.count > 3 {
        let count = ReportNumber.grouped(links.count)
        try put("<details><summary>\(count) files</summary>\(list)</details>\n")
      } else {
        try put(" <small>\(list)</small>\n")
      }
    }
    try put(messages.count > 12 ? "</ul>\n</details>\n</section>\n" : "</ul>\n</section>\n")
  }

  func writeSlowest(_ put: (HTML) throws -> Void) throws {
    guard !summary.slowest.isEmpty else { return }
    try writeTable(
      id: "slowest", title: "Slowest files", columns: ["File", "Time"],
      rows: summary.slowest.map { [$0.id, ReportNumber.duration($0.seconds)] }, put)
  }

  func writeRuns(_ put: (HTML) throws -> Void) throws {
    guard merge.runs.count > 1 else { return }
    let columns = [
      "Machine", "Shard", "Started", "Time", "Sources", "Developed", "Failed", "Ended with",
    ]
    let rows = merge.runs.map { run -> [String] in
      [
        run.start.node, run.start.shard ?? "–", ReportTime.shown(run.start.time),
        ReportNumber.duration(run.seconds), "\(run.items) of \(run.start.total)",
        run.end.map { "\($0.done)" } ?? "–", run.end.map { "\($0.failed)" } ?? "–",
        run.end.map { "\($0.exitCode)" } ?? "cut off",
      ]
    }
    let count = ReportNumber.grouped(merge.runs.count)
    try writeTable(
      id: "runs", title: "Runs <span class=n>\(count)</span>", columns: columns, rows: rows, put)
  }

  /// A table, folded away, whose rows begin with a name.
  private func writeTable(
    id: String, title: HTML, columns: [String], rows: [[String]], _ put: (HTML) throws -> Void
  ) throws {
    let head = columns.map { name -> HTML in "<th scope=col>\(name)" }.joined()
    try put(
      """
      <section>
      <details id=\(id)><summary><h2>\(title)</h2></summary>
      <table>
      <thead><tr>\(head)</tr></thead>
      <tbody>

      """)
    for row in rows {
      let cells = row.dropFirst().map { cell -> HTML in "<td>\(cell)" }.joined()
      try put("<tr><th scope=row><bdi dir=ltr>\(row[0])</bdi>\(cells)</tr>\n")
    }
    try put("</tbody>\n</table>\n</details>\n</section>\n")
  }
}
