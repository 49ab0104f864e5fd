import Containers
import HDRRender
import ImageCore
import Testing

@testable import Writers

struct AppleMakerNoteTests {
  @Test("The note has the layout of Apple's")
  func bytes() {
    // 8 is 1 and 0.
    let text = AppleMakerNote.bytes(headroom: 8).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    let wanted = [
      "4170706c6520694f5300", "0001", "4d4d", "0002", "0021000a000000010000002c",
      "0030000a0000000100000034", "00000000", "000f4240000f4240", "00000000000f4240",
    ]
    #expect(text.joined() == wanted.joined())
  }

  @Test("The note encodes the headroom", arguments: [1.0, 1.7, 3, 3.5, 4, 4.9, 5, 7.9, 20])
  func headroom(wanted: Double) throws {
    let note = AppleMakerNote.bytes(headroom: wanted)
    func number(_ at: Int) -> Double {
      let value = note[at..<(at + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Double(Int32(bitPattern: value))
    }
    let values = AppleGainMap.MakerValues(
      headroom33: number(44) / number(48), gain48: number(52) / number(56))
    #expect(abs(try #require(values.headroom) / min(wanted, 8) - 1) < 0.01)
    #expect(note.count == 60)
  }
}
