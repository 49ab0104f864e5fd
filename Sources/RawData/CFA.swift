/// The repeating pattern of color filters on a sensor, from its first visible pixel.
/// Channels are numbered 0 red, 1 green, 2 blue; four-color sensors use 3 for their fourth.
public struct CFA: Sendable, Hashable {
  /// The pattern families with a dedicated demosaic, by the names used in reports.
  public enum Kind: String, Sendable, Hashable {
    /// 2 × 2 with two greens on a diagonal.
    case bayer
    /// Fujifilm's 6 × 6.
    case xTrans = "x-trans"
    /// 2 × 2 of four different colors.
    case fourColor = "four-color"
    /// Any other pattern.
    case other = "other mosaic"
  }

  /// Columns after which the pattern repeats.
  public let width: Int
  /// Rows after which the pattern repeats.
  public let height: Int
  /// Channel of each position, row by row.
  public let channels: [UInt8]

  /// The pattern of `width` × `height` channels.
  public init(width: Int, height: Int, channels: [UInt8]) {
    precondition(width > 0 && height > 0 && channels.count == width * height, "pattern size")
    precondition(channels.allSatisfy { $0 < 4 }, "a pattern has at most four channels")
    self.width = width
    self.height = height
    self.channels = channels
  }

  /// Channel of the filter over the pixel in column `x`, row `y`, neither negative.
  @inlinable
  public func channel(x: Int, y: Int) -> Int { Int(channels[(y % height) * width + x % width]) }

  /// Number of different channels, one more than the highest.
  public var channelCount: Int { Int(channels.max() ?? 0) + 1 }

  /// The family of the pattern.
  public var kind: Kind {
    if width == 2, height == 2 {
      if Set(channels).count == 4 { return .fourColor }
      let greens = channels.indices.filter { channels[$0] == 1 }
      if (greens == [0, 3] || greens == [1, 2]) && Set(channels) == [0, 1, 2] { return .bayer }
    }
    guard width == 6, height == 6 else { return .other }
    let counts = (0..<3).map { color in channels.count { $0 == color } }
    return counts == [8, 20, 8] ? .xTrans : .other
  }

  /// The pattern starting at column `x`, row `y`, neither negative.
  package func shifted(x: Int, y: Int) -> CFA {
    CFA(
      width: width, height: height,
      channels: (0..<width * height).map {
        UInt8(channel(x: x + $0 % width, y: y + $0 / width))
      })
  }
}
