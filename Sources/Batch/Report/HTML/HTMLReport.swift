public import Foundation

/// The report of a batch as an HTML page that needs no server, no network and no other file.
///
/// What failed stands first, one line each, then warnings, then a contact sheet of what was
/// developed; what was up to date is folded away. Everything can be read without its small script,
/// which only filters and sorts; the page's policy allows that script, its style and pictures
/// within the page, and nothing else. Cards outside the window are neither laid out nor decoded, so
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

  let merge: ReportMerge
  let summary: ReportSummary
  let options: Options

  /// Writes the page in pieces of UTF-8, 64 KiB and more each; reads every line of the reports
  /// twice.
  public static func write(
    _ merge: ReportMerge, options: Options, to write: (Data) throws -> Void
  ) throws {
    let page = HTMLReport(merge: merge, summary: try merge.summary(), options: options)
    var buffer = Data()
    func put(_ text: String) throws {
      buffer.append(contentsOf: text.utf8)
      guard buffer.count >= 64 << 10 else { return }
      try write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    try page.write(put)
    if !buffer.isEmpty { try write(buffer) }
  }

  private func write(_ put: (String) throws -> Void) throws {
    let title = HTMLText.of(options.title)
    try put("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n")
    try put("<meta http-equiv=Content-Security-Policy content=\"\(HTMLStyle.policy)\">\n")
    try put("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n")
    try put("<meta name=referrer content=no-referrer>\n")
    try put("<meta name=color-scheme content=\"light dark\">\n")
    try put("<title>\(title)</title>\n<style>\(HTMLStyle.style)</style>\n</head>\n<body>\n")
    try put(header)
    try put(HTMLStyle.tools)
    try put("<main>\n")
    try writeFailures(put)
    try writeInterrupted(put)
    try writeWarnings(put)
    try writeItems(put)
    try writeSkipped(put)
    try writeRuns(put)
    try put("</main>\n<script>\(HTMLStyle.script)</script>\n</body>\n</html>\n")
  }

  private func writeItems(_ put: (String) throws -> Void) throws {
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

  private func writeSkipped(_ put: (String) throws -> Void) throws {
    guard summary.skipped > 0 else { return }
    let count = ReportNumber.grouped(summary.skipped)
    try put("<section>\n<details id=skipped><summary><h2>Up to date <span class=n>\(count)</span>")
    try put("</h2></summary>\n<ul class=names>\n")
    try merge.items([.skipped]) { item in
      let reason = item.reason.map { " <small>\(HTMLText.of($0))</small>" } ?? ""
      try put(
        "<li class=f data-status=skipped><bdi dir=ltr>\(HTMLText.of(item.id))</bdi>\(reason)\n")
    }
    try put("</ul>\n</details>\n</section>\n")
  }

  private func writeInterrupted(_ put: (String) throws -> Void) throws {
    guard summary.interrupted > 0 else { return }
    let count = ReportNumber.grouped(summary.interrupted)
    try put("<section>\n<details id=interrupted><summary><h2>Left for the next run ")
    try put("<span class=n>\(count)</span></h2></summary>\n<ul class=names>\n")
    try merge.items([.interrupted]) { item in
      try put("<li class=f data-status=interrupted><bdi dir=ltr>\(HTMLText.of(item.id))</bdi>\n")
    }
    try put("</ul>\n</details>\n</section>\n")
  }
}
