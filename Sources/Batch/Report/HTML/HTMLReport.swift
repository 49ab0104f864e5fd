public import Foundation

/// The report of a batch as an HTML page that needs no server, no network and no other file.
///
/// Failures come first, one line each, then warnings, then a contact sheet of the developed files;
/// files that were up to date are folded away. Everything can be read without its small script,
/// which only filters and sorts; the page's policy allows only that script, its style and
/// pictures within the page. Cards outside the window are neither laid out nor decoded, so
/// pages of 10,000 stay usable; they are written one by one.
public struct HTMLReport: Sendable {
  /// The title of a page, and what its links are relative to.
  public struct Options: Sendable, Hashable {
    /// Heading and title.
    public var title = "Batch report"
    /// Absolute path of the folder that will hold the page; links to outputs are relative to it.
    public var folder: String
    /// Absolute path of the folder that relative paths of the report start from.
    public var workingFolder: String

    /// Options with the default title.
    public init(folder: String, workingFolder: String) {
      (self.folder, self.workingFolder) = (folder, workingFolder)
    }
  }

  /// Marks a page as made by rawdev.
  package static let generator = "<meta name=generator content=rawdev>"

  let merge: ReportMerge
  let summary: ReportSummary
  let options: Options

  /// Writes the page in UTF-8 chunks of 64 KiB and more; reads every line of the reports
  /// twice.
  public static func write(
    _ merge: ReportMerge, options: Options, to write: (Data) throws -> Void
  ) throws {
    let page = HTMLReport(merge: merge, summary: try merge.summary(), options: options)
    var buffer = Data()
    func put(_ html: HTML) throws {
      buffer.append(contentsOf: html.text.utf8)
      guard buffer.count >= 64 << 10 else { return }
      try write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    try page.write(put)
    if !buffer.isEmpty { try write(buffer) }
  }

  private func write(_ put: (HTML) throws -> Void) throws {
    try put(
      """
      <!doctype html>
      <html lang=en>
      <head>
      <meta charset=utf-8>
      <meta http-equiv=Content-Security-Policy content="\(HTML(markup: HTMLStyle.policy))">
      <meta name=viewport content="width=device-width, initial-scale=1">
      \(HTML(markup: Self.generator))
      <meta name=referrer content=no-referrer>
      <meta name=color-scheme content="light dark">
      <title>\(options.title)</title>
      <style>\(HTML(markup: HTMLStyle.style))</style>
      </head>
      <body>

      """)
    try put(header)
    try put(HTML(markup: HTMLStyle.tools))
    try put("<main>\n")
    try writeFailures(put)
    try writeNames(of: .interrupted, "Left for the next run", summary.interrupted, put)
    try writeWarnings(put)
    try writeCards(put)
    try writeNames(of: .skipped, "Up to date", summary.skipped, put)
    try writeSlowest(put)
    try writeRuns(put)
    try put("</main>\n<script>\(HTML(markup: HTMLStyle.script))</script>\n</body>\n</html>\n")
  }

  private func writeCards(_ put: (HTML) throws -> Void) throws {
    guard summary.done > 0 else { return }
    try put(
      """
      <section aria-labeledby=developed>
      <h2 id=developed>Developed <span class=n>\(ReportNumber.grouped(summary.done))</span></h2>
      <p class=legend>Histograms: pixels by luminance, −10 to +6 stops, square-root scale. \
      <span class="key sdr"></span> up to reference white (203 cd/m²) \
      <span class="key hdr"></span> above it</p>
      <ul id=items>

      """)
    var index = 0
    try merge.items([.done]) { item in
      try put(card(item, index: index))
      index += 1
    }
    try put("</ul>\n</section>\n")
  }

  /// A list of names, folded away.
  private func writeNames(
    of status: BatchItem.Status, _ title: String, _ count: Int, _ put: (HTML) throws -> Void
  ) throws {
    guard count > 0 else { return }
    try put(
      """
      <section>
      <details id=\(status.rawValue)><summary><h2>\(title) \
      <span class=n>\(ReportNumber.grouped(count))</span></h2></summary>
      <ul class=names>

      """)
    try merge.items([status]) { item in
      let reason = status == .skipped ? item.reason.map { " <small>\($0)</small>" as HTML } : nil
      try put(
        "<li class=f data-status=\(status.rawValue)><bdi dir=ltr>\(item.id)</bdi>\(reason ?? "")\n")
    }
    try put("</ul>\n</details>\n</section>\n")
  }
}
