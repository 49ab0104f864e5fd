extension JPEGSegments {
  /// The ICC profile, stored in chunks (ICC.1 annex B.4); nil if there is none, and empty when a
  /// chunk is missing.
  package var profile: [UInt8]? {
    let ranges = payloads(.profile)
    guard !ranges.isEmpty else { return nil }
    var chunks: [UInt8: Range<Int>] = [:]
    var count: UInt8?
    for range in ranges where range.count > 2 {
      guard let numbers = file.bytes(range.lowerBound, 2) else { continue }
      if chunks[numbers[0]] == nil { chunks[numbers[0]] = range.dropFirst(2) }
      count = count ?? numbers[1]
    }
    var profile: [UInt8] = []
    for number in 1...max(count ?? 1, 1) {
      guard let range = chunks[number], let chunk = file.bytes(range.lowerBound, range.count) else {
        return []
      }
      profile += chunk
    }
    return profile
  }
}
