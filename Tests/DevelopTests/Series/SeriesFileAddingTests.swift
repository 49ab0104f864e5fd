import Foundation
import RawFilter
import Synchronization
import TestSupport
import Testing

@testable import Develop

@Suite struct SeriesFileAddingTests {
  private let folder: TestFolder
  private var path: String { folder.file("s.json") }

  init() throws { folder = try TestFolder() }

  private func entry(_ red: Double, _ source: String) -> SeriesEntry {
    SeriesEntry(SeriesGroupTests.key(red), source: source, SeriesFindings(exposure: 1))
  }

  @Test func entriesThatAreThereStay() throws {
    try SeriesFile.add([entry(-1, "a"), entry(0, "b")], to: path)
    try SeriesFile.add([entry(-1.1, "c"), entry(1, "d")], to: path)
    #expect(try SeriesFile.read(path).entries.map(\.source) == ["a", "b", "d"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["s.json"])
  }

  /// With concurrent writers, the first entry of an illumination stays, and none is lost.
  @Test func severalMayAddAtATime() throws {
    let (folder, path) = (folder, path)
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for writer in 0..<6 {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        for illumination in 0..<8 {
          do {
            let key = SeriesGroupTests.key(Double(illumination))
            let own = SeriesGroupTests.key(Double(illumination), "\(writer)")
            try SeriesFile.add(
              [key, own].map { SeriesEntry($0, source: "\(writer)", SeriesFindings()) }, to: path)
          } catch { failures.withLock { $0.append("\(error)") } }
        }
      }
    }
    group.wait()
    #expect(failures.withLock { $0 }.isEmpty)
    let entries = try SeriesFile.read(path).entries
    #expect(entries.count == 8 + 6 * 8)
    #expect(Set(entries.map(\.key)).count == entries.count)
    withExtendedLifetime(folder) {}
  }

  @Test func whatCannotBeUsedOrWrittenIsNamed() throws {
    _ = try folder.write("{\"rawdevSeries\": 2}", to: "s.json")
    let newer = #expect(throws: DevelopError.self) { try SeriesFile.add([entry(0, "a")], to: path) }
    #expect(newer.map { "\($0)".contains("s.json") && "\($0)".contains("version 2") } == true)
    let none = folder.file("none/s.json")
    let missing = #expect(throws: DevelopError.self) { try SeriesFile.check(none) }
    #expect(missing.map { "\($0)".contains(none) } == true)
    let many = (0...SeriesFile.maxEntries).map {
      SeriesEntry(SeriesGroupTests.key(0, "\($0)"), source: "", SeriesFindings())
    }
    let other = folder.file("many.json")
    #expect(throws: DevelopError.self) { try SeriesFile.add(many, to: other) }
    #expect(try SeriesFile.read(other) == SeriesFile())
  }
}
