import HDRRender
import ImageCore

/// A maker note as Apple's cameras write it, with the two numbers that state the headroom: the text
/// "Apple iOS", a version, "MM", then a big-endian directory whose offsets count from the note's start.
enum AppleMakerNote {
  /// The note for a picture whose whole map reaches `headroom` times reference white; it can say 8 at
  /// most.
  static func bytes(headroom: Double) -> [UInt8] {
    let values = AppleGainMap.MakerValues(headroom: headroom)
    let entries: [(tag: UInt16, value: Double)] = [
      (0x21, values.headroom33), (0x30, values.gain48),
    ]
    var bytes = BoxBytes()
    bytes.string("Apple iOS")
    bytes.u16(1)
    bytes.append("MM".utf8)
    bytes.u16(UInt16(entries.count))
    let end = bytes.bytes.count + 12 * entries.count + 4
    for (index, entry) in entries.enumerated() {
      bytes.u16(entry.tag)
      // SRATIONAL, one of them.
      bytes.u16(10)
      bytes.u32(1)
      bytes.u32(UInt32(end + 8 * index))
    }
    bytes.u32(0)
    for entry in entries {
      // Steps of a millionth are at most 7e-5 stops.
      bytes.u32(UInt32((entry.value * 1_000_000).rounded()))
      bytes.u32(1_000_000)
    }
    return bytes.bytes
  }
}
