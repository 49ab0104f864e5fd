import Containers
import HDRRender
import ImageCore

/// A maker note as Apple's cameras write it, with the two numbers that state the headroom: the text
/// "Apple iOS", a version, "MM", then a big-endian directory whose offsets count from the note's start.
enum AppleMakerNote {
  /// The note for a picture whose whole map reaches `headroom` times reference white; it can say 8 at
  /// most.
  static func bytes(headroom: Double) -> [UInt8] {
    let values = AppleGainMap.MakerValues(headroom: headroom)
    func field(_ tag: UInt16, _ value: Double) -> TIFFField {
      // Steps of a millionth are at most 7e-5 stops.
      let fraction = SignedRational(Int32((value * 1_000_000).rounded()), 1_000_000)
      return TIFFField(tag, .signedRationals([fraction]), bigEndian: true)
    }
    let head = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
    return head
      + TIFFDirectoryWriter(bigEndian: true).bytes(
        [field(0x21, values.headroom33), field(0x30, values.gain48)], at: head.count)
  }
}
