import Foundation
import ImageCore
import TestSupport
import Testing

@testable import SyntheticRaw

@Suite("Synthetic ProRAW")
struct SyntheticProRAWTests {
  static func small(
    _ form: SyntheticProRAW.Form, _ compression: DNGWriter.Compression = .losslessJPEG
  ) -> SyntheticProRAW {
    var raw = SyntheticProRAW(size: PixelSize(width: 72, height: 54), form: form)
    raw.compression = compression
    raw.tile = PixelSize(width: 32, height: 20)
    raw.mapPoints = (6, 8)
    return raw
  }

  @Test("has a table that is convex and reaches full scale", arguments: [12, 10])
  func table(bits: Int) {
    let raw = Self.small(.analogBalance, bits == 10 ? .jpegXL : .losslessJPEG)
    let table = raw.linearizationTable.map { Int($0) }
    #expect(table.count == 1 << bits && table.first == 0 && table.last == 65_535)
    let slopes = zip(table.dropFirst(), table).map { $0 - $1 }
    #expect(zip(slopes.dropFirst(), slopes).allSatisfy { $0 - $1 >= -1 })
    if bits == 12 { #expect(slopes[..<8].reduce(0, +) == 17) }
  }

  @Test("stores gray patches as their linear values", arguments: SyntheticProRAW.Form.allCases)
  func patches(form: SyntheticProRAW.Form) {
    let raw = Self.small(form)
    let codes = raw.codes(workers: 1)
    let neutral = SIMD3<Float>(form.asShotNeutral / form.asShotNeutral.max())
    for patch in raw.patches {
      let (x, y) = (patch.rect.x + patch.rect.width / 2, patch.rect.y + patch.rect.height / 2)
      #expect(raw.light(x: x, y: y) == SIMD3(repeating: patch.light))
      for c in 0..<3 {
        let value = raw.linear(codes[(y * raw.size.width + x) * 3 + c])
        let wanted = min(1, neutral[c] * patch.light * Float(exp2(-form.headroomStops)))
        // Half a step of the table: at most 2 · 1.87 · 65535 / 4095 counts at its end.
        #expect(abs(value - wanted) <= 0.5 * 1.9 / 4095, "\(form) \(patch.light) \(c)")
      }
    }
  }

  @Test(
    "lays directories out as phones do",
    arguments: [DNGWriter.Compression.losslessJPEG, .jpegXL], SyntheticProRAW.Form.allCases)
  func layout(compression: DNGWriter.Compression, form: SyntheticProRAW.Form) throws {
    let bytes = try Self.small(form, compression).file().bytes
    #expect(Array(bytes[..<8]) == [0x4D, 0x4D, 0, 42, 0, 0, 0, 18])
    let first = DNGWriterTests.directory(bytes)
    #expect((first[50727] != nil) == (form == .analogBalance))
    for tag in [50706, 50721, 50722, 50728, 50730, 50936, 50940, 34665] as [UInt16] {
      #expect(first[tag] != nil, "\(tag)")
    }
    #expect(first[50940]?.1 == 514)
    let subs = try #require(first[330])
    try #require(subs.1 == 4)
    let offsets = (0..<4).map { DNGWriterTests.number(bytes, subs.2 + 4 * $0, 4) }
    let raw = DNGWriterTests.directory(bytes, at: offsets[0])
    for tag in [50712, 50714, 50717, 51041, 51110, 52525, 324] as [UInt16] {
      #expect(raw[tag] != nil, "\(tag)")
    }
    #expect(raw[50829] == nil && raw[50719] == nil)
    #expect(raw[52525]?.1 == 64 + 4 * 6 * 8 * 257)
    #expect(raw[324]?.1 == 9)
    for offset in offsets.dropFirst() {
      let matte = DNGWriterTests.directory(bytes, at: offset)
      #expect(DNGWriterTests.number(bytes, try #require(matte[259]).2, 2) == 34892)
      #expect(matte[52526] != nil && matte[700] != nil && matte[273]?.1 == 1)
    }
  }

  @Test("is read by exiftool")
  func exiftool() throws {
    let tool = "/usr/bin/exiftool"
    guard FileManager.default.isExecutableFile(atPath: tool) else {
      try Missing.skip("exiftool", isFailure: false)
    }
    let path = NSTemporaryDirectory() + "synthetic-\(UUID().uuidString).dng"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(Self.small(.analogBalance).file().bytes).write(to: URL(filePath: path))
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = ["-a", "-G1", "-s", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    for part in [
      "AnalogBalance", "ProfileGainTableMap", "semanticskymatte", "BaselineExposure",
      "Apple Embedded Color Profile", "Linear Raw", "DefaultBlackRender", "2.37 1 1.92",
    ] { #expect(text.contains(part), "\(part) in\n\(text)") }
  }
}
