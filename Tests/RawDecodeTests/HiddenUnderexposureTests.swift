import Containers
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode

/// Underexposure declared in maker notes, in their real format.
@Suite struct HiddenUnderexposureTests {
  private static func bytes(
    _ coding: CameraContainer.Coding, _ recording: DarkRecording?
  ) throws -> [UInt8] {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == coding })
    var raw = sample.exposed { _, _ in SIMD3(repeating: 0.2) }
    raw.recording = recording
    return try raw.written().bytes
  }

  struct Said: Sendable, CustomStringConvertible {
    var coding: CameraContainer.Coding
    var recording: DarkRecording
    var feature: String?
    var setting = ""
    var stops: Double?

    init(
      _ coding: CameraContainer.Coding, _ recording: DarkRecording, _ feature: String? = nil,
      _ setting: String = "", _ stops: Double? = nil
    ) {
      (self.coding, self.recording, self.feature) = (coding, recording, feature)
      (self.setting, self.stops) = (setting, stops)
    }

    var description: String { "\(coding.rawValue) \(recording)" }
  }

  private static let canon = [
    Said(.cr3, .canon(optimizer: 3, priority: 1), "Highlight Tone Priority", "on", 1),
    Said(.cr2, .canon(optimizer: 0, priority: 2), "Highlight Tone Priority", "enhanced", 1),
    Said(.cr2, .canon(optimizer: 2, priority: 0), "Auto Lighting Optimizer", "strong"),
    Said(.cr2, .canon(optimizer: 3, priority: 0)),
    Said(.cr2, .canonFunction(1), "Highlight Tone Priority", "on", 1),
    Said(.cr2, .canonFunction(0)),
  ]
  private static let fujifilm = [
    Said(.rafUncompressed, .fujifilm(percent: 100, isAutomatic: false)),
    Said(
      .rafUncompressed, .fujifilm(percent: 200, isAutomatic: false), "Dynamic Range", "200 %", 1),
    Said(
      .rafPacked14, .fujifilm(percent: 400, isAutomatic: true), "Dynamic Range",
      "400 %, automatic", 2),
    Said(.rafPacked14, .fujifilm(percent: 800, isAutomatic: false), "Dynamic Range", "800 %"),
    Said(
      .rafPacked14, .fujifilmPriority(1, isAutomatic: true), "D-Range Priority", "weak", 1),
    Said(
      .rafPacked14, .fujifilmPriority(2, isAutomatic: false), "D-Range Priority", "strong", 2),
  ]
  private static let others = [
    Said(.nefLossless, .nikon(0)),
    Said(.nefLossless, .nikon(5), "Active D-Lighting", "high"),
    Said(.nefPacked, .nikon(0xFFFF), "Active D-Lighting", "automatic"),
    Said(.arw2, .sony(0)), Said(.arw2, .sony(3), "Dynamic Range Optimizer", "automatic"),
    Said(.arwPacked, .sony(10), "Dynamic Range Optimizer", "level 3"),
    Said(.pef, .pentax([0, 0, 0, 0])),
    Said(.pef, .pentax([1, 0, 0, 0]), "Highlight Correction", "on", 1),
    Said(.pefUncompressed, .pentax([1, 2, 0, 0]), "Highlight Correction", "automatic", 1),
    Said(.orfPacked, .olympus([0, 0xFFFF, 1, 0])),
    Said(.orfPacked, .olympus([0, 0xFFFF, 1, 1]), "Gradation", "automatic"),
    Said(.orfPacked, .olympus([1, 0xFFFF, 1]), "Gradation", "high key"),
    Said(.rw2Format5, .panasonic(0)), Said(.rw2Format5, .panasonic(3), "i.Dynamic", "high"),
  ]

  @Test(arguments: canon + fujifilm + others) func isAsTheMakerSaysIt(_ said: Said) throws {
    let found = try RawFile.open(bytes: Self.bytes(said.coding, said.recording))
      .hiddenUnderexposure
    #expect(
      found == said.feature.map { HiddenUnderexposure($0, said.setting, stops: said.stops) })
  }

  @Test(arguments: CameraSample.all) func withoutTheTagThereIsNothing(
    _ sample: CameraSample
  ) throws {
    guard sample.decoders.contains(LibRawVersion.installed.minor) else { return }
    let raw = sample.exposed { _, _ in SIMD3(repeating: 0.2) }
    #expect(try RawFile.open(bytes: raw.written().bytes).hiddenUnderexposure == nil)
  }

  /// `bytes` with the maker note replaced by its `change`, appended to the file.
  private static func replacingNote(
    of bytes: [UInt8], _ change: ([UInt8]) -> [UInt8]
  ) throws -> RawFile {
    let tiff = try #require(try TIFFFile(FileBytes(bytes)))
    let entry = try #require(tiff.directory(.exif)?[0x927C])
    let note = change(Array(bytes[entry.offset..<entry.offset + entry.count]))
    var changed = bytes
    for (at, value) in [(4, note.count), (8, bytes.count)] {
      for byte in 0..<4 {
        let position = entry.position + at + (tiff.bigEndian ? 3 - byte : byte)
        changed[position] = UInt8(truncatingIfNeeded: value >> (8 * byte))
      }
    }
    return try RawFile.open(bytes: changed + note)
  }

  /// Pentax's older cameras start the note with another name, and the directory at its sixth byte.
  @Test func olderNotesOfPentax() throws {
    let file = try Self.replacingNote(of: Self.bytes(.pef, .pentax([1, 0, 0, 0]))) {
      Array("AOC\0".utf8) + $0[8...]
    }
    #expect(file.hiddenUnderexposure == HiddenUnderexposure("Highlight Correction", "on", stops: 1))
  }

  /// OM Digital's cameras have Olympus's note with another 4 bytes of header.
  @Test func notesOfOMSystem() throws {
    let olympus = try Self.bytes(.orfPacked, .olympus([1, 0xFFFF, 1]))
    let file = try Self.replacingNote(of: olympus) { note in
      var moved = Array("OM SYSTEM\0\0\0II\u{4}\0".utf8) + note[12...]
      func number(_ at: Int, _ bytes: Int) -> Int {
        (0..<bytes).reduce(0) { $0 + Int(moved[at + $1]) << (8 * $1) }
      }
      func shift(_ directory: Int) {
        for entry in (0..<number(directory, 2)).map({ directory + 2 + 12 * $0 }) {
          let widths = [3: 2, 4: 4, 5: 8, 8: 2, 9: 4, 10: 8, 13: 4]
          let isSettings = number(entry, 2) == 0x2020
          let bytes = number(entry + 4, 4) * (widths[number(entry + 2, 2)] ?? 1)
          guard isSettings || bytes > 4 else { continue }
          let target = number(entry + 8, 4) + 4
          for byte in 0..<4 {
            moved[entry + 8 + byte] = UInt8(truncatingIfNeeded: target >> (8 * byte))
          }
          if isSettings { shift(target) }
        }
      }
      shift(16)
      return moved
    }
    #expect(file.hiddenUnderexposure == HiddenUnderexposure("Gradation", "high key"))
  }

  /// Any number in the list of Canon's functions, of any type and length.
  @Test func damagedListsOfFunctionsEnd() throws {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .cr2 })
    var raw = sample.exposed { _, _ in SIMD3(repeating: 0.2) }
    raw.recording = .canonFunction(1)
    let bytes = try raw.written().bytes
    let tiff = try #require(try TIFFFile(FileBytes(bytes)))
    let exif = try #require(tiff.directory(.exif)?[0x927C])
    let entry = try #require(tiff.directory(at: exif.offset)?[0x99])
    for word in 0..<entry.count {
      for value in [[UInt8](repeating: 0xFF, count: 4), [0, 0, 0, 0x80], [0xFF, 0xFF, 0, 0]] {
        for type: UInt8 in [4, 9] {
          var damaged = bytes
          let at = entry.offset + 4 * word
          damaged.replaceSubrange(at..<at + 4, with: value)
          damaged[entry.position + 2] = type
          let found = try RawFile.open(bytes: damaged).hiddenUnderexposure
          #expect(found == nil || found?.stops == 1)
        }
      }
    }
  }
}
