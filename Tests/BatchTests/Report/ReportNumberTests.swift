import Foundation
import Testing

@testable import Batch

/// Numbers in words.
@Suite struct ReportNumberTests {
  /// Foundation's format is the truth where both have one.
  @Test(arguments: 0..<100) func agreesWithFoundation(seed: UInt64) {
    var chance = SampleReports(seed: seed)
    // No value here is halfway between two numbers of two digits.
    let value = Double(Int.random(in: -9_000_000...9_000_000, using: &chance)) / 64 + 0.001
    for digits in 0...2 {
      let wanted = value.formatted(
        .number.precision(.fractionLength(digits)).rounded(rule: .toNearestOrAwayFromZero)
          .locale(Locale(identifier: "en_US")))
      #expect(ReportNumber.fixed(value, digits) == wanted.replacing("-", with: "−"))
    }
  }

  @Test func examples() {
    #expect(ReportNumber.fixed(-0.001, 2) == "0.00" && ReportNumber.fixed(0.05, 3) == "0.050")
    #expect(ReportNumber.grouped(.min) == "−9,223,372,036,854,775,808")
    #expect(ReportNumber.bytes(999) == "999 B" && ReportNumber.bytes(1_234_567) == "1.23 MB")
    #expect(ReportNumber.bytes(999_600) == "1.00 MB" && ReportNumber.bytes(.max) == "9,223.4 PB")
    #expect(ReportNumber.duration(0.42) == "0.42 s" && ReportNumber.duration(59.99) == "1 min 00 s")
    #expect(
      ReportNumber.duration(3599.6) == "1 h 00 min" && ReportNumber.duration(245) == "4 min 05 s")
    #expect(ReportNumber.clock(3723) == "1:02:03" && ReportNumber.clock(59.6) == "1:00")
    #expect(ReportNumber.percent(0) == "0 %" && ReportNumber.percent(1e-9) == "< 0.01 %")
    #expect(ReportNumber.percent(0.0321) == "3.2 %" && ReportNumber.percent(7) == "100 %")
    #expect(
      ReportNumber.headroom(8) == "×8.00 (+3.0 stops)"
        && ReportNumber.headroom(1) == "×1.00 (0 stops)")
    #expect(ReportNumber.headroom(0.5) == "×0.50 (−1.0 stops)")
  }

  /// No number is a trap.
  @Test(arguments: [
    .nan, .infinity, -.infinity, 1e300, -1e300, 1e15, 9.99e14, 1e12, -0.0, .leastNonzeroMagnitude,
  ])
  func odd(_ value: Double) {
    for digits in 0...3 { #expect(!ReportNumber.fixed(value, digits).isEmpty) }
    for text in [
      ReportNumber.duration(value), ReportNumber.clock(value), ReportNumber.percent(value),
      ReportNumber.headroom(value),
    ] {
      #expect(!text.isEmpty && !text.contains("nan") && !text.contains("inf"))
    }
  }
}
