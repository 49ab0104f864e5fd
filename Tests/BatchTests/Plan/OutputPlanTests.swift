import Develop
import SystemPackage
import Testing

@testable import Batch

@Suite struct OutputPlanTests {
  private func staged(_ path: FilePath) throws -> FilePath {
    try #require(OutputPlan(["main": path]).files["main"]).staged
  }

  @Test func stagedFilesAreInTheFolderOfTheirOutput() throws {
    for path: FilePath in ["a.jpg", "b/c/a.jpg", FilePath(bytes: [0x62, 0x2F, 0xFF])] {
      let staged = try staged(path)
      #expect(staged.removingLastComponent() == path.removingLastComponent())
      #expect(staged.lastComponent?.bytes.first == UInt8(ascii: "."))
    }
  }

  @Test func namesAreFixedAndDiffer() throws {
    let paths: [FilePath] = [
      "a.jpg", "a.jpeg", "A.jpg", "b.jpg", "a.jpg ", FilePath(bytes: [0xFF]),
    ]
    let names = try paths.map { try staged($0) }
    #expect(Set(names).count == paths.count)
    #expect(try paths.map { try staged($0) } == names)
    // Files staged by an earlier version are found by a later one.
    #expect(try staged("a.jpg") == ".rawdev-ae279d13a02c65a78a3eebe2.part")
  }

  @Test func longNamesStayShort() throws {
    let long = FilePath("x/" + String(repeating: "n", count: 255))
    let staged = try staged(long)
    #expect(staged.lastComponent?.bytes.count ?? 999 < 60)
    #expect(OutputPlan.unfinished(staged).lastComponent?.bytes.count ?? 999 < 80)
    #expect(OutputPlan.unfinished(staged).removingLastComponent() == "x")
  }

  @Test func keysTellEverythingApart() {
    var info = SourceInfo.made(xxh128: "00")
    let plan = OutputPlan(["main": "a.jpg"])
    let key = plan.key(source: info, recipe: "r", engine: "1")
    #expect(plan.key(source: info, recipe: "r", engine: "1") == key)
    #expect(plan.key(source: info, recipe: "s", engine: "1") != key)
    #expect(plan.key(source: info, recipe: "r", engine: "2") != key)
    #expect(OutputPlan(["main": "b.jpg"]).key(source: info, recipe: "r", engine: "1") != key)
    #expect(OutputPlan(["web": "a.jpg"]).key(source: info, recipe: "r", engine: "1") != key)
    info.xxh128 = "01"
    #expect(plan.key(source: info, recipe: "r", engine: "1") != key)
    // Values that only give its location do not count.
    info = SourceInfo.made(xxh128: "00")
    info.lens = "another"
    #expect(plan.key(source: info, recipe: "r", engine: "1") == key)
  }
}
