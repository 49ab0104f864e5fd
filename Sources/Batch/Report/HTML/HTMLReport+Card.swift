import Foundation

/// One developed picture of the contact sheet.
extension HTMLReport {
  func card(_ item: BatchItem, index: Int) -> String {
    let name = HTMLText.of(item.id)
    let light = item.light
    let content = item.outputs.map { Double($0.contentHeadroom) }.filter(\.isFinite).max()
    let headroom = item.fileHeadroom.map(Double.init) ?? content
    var html = "<li class=\"card f\" id=i\(index) data-status=done data-h=\"\(key(headroom))\" "
    html += "data-a=\"\(key(light.map { Double($0.aboveWhiteShare) }))\" "
    html += "data-c=\"\(key(light.map { Double($0.clippedShare) }))\" "
    html += "data-s=\"\(key(item.seconds))\"\(warned(item) ? " data-w" : "")>\n"
    if let address = item.thumbnail.flatMap(ThumbnailAddress.valid) {
      html += "<div class=pic><img src=\"\(address)\" alt=\"\(name), small\" loading=lazy "
      html += "decoding=async></div>\n"
    } else {
      html += "<div class=\"pic none\">no preview</div>\n"
    }
    html += light.flatMap(HistogramDrawing.svg) ?? "<div class=\"hist none\">no histogram</div>"
    html += "\n<h3 title=\"\(name)\"><bdi dir=ltr>\(parts(item.id))</bdi></h3>\n"
    html += "<p class=camera>\(HTMLText.of(item.camera ?? "Camera unknown"))</p>\n<dl>"
    for (label, value) in facts(item, content: content) {
      html += "<div><dt>\(label)</dt><dd>\(HTMLText.of(value))</dd></div>"
    }
    html += "</dl>\n"
    if !item.outputs.isEmpty {
      html += "<ul class=out>\(item.outputs.map(output).joined())</ul>\n"
    }
    for warning in warnings(item) { html += "<p class=warn>\(HTMLText.of(warning))</p>\n" }
    return html + "</li>\n"
  }

  /// The folders of a name small, its last part not.
  private func parts(_ id: String) -> String {
    guard let slash = id.lastIndex(of: "/"), id.unicodeScalars.count <= 2000 else {
      return "<b>\(HTMLText.of(id))</b>"
    }
    let name = id.index(after: slash)
    return
      "<small>\(HTMLText.of(String(id[..<name])))</small><b>\(HTMLText.of(String(id[name...])))</b>"
  }

  private func facts(_ item: BatchItem, content: Double?) -> [(String, String)] {
    var facts: [(String, String)] = []
    let largest = item.outputs.max {
      Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height)
    }
    if let largest {
      facts.append(("Size", "\(max(largest.width, 0)) × \(max(largest.height, 0))"))
    }
    if let held = item.fileHeadroom {
      facts.append(("Raw headroom", ReportNumber.headroom(Double(held))))
    }
    if let content { facts.append(("Brightest pixel", ReportNumber.headroom(content))) }
    if let maxCLL = item.outputs.map(\.maxCLL).max() {
      facts.append(("MaxCLL", "\(ReportNumber.grouped(max(maxCLL, 0))) cd/m²"))
    }
    if let light = item.light {
      facts.append(("Above white", ReportNumber.percent(Double(light.aboveWhiteShare))))
      facts.append(("Clipped", ReportNumber.percent(Double(light.clippedShare))))
    }
    facts.append(("Time", ReportNumber.duration(item.seconds)))
    if merge.runs.count > 1, let node = item.node { facts.append(("Machine", node)) }
    return facts
  }

  private func output(_ output: BatchItem.Output) -> String {
    let link = HTMLText.link(
      to: output.path, from: options.folder, working: options.workingFolder)
    let size = "\(max(output.width, 0)) × \(max(output.height, 0))"
    let words = "\(output.format) · \(size) · \(ReportNumber.bytes(output.bytes))"
    return
      "<li><a href=\"\(HTMLText.of(link))\"><bdi dir=ltr>\(HTMLText.of(output.name))</bdi></a> "
      + "<small>\(HTMLText.of(words))</small></li>"
  }

  private func warned(_ item: BatchItem) -> Bool {
    !item.warnings.isEmpty || item.alsoDoneBy?.isEmpty == false
  }

  private func warnings(_ item: BatchItem) -> [String] {
    guard let others = item.alsoDoneBy, !others.isEmpty else { return item.warnings }
    return item.warnings + ["done a second time by \(others.joined(separator: ", "))"]
  }

  /// A number to sort by.
  private func key(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "0" }
    return "\(value)"
  }
}
