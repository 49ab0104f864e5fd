import Writers

/// MaxCLL and MaxFALL as films store them: integers, rounded up, 1 at least, as 0 is "unknown".
///
/// In a message of HEVC two zero bytes before one of up to 3 have to be escaped, which would change
/// its length: of such values MaxCLL is one more.
struct ContentLightCode: Sendable, Hashable, Codable {
  let maximum: Int
  let average: Int

  init(maximum: Double, average: Double) {
    func code(_ value: Double) -> Int { Int(min(max(value.rounded(.up), 1), 65_535)) }
    self.average = min(code(average), code(maximum))
    let most = code(maximum)
    self.maximum = most % 256 == 0 && self.average < 4 ? most + 1 : most
  }

  init(_ light: CodedContentLight) {
    self.init(maximum: light.maximum, average: light.frameAverage)
  }

  /// The four bytes of boxes, messages and units.
  var bytes: [UInt8] {
    [maximum >> 8, maximum & 255, average >> 8, average & 255].map { UInt8($0) }
  }
}
