import Containers
import Foundation
import ImageCore
import RawDecode
import TestSupport
import Testing

@testable import RawFilter

@Suite struct SeriesFileTests {
  static func key(
    _ camera: String = "A camera", light: [Double]? = [-1, -0.5], style: String? = nil,
    isFlash: Bool = false, colors: String? = nil
  ) -> SeriesKey {
    var settings = RAWSettings()
    settings.profileName = colors
    let frame = SeriesFrame(camera: camera, style: style, light: light, isFlash: isFlash)
    return SeriesKey(frame, settings, colorMatrix: nil)
  }

  static func entry(_ key: SeriesKey, exposure: Float? = 0.63, look: String? = nil) -> SeriesEntry {
    SeriesEntry(
      key, source: "a.CR2",
      SeriesFindings(
        exposure: exposure, faithfulExposure: nil, white: Chromaticity(x: 0.3127, y: 0.329),
        look: look))
  }

  private static func read(_ text: String) throws -> SeriesFile {
    try SeriesFile.read(FileBytes(Array(text.utf8)))
  }

  @Test func whatIsWrittenIsRead() throws {
    var file = SeriesFile()
    file.entries = [
      Self.entry(Self.key(style: "Neutral/3", colors: "my.dcp"), look: "rawlook 1\n\"…\"\n"),
      Self.entry(Self.key(light: nil, isFlash: true), exposure: nil),
    ]
    #expect(try SeriesFile.read(FileBytes(file.bytes)) == file)
    #expect(try SeriesFile.read(FileBytes(SeriesFile().bytes)) == SeriesFile())
  }

  /// The first entry that holds is the frame's, so entries behind it change nothing.
  @Test func theFirstEntryHolds() throws {
    var file = SeriesFile()
    file.entries = [Self.entry(Self.key(), exposure: 1)]
    let near = Self.key(light: [-0.86, -0.64])
    #expect(file.entry(of: near)?.findings.exposure == 1)
    file.entries.append(Self.entry(near, exposure: 2))
    #expect(file.entry(of: near)?.findings.exposure == 1)
    #expect(file.entry(of: Self.key(light: [-0.75, -0.6]))?.findings.exposure == 2)
  }

  @Test func whatDecidesIsCameraStyleLightAndColors() {
    let key = Self.key()
    #expect(Self.key(light: [-0.85, -0.65]).isIn(key))
    for other in [
      Self.key("Another"), Self.key(style: "129/"), Self.key(isFlash: true),
      Self.key(colors: "Adobe Standard"), Self.key(light: nil), Self.key(light: [-0.84, -0.5]),
      Self.key(light: [-1, -0.34]),
    ] {
      #expect(!other.isIn(key) && !key.isIn(other))
    }
    #expect(Self.key(light: nil).isIn(Self.key(light: nil)))
    var settings = RAWSettings()
    settings.profilePath = "/studio/my.dcp"
    #expect(SeriesKey(key.frame, settings, colorMatrix: nil).colors == "my.dcp")
    #expect(SeriesKey(key.frame, settings, colorMatrix: [1, 0.5]).colors == "1.0 0.5")
  }

  @Test func damagedFilesAreRefused() throws {
    var file = SeriesFile()
    file.entries = [Self.entry(Self.key())]
    let text = String(decoding: try file.bytes, as: UTF8.self)
    for broken in [
      "{", "[]", "nothing", String(text.dropLast(20)), text.replacing("\"camera\"", with: "\"c\""),
      text.replacing("0.63", with: "63"), text.replacing("0.63", with: "\"1\""),
      text.replacing("[0.3127", with: "[3"), text.replacing("[-1,", with: "[-1,2,"),
      text.replacing("A camera", with: String(repeating: "a", count: 2000)),
      text.replacing("\"entries\"", with: "\"entry\""),
      text.replacing("0.63", with: "0.63,\"look\":\"\(String(repeating: "a", count: 70_000))\""),
      "{\"rawdevSeries\":1,\"entries\":" + String(repeating: "[", count: 100_000),
    ] {
      let error = #expect(throws: FormatError.self) { try Self.read(broken) }
      #expect(error?.code == .damaged && error?.message.contains("restore it") == true)
    }
    let newer = #expect(throws: FormatError.self) {
      try Self.read(text.replacing("Series\": 1", with: "Series\": 2"))
    }
    #expect(newer?.code == .unsupported && newer?.message.contains("newer rawdev") == true)
    // What a later release adds to entries of this version is no damage.
    #expect(try Self.read(text.replacing("0.63", with: "0.63,\"more\":[1]")) == file)
  }

  @Test func filesAreReadAgainWhenTheyChange() throws {
    let folder = try TestFolder()
    #expect(try SeriesFile.read(folder.file("none.json")) == SeriesFile())
    var file = SeriesFile()
    let path = try folder.write(try file.bytes, to: "s.json")
    #expect(try SeriesFile.read(path) == file)
    file.entries = [Self.entry(Self.key())]
    _ = try folder.write(try file.bytes, to: "s.json")
    #expect(try SeriesFile.read(path) == file)
    _ = try folder.write("{", to: "s.json")
    let error = #expect(throws: RAWError.self) { try SeriesFile.read(path) }
    #expect(error?.path == path)
  }

  @Test func entriesOfOthersAreChecked() {
    let entry = Self.entry(Self.key())
    #expect(entry.isSound)
    var (bright, wrong, white) = (entry, entry, entry)
    bright.findings.exposure = .infinity
    wrong.findings.look = "rawlook 1\n"
    white.findings.white = Chromaticity(x: -1, y: 0.3)
    let long = Self.entry(Self.key(String(repeating: "a", count: 2000)))
    for entry in [bright, wrong, white, long] { #expect(!entry.isSound) }
  }
}
