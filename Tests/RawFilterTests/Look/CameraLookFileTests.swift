import Containers
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import RawDecode
@testable import RawFilter

@Suite struct CameraLookFileTests {
  private static let file: CameraLookFile = {
    var look = CameraLook()
    for i in look.tone.indices { look.tone[i] = Double(i * (9 - i)) / 16_384 * 8 }
    for i in 0..<CameraLook.nodes {
      look.lightness[i] = Double(i % 7 - 3) / 16_384 * 20
      look.stretch[i] = Double(i % 13) / 16_384 * 100
      look.turn[i] = Double(5 - i % 11) / 16_384 * 77
    }
    look.cast = SIMD2(11, -321) / 16_384
    return CameraLookFile(
      name: "A camera \"standard\"", camera: "A camera", style: "standard", pictures: 7,
      standard: 2.5, fitted: 1.25, heldOut: 1.5, mapping: look)
  }()

  private static func read(_ text: String) throws -> CameraLookFile {
    try CameraLookFile.read(FileBytes(Array(text.utf8)))
  }

  @Test func whatIsWrittenIsRead() throws {
    #expect(try Self.read(Self.file.text) == Self.file)
    #expect(try Self.read(Self.file.text.replacing("\n", with: " \n")).mapping == Self.file.mapping)
    #expect(Self.file.text.utf8.count < 20_000)
  }

  @Test func damagedFilesAreRefused() throws {
    let text = Self.file.text
    for broken in [
      text.replacing("rawlook 1", with: "rawlook 2"), String(text.dropLast(40)), "rawlook 1\n",
      text.replacing("\ncast 0", with: "\ncast 7"), text + "tone 0.1\n",
      text.replacing("\ntone 0", with: "\ntone x"), text + String(repeating: "a", count: 2000),
      text.replacing("\ntone ", with: "\ntone 1 -1 1 -1 1 -1 1 -1 1 -1\nturnt "),
    ] {
      let error = #expect(throws: FormatError.self) { try Self.read(broken) }
      #expect(error?.message.contains("make it again") == true)
    }
  }

  @Test func cubesAreThoseOfOtherPrograms() throws {
    let cube = try LookFixture.file(Array(try #require(Self.file.cube).utf8))
    defer { LookFixture.remove(cube) }
    let read = try LUTFile.read(cube.path)
    let table = try #require(Self.file.mapping.table(.srgb))
    #expect(!read.isCameraLook && read.table.side == 33)
    #expect(zip(read.table.values, table.values).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  /// A look from a file is what a picture begins with, in front of the curves by points.
  @Test func filesAreLooks() throws {
    let url = try LookFixture.file(Array(Self.file.text.utf8), "a.rawlook")
    defer { LookFixture.remove(url) }
    var filter = try RAWFilterDetailTests.neutral(RAWFilterDetailTests.file())
    let before = try filter.outputImage().image
    filter.lutPath = url.path
    let plan = try filter.plan()
    #expect(plan.displayLook.start?.space == .displayP3 && plan.displayLook.lookup == nil)
    #expect(plan.activeStages.contains(.cameraLook) && !plan.activeStages.contains(.lut))
    #expect(!AdjustmentTests.isSame(before, try filter.outputImage().image))
    // It replaces the fit to a preview, which is not needed then.
    filter.look = .camera
    #expect(!(try filter.plan().warnings.contains(RAWFilter.withoutPreview)))
    filter.lutAmount = 0
    filter.look = .standard
    #expect(AdjustmentTests.isSame(before, try filter.outputImage().image))
  }
}
