/// The time code of a frame.
///
/// Source: SMPTE ST 331 / 12M as CinemaDNG's TimeCodes stores it: frames with the flag of dropped
/// frames (bit 6), seconds, minutes, hours, each two digits in BCD, and four bytes of the user.
public struct Timecode: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Hours, 0…23.
  public let hours: Int
  /// Minutes.
  public let minutes: Int
  /// Seconds.
  public let seconds: Int
  /// Number of the frame in its second.
  public let frame: Int
  /// Whether two numbers of frames are left out at most minutes, for 30000/1001.
  public let dropsFrames: Bool

  /// The first time code of the bytes of a TimeCodes tag; nil where it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    func digits(_ byte: UInt8, _ tens: UInt8) -> Int? {
      let (high, low) = (Int(byte >> 4 & tens), Int(byte & 15))
      return low > 9 ? nil : high * 10 + low
    }
    guard let frame = digits(bytes[0], 3), let seconds = digits(bytes[1], 7),
      let minutes = digits(bytes[2], 7), let hours = digits(bytes[3], 3),
      seconds < 60, minutes < 60, hours < 24
    else { return nil }
    (self.hours, self.minutes, self.seconds, self.frame) = (hours, minutes, seconds, frame)
    dropsFrames = bytes[0] & 0x40 != 0
  }

  /// `02:16:10:01`, or `02:16:10;01` where frames are dropped.
  public init?(_ text: String) {
    let dropsFrames = text.contains(";")
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 4, parts.count == 4, parts.allSatisfy({ (1...2).contains($0.count) }),
      (0..<24).contains(numbers[0]), (0..<60).contains(numbers[1]),
      (0..<60).contains(numbers[2]), (0..<100).contains(numbers[3])
    else { return nil }
    (hours, minutes, seconds, frame) = (numbers[0], numbers[1], numbers[2], numbers[3])
    self.dropsFrames = dropsFrames
  }

  /// Whether films of `rate` can start at it.
  func fits(_ rate: FrameRate) -> Bool {
    Double(frame) < rate.value.rounded(.up)
      && (!dropsFrames || [30, 60].contains(rate.value.rounded(.up)) && rate.seconds == 1001)
  }

  /// As the muxer takes it.
  public var description: String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return two(hours) + ":" + two(minutes) + ":" + two(seconds) + (dropsFrames ? ";" : ":")
      + two(frame)
  }
}
