import Develop

/// One developed picture of the contact sheet.
extension HTMLReport {
  func card(_ item: BatchItem, index: Int) -> HTML {
    let light = item.light
    let content = item.outputs.map { Double($0.contentHeadroom) }
      .filter { $0.isFinite && $0 != 0 }.max()
    let headroom = item.fileHeadroom.map(Double.init) ?? content
    let warnings = warnings(item)
    let rows = rows(item, content: content).map { label, value -> HTML in
      "<div><dt>\(label)</dt><dd>\(value)</dd></div>"
    }
    var html: HTML = """
      <li class="card f" id=i\(index) data-status=done data-h="\(sortKey(headroom))" \
      data-a="\(sortKey(light.map { Double($0.aboveWhiteShare) }))" \
      data-c="\(sortKey(light.map { Double($0.clippedShare) }))" \
      data-s="\(sortKey(item.seconds))"\(warnings.isEmpty ? "" : " data-w")>

      """
    if let address = item.thumbnail.flatMap(ThumbnailAddress.valid) {
      html += """
        <div class=pic><img src="\(HTML(markup: address))" alt="\(item.id), small" loading=lazy \
        decoding=async></div>

        """
    } else {
      html += "<div class=\"pic none\">no preview</div>\n"
    }
    html += light.flatMap(HistogramDrawing.svg) ?? "<div class=\"hist none\">no histogram</div>"
    html += """

      <h3 title="\(item.id)"><bdi dir=ltr>\(name(item.id))</bdi></h3>
      <p class=camera>\(item.camera ?? "Camera unknown")</p>
      <dl>\(rows.joined())</dl>

      """
    if !item.outputs.isEmpty {
      html += "<ul class=out>\(item.outputs.map(output).joined())</ul>\n"
    }
    for warning in warnings { html += "<p class=warn>\(warning)</p>\n" }
    return html + "</li>\n"
  }

  /// The folders of a path small, the file's name not.
  private func name(_ id: String) -> HTML {
    guard let slash = id.lastIndex(of: "/"), id.unicodeScalars.count <= 2000 else {
      return "<b>\(id)</b>"
    }
    let name = id.index(after: slash)
    return "<small>\(String(id[..<name]))</small><b>\(String(id[name...]))</b>"
  }

  private func rows(_ item: BatchItem, content: Double?) -> [(String, String)] {
    var rows: [(String, String)] = []
    let largest = item.outputs.max {
      Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height)
    }
    if let largest { rows.append(("Size", size(largest))) }
    if let held = item.fileHeadroom {
      rows.append(("Raw headroom", ReportNumber.headroom(Double(held))))
    }
    if let content { rows.append(("Brightest pixel", ReportNumber.headroom(content))) }
    if content != nil, let maxCLL = item.outputs.map(\.maxCLL).max() {
      rows.append(("MaxCLL", "\(ReportNumber.grouped(max(maxCLL, 0))) cd/m²"))
    }
    if let light = item.light {
      rows.append(("Above white", ReportNumber.percent(Double(light.aboveWhiteShare))))
      rows.append(("Clipped", ReportNumber.percent(Double(light.clippedShare))))
    }
    rows.append(("Time", ReportNumber.duration(item.seconds)))
    if merge.runs.count > 1, let node = item.node { rows.append(("Machine", node)) }
    return rows
  }

  private func output(_ output: BatchItem.Output) -> HTML {
    let link = HTMLText.link(
      to: output.path, from: options.folder, working: options.workingFolder)
    return """
      <li><a href="\(link)"><bdi dir=ltr>\(output.name)</bdi></a> <small>\(output.format) · \
      \(size(output)) · \(ReportNumber.bytes(output.bytes))</small></li>
      """
  }

  private func size(_ output: BatchItem.Output) -> String {
    "\(max(output.width, 0)) × \(max(output.height, 0))"
  }

  private func warnings(_ item: BatchItem) -> [String] {
    guard let others = item.alsoDoneBy, !others.isEmpty else { return item.warnings }
    return item.warnings + ["done a second time by \(others.joined(separator: ", "))"]
  }

  /// A number that the script sorts by.
  private func sortKey(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "0" }
    return "\(value)"
  }
}
