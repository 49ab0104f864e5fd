import Foundation

/// Times of a report, ISO 8601 like `2026-01-31T22:15:00.250Z` or with an offset like `+01:00`.
///
/// Days from the civil date by counting 400-year cycles of 146,097 days, months from March on (the
/// proleptic Gregorian calendar; years 0 to 9999). Leap seconds count as the second after.
enum ReportTime {
  /// Seconds from 1970 of this text; nil for any other text.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8.prefix(64))
    func number(_ from: Int, _ count: Int) -> Int? {
      guard from + count <= bytes.count else { return nil }
      return bytes[from..<from + count].reduce(0 as Int?) { value, byte in
        guard let value, (48...57).contains(byte) else { return nil }
        return value * 10 + Int(byte - 48)
      }
    }
    func sign(_ at: Int, _ wanted: String) -> Bool {
      at < bytes.count && wanted.utf8.contains(bytes[at])
    }
    guard let year = number(0, 4), sign(4, "-"), let month = number(5, 2), sign(7, "-"),
      let day = number(8, 2), sign(10, "Tt "), let hour = number(11, 2), sign(13, ":"),
      let minute = number(14, 2), sign(16, ":"), let second = number(17, 2),
      (1...12).contains(month), (1...31).contains(day), hour < 25, minute < 60, second < 61
    else { return nil }
    var at = 19
    var fraction = 0.0
    if sign(at, ".,") {
      at += 1
      var unit = 0.1
      while at < bytes.count, (48...57).contains(bytes[at]) {
        fraction += Double(bytes[at] - 48) * unit
        unit /= 10
        at += 1
      }
    }
    var offset = 0
    if sign(at, "+-") {
      guard let hours = number(at + 1, 2) else { return nil }
      let minutesAt = sign(at + 3, ":") ? at + 4 : at + 3
      let minutes = minutesAt == bytes.count ? 0 : number(minutesAt, 2)
      guard let minutes, bytes.count <= minutesAt + 2 else { return nil }
      offset = (hours * 60 + minutes) * 60 * (sign(at, "-") ? -1 : 1)
    } else {
      guard at == bytes.count || (sign(at, "Zz") && at + 1 == bytes.count) else { return nil }
    }
    let days = days(year: year, month: month, day: day)
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
    return Double(seconds) + fraction
  }

  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  /// The time for people, `2026-01-31 22:15 UTC`; any other text unchanged.
  static func shown(_ text: String) -> String {
    guard let moment = seconds(text) else { return text }
    let time = Date(timeIntervalSince1970: moment.rounded(.down)).formatted(.iso8601)
    return time.prefix(16).replacing("T", with: " ") + " UTC"
  }

  /// ``seconds(_:)`` for comparisons: a time that is missing or cannot be read is before all
  /// others.
  static func order(_ text: String?) -> Double { text.flatMap(seconds) ?? -.infinity }

  /// The time now in UTC with milliseconds, by which reports of several machines are merged.
  static var now: String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
