import Testing

@testable import Film

struct ContentLightPatchTests {
  private static let message: [UInt8] = [0x4E, 0x01, 0x90, 0x04, 0x03, 0xE8, 0x01, 0x90, 0x80]
  private static let mastering: [UInt8] =
    [0x4E, 0x01, 0x89, 0x18] + [UInt8](repeating: 7, count: 25)
  private static let slice: [UInt8] = [0x26, 0x01, 0x90, 0x04, 1, 2, 3, 4, 5]

  private static func sample(_ units: [[UInt8]]) -> [UInt8] {
    units.flatMap { [0, 0, UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
  }

  @Test("Messages of content light are found in samples, and no others")
  func messages() {
    let sample = Self.sample([Self.mastering, Self.message, Self.slice])
    let found = ContentLightPatch.messages(sample, width: 4)
    #expect(found == [4 + Self.mastering.count + 4 + 4])
    #expect(found.allSatisfy { Array(sample[$0..<$0 + 4]) == [3, 0xE8, 1, 0x90] })
  }

  @Test("And in the decoder configuration")
  func arrays() {
    var record = [UInt8](repeating: 0, count: 22) + [2]
    record += [0xA0, 0, 1, 0, 3, 1, 2, 3]
    record += [0xA7, 0, 2, 0, UInt8(Self.mastering.count)] + Self.mastering
    record += [0, UInt8(Self.message.count)] + Self.message
    let found = ContentLightPatch.arrays(record)
    #expect(found.count == 1)
    #expect(found.allSatisfy { Array(record[$0..<$0 + 4]) == [3, 0xE8, 1, 0x90] })
  }

  @Test("And in the units of AV1")
  func units() {
    let delimiter: [UInt8] = [0x12, 0x00]
    let light: [UInt8] = [0x2A, 0x06, 0x01, 3, 0xE8, 1, 0x90, 0x80]
    let volume: [UInt8] = [0x2A, 0x03, 0x02, 9, 9]
    let frame: [UInt8] = [0x30, 1, 2, 3, 4, 5]
    let sample = delimiter + volume + light + frame
    #expect(ContentLightPatch.units(sample) == [delimiter.count + volume.count + 3])
  }

  @Test("Bytes that are cut or changed at random are only read")
  func abuse() {
    let sample = Self.sample([Self.mastering, Self.message, Self.slice])
    for count in 0...sample.count {
      _ = ContentLightPatch.messages(Array(sample[..<count]), width: 4)
      _ = ContentLightPatch.units(Array(sample[..<count]))
      _ = ContentLightPatch.arrays(Array(sample[..<count]))
    }
    for at in sample.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = sample
        changed[at] = byte
        for width in 1...4 { _ = ContentLightPatch.messages(changed, width: width) }
        _ = ContentLightPatch.units(changed)
        _ = ContentLightPatch.arrays(changed)
      }
    }
  }
}
