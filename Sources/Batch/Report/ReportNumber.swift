import Foundation

/// Numbers of a report as text, independent of the locale.
enum ReportNumber {
  /// `value` with this many digits after the point; a dash for NaN and infinity.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    let digits = abs(value) < 1e12 ? digits : 0
    let unit = pow(10.0, Double(digits))
    let scaled = (abs(value) * unit).rounded()
    let integer = Int(scaled / unit)
    let minus = value < 0 && scaled > 0 ? "−" : ""
    if digits == 0 { return minus + grouped(Int(scaled)) }
    let fraction = String(Int(scaled - Double(integer) * unit))
    let zeros = String(repeating: "0", count: max(digits - fraction.count, 0))
    return "\(minus)\(grouped(integer)).\(zeros)\(fraction)"
  }

  /// `1,234,567`.
  static func grouped(_ value: Int) -> String {
    var digits = Array(String(value.magnitude).utf8)
    var at = digits.count - 3
    while at > 0 {
      digits.insert(44, at: at)
      at -= 3
    }
    return (value < 0 ? "−" : "") + String(decoding: digits, as: UTF8.self)
  }

  /// Bytes in units of 1000.
  static func bytes(_ count: Int) -> String {
    var value = Double(max(count, 0))
    if value < 1000 { return "\(max(count, 0)) B" }
    for unit in ["kB", "MB", "GB", "TB"] {
      value /= 1000
      if value < 999.5 {
        return "\(fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0)) \(unit)"
      }
    }
    return "\(fixed(value / 1000, 1)) PB"
  }

  /// Seconds of work, `0.42 s`, `12.3 s`, `4 min 05 s`, `1 h 02 min`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "–" }
    if seconds < 9.995 { return "\(fixed(seconds, 2)) s" }
    if seconds < 59.95 { return "\(fixed(seconds, 1)) s" }
    let total = Int(seconds.rounded())
    if total < 3600 { return "\(total / 60) min \(two(total % 60)) s" }
    let minutes = Int((seconds / 60).rounded())
    return "\(grouped(minutes / 60)) h \(two(minutes % 60)) min"
  }

  /// Seconds as a clock shows them, `4:05`, `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "–" }
    let total = Int(seconds.rounded())
    let (minutes, rest) = (total / 60 % 60, two(total % 60))
    return total < 3600 ? "\(minutes):\(rest)" : "\(total / 3600):\(two(minutes)):\(rest)"
  }

  /// A fraction 0…1 in percent.
  static func percent(_ fraction: Double) -> String {
    guard fraction.isFinite else { return "–" }
    let percent = min(max(fraction, 0), 1) * 100
    if percent == 0 { return "0 %" }
    if percent < 0.01 { return "< 0.01 %" }
    return "\(fixed(percent, percent < 0.995 ? 2 : percent < 99.95 ? 1 : 0)) %"
  }

  /// A multiple of reference white and its stops above it.
  static func headroom(_ multiple: Double) -> String {
    guard multiple.isFinite, multiple > 0 else { return "–" }
    let stops = log2(multiple)
    let words = abs(stops) < 0.05 ? "0 stops" : "\(stops < 0 ? "" : "+")\(fixed(stops, 1)) stops"
    return "×\(fixed(multiple, multiple < 9.995 ? 2 : 1)) (\(words))"
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
