import Foundation
import Testing

@testable import Batch
@testable import Develop

/// The page as bytes; Tests/Acceptance/batch/page.py looks at it in a browser.
@Suite struct HTMLReportTests {
  private typealias S = SampleReports
  private let options = HTMLReport.Options(folder: "/out", workingFolder: "/")
  private let jpeg = "data:image/jpeg;base64,/9j/4AAQ"

  private func page(_ reports: Data...) throws -> String {
    var bytes = Data()
    try HTMLReport.write(ReportMerge(ReportLog(bytes: reports)), options: options) { bytes += $0 }
    return try #require(String(data: bytes, encoding: .utf8))
  }

  private func count(_ part: String, in page: String) -> Int { page.ranges(of: part).count }

  /// The policy has the hashes of the style and the script, by the system's own tool.
  @Test(arguments: ["style", "script"]) func policy(_ tag: String) throws {
    let page = try page(S.run(S.start(total: 0), []))
    let open = try #require(page.range(of: "<\(tag)>")),
      close = try #require(page.range(of: "</\(tag)>"))
    let text = page[open.upperBound..<close.lowerBound]
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tool.arguments = ["sha256sum"]
    let (input, output) = (Pipe(), Pipe())
    (tool.standardInput, tool.standardOutput) = (input, output)
    try tool.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let digits = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    tool.waitUntilExit()
    let bytes = Data(
      stride(from: 0, to: 64, by: 2).compactMap { at in
        UInt8(digits.dropFirst(at).prefix(2), radix: 16)
      })
    #expect(page.contains("\(tag)-src 'sha256-\(bytes.base64EncodedString())'"))
    #expect(count("<\(tag)>", in: page) == 1 && count("http", in: page) == 1)
  }

  /// For any names and messages, the page has the same tags.
  @Test(arguments: 0..<40) func anyNames(seed: UInt64) throws {
    var chance = S(seed: seed)
    func report(_ text: () -> String) -> Data {
      var items: [BatchItem] = []
      for (index, status) in (SampleReports.statuses + [.done]).enumerated() {
        var item = S.item("\(index)", status)
        item.id = "\(index)" + text().replacing("/", with: "")
        (item.input, item.reason, item.camera, item.thumbnail) = (text(), text(), text(), text())
        item.warnings = ["\(index)" + text()]
        if status == .failed { item.error = .init(code: text(), message: text()) }
        for output in item.outputs.indices {
          item.outputs[output].path = "/out/" + text()
          (item.outputs[output].name, item.outputs[output].format) = (text(), text())
        }
        items.append(item)
      }
      var start = S.start(text(), total: 5)
      (start.version, start.time, start.shard) = (text(), text(), text())
      return S.run(start, items)
    }
    func tags(_ page: String) -> [Substring] { page.matches(of: #/<\/?[a-z0-9]+/#).map(\.output) }
    let hostile = try page(report { chance.text() })
    #expect(tags(hostile) == tags(try page(report { "plain" })))
    #expect(!hostile.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x202E })
  }

  @Test func showsWhatThereIs() throws {
    var seen = S.item("sub/IMG 1.dng", .done)
    (seen.thumbnail, seen.fileHeadroom, seen.camera) = (jpeg, 8, "Canon EOS 5D")
    seen.light = .init(
      histogram: Array(repeating: 1, count: 64), blackShare: 0, aboveWhiteShare: 0.25,
      clippedShare: 0.001)
    var bare = S.item("b.dng", .done)
    bare.thumbnail = "data:image/svg+xml;base64,/9j/"
    let page = try page(
      S.run(
        S.start(total: 5),
        [
          seen, bare, S.item("f.dng", .failed), S.item("s.dng", .skipped),
          S.item("i", .interrupted),
        ]))
    #expect(count("<img ", in: page) == 1 && page.contains("src=\"\(jpeg)\""))
    #expect(count("<svg ", in: page) == 1 && count("<li class=\"card", in: page) == 2)
    for text in [
      "×8.00 (+3.0 stops)", "×2.00 (+1.0 stops)", "406 cd/m²", "25.0 %", "0.10 %", "3000 × 2000",
      "Canon EOS 5D", "href=\"sub/IMG%201.dng.jpg\"", "ends early; copy it again", "<code>damaged",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let order = try ["f.dng", "b.dng", "s.dng"].map { try #require(page.range(of: $0)).lowerBound }
    #expect(order == order.sorted())
    for status in SampleReports.statuses {
      #expect(page.contains("data-count=\(status.rawValue) data-n=\(status == .done ? 2 : 1)>"))
    }
  }

  /// Values that no picture has are no trap, and an empty report is a page too.
  @Test func extremes() throws {
    var odd = S.item("odd", .done)
    (odd.fileHeadroom, odd.seconds) = (.nan, .infinity)
    odd.light = .init(
      histogram: [.max, .min] + Array(repeating: .max, count: 62), blackShare: .nan,
      aboveWhiteShare: -.infinity, clippedShare: 1e30)
    odd.outputs[0] = .init(
      name: "", path: "", format: "", width: .min, height: .max, bytes: .min, xxh128: "",
      contentHeadroom: -.infinity, maxCLL: .min, maxFALL: .max)
    let text = try page(S.run(S.start(total: .max), [odd]))
    for word in [">nan", "\"nan", ">inf", "\"inf", "-inf"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(try page().hasSuffix("</html>\n"))
  }

  /// The page is written in chunks, at any length.
  @Test func streams() throws {
    let address = jpeg + String(repeating: "A", count: 20_000)
    let items = (0..<300).map { index in
      var item = S.item("\(index)", .done)
      item.thumbnail = address
      return item
    }
    var chunks: [Int] = []
    try HTMLReport.write(
      ReportMerge(ReportLog(bytes: [S.run(S.start(total: 300), items)])), options: options
    ) { chunks.append($0.count) }
    #expect(chunks.count > 50 && (chunks.max() ?? 0) < 100_000 && chunks.reduce(0, +) > 6_000_000)
  }
}
