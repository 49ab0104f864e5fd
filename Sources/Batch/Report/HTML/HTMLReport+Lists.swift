import Foundation

/// The lists around the pictures: what failed, warnings, the slowest files, the runs.
extension HTMLReport {
  func writeFailures(_ put: (String) throws -> Void) throws {
    guard !summary.failures.isEmpty else { return }
    let codes = summary.failuresByCode.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let kinds = codes.map { "\($0.key) \(ReportNumber.grouped($0.value))" }
    let count = ReportNumber.grouped(summary.failed)
    try put("<section aria-labeledby=failed class=failed>\n<h2 id=failed>Failed <span class=n>")
    try put("\(count)</span> <small>\(HTMLText.of(kinds.joined(separator: " · ")))</small></h2>\n")
    try put("<table id=failures>\n<thead><tr><th scope=col>File<th scope=col>Kind")
    try put("<th scope=col>What happened and what to do</tr></thead>\n<tbody>\n")
    for failure in summary.failures {
      try put(
        "<tr class=f data-status=failed><th scope=row><bdi dir=ltr>\(HTMLText.of(failure.id))</bdi>"
      )
      try put("<td><code>\(HTMLText.of(failure.error.code))</code>")
      try put("<td><bdi dir=ltr>\(HTMLText.of(failure.error.message))</bdi></tr>\n")
    }
    try put("</tbody>\n</table>\n</section>\n")
  }

  func writeWarnings(_ put: (String) throws -> Void) throws {
    guard !summary.warnings.isEmpty else { return }
    var ids: [String: [String]] = [:]
    var messages: [String] = []
    for warning in summary.warnings {
      if ids[warning.message] == nil { messages.append(warning.message) }
      ids[warning.message, default: []] += warning.id.map { [$0] } ?? []
    }
    let cards = merge.identifiers(of: .done)
    let places = Dictionary(uniqueKeysWithValues: zip(cards, cards.indices))
    let count = ReportNumber.grouped(summary.warnings.count)
    try put("<section aria-labeledby=warnings class=warnings>\n<h2 id=warnings>Warnings ")
    try put("<span class=n>\(count)</span></h2>\n<ul>\n")
    for (index, message) in messages.enumerated() {
      if index == 10, messages.count > 12 {
        let more = ReportNumber.grouped(messages.count - index)
        try put("</ul>\n<details><summary>\(more) more</summary>\n<ul>\n")
      }
      let links = (ids[message] ?? []).map { id in
        let name = "<bdi dir=ltr>\(HTMLText.of(id))</bdi>"
        return places[id].map { "<a href=\"#i\($0)\">\(name)</a>" } ?? name
      }
      try put("<li><bdi dir=ltr>\(HTMLText.of(message))</bdi>")
      if links.count > 3 {
        try put("<details><summary>\(ReportNumber.grouped(links.count)) files</summary>")
        try put("\(links.joined(separator: ", "))</details>\n")
      } else {
        try put(" <small>\(links.joined(separator: ", "))</small>\n")
      }
    }
    try put(messages.count > 12 ? "</ul>\n</details>\n</section>\n" : "</ul>\n</section>\n")
  }

  func writeRuns(_ put: (String) throws -> Void) throws {
    if !summary.slowest.isEmpty {
      try put("<section>\n<details id=slowest><summary><h2>Slowest files</h2></summary>\n<table>\n")
      try put("<thead><tr><th scope=col>File<th scope=col>Time</tr></thead>\n<tbody>\n")
      for slow in summary.slowest {
        try put("<tr><th scope=row><bdi dir=ltr>\(HTMLText.of(slow.id))</bdi>")
        try put("<td>\(ReportNumber.duration(slow.seconds))</tr>\n")
      }
      try put("</tbody>\n</table>\n</details>\n</section>\n")
    }
    guard merge.runs.count > 1 else { return }
    let count = ReportNumber.grouped(merge.runs.count)
    try put("<section>\n<details id=runs><summary><h2>Runs <span class=n>\(count)</span></h2>")
    try put("</summary>\n<table>\n<thead><tr>")
    for column in [
      "Machine", "Shard", "Started", "Time", "Sources", "Developed", "Failed", "Ended with",
    ] {
      try put("<th scope=col>\(column)")
    }
    try put("</tr></thead>\n<tbody>\n")
    for run in merge.runs {
      let cells = [
        run.start.shard ?? "–", ReportTime.words(run.start.time),
        ReportNumber.duration(run.seconds), "\(run.items) of \(run.start.total)",
        run.end.map { "\($0.done)" } ?? "–", run.end.map { "\($0.failed)" } ?? "–",
        run.end.map { "\($0.exitCode)" } ?? "cut off",
      ]
      try put("<tr><th scope=row><bdi dir=ltr>\(HTMLText.of(run.start.node))</bdi>")
      for cell in cells { try put("<td>\(HTMLText.of(cell))") }
      try put("</tr>\n")
    }
    try put("</tbody>\n</table>\n</details>\n</section>\n")
  }
}
