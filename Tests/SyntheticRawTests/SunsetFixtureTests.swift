import Foundation
import ImageCore
import SyntheticRaw
import Testing

@Suite("The fixtures in the repository")
struct SunsetFixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  @Test(
    "are what their definitions make, byte for byte",
    .enabled(if: isOptimized, "takes minutes without optimization; run it in release"),
    arguments: SunsetFixture.allCases)
  func regenerates(_ fixture: SunsetFixture) throws {
    let stored = try Data(contentsOf: Self.folder.appendingPathComponent(fixture.name))
    let made = try Data(fixture.file.bytes)
    #expect(made.count == stored.count)
    #expect(made == stored, "run `make-fixtures fixtures Fixtures` and say why the files changed")
  }

  @Test("stay small", arguments: SunsetFixture.allCases)
  func small(_ fixture: SunsetFixture) throws {
    let path = Self.folder.appendingPathComponent(fixture.name).path
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) < 2_000_000)
  }
}
