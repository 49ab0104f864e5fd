import Foundation
import Testing

@testable import Recipes

struct SidecarFinderTests {
  private static let crs = SidecarFixtures.packet("crs:Exposure2012='1'")

  /// A temporary folder with these files.
  private func inFolder<T>(
    _ files: [String: String], _ body: (URL, SidecarFinder) throws -> T
  ) throws -> T {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "rawdev-sidecars-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    return try body(folder, try SidecarFinder(folder: Array(folder.path.utf8)))
  }

  private func name(_ origin: FoundSidecars.Origin?) -> String? {
    switch origin {
    case .file(let path):
      String(decoding: path, as: UTF8.self).split(separator: "/").last.map(String.init)
    case .embedded: "embedded"
    case nil: nil
    }
  }

  private func used(
    _ files: [String: String], for raw: String, embedded: String? = nil
  ) throws -> (xmp: String?, found: FoundSidecars) {
    try inFolder(files) { _, finder in
      let found = try finder.sidecars(of: Array(raw.utf8)) { embedded.map { Array($0.utf8) } }
      return (name(found.xmp?.origin), found)
    }
  }

  @Test func theMoreExactNameWins() throws {
    var files = ["a.CR2": "", "a.CR2.xmp": Self.crs, "a.xmp": Self.crs]
    let (first, found) = try used(files, for: "a.CR2", embedded: Self.crs)
    #expect(first == "a.CR2.xmp")
    #expect(found.passedOver.map { name($0.origin) } == ["a.xmp"])
    files["a.CR2.xmp"] = nil
    #expect(try used(files, for: "a.CR2", embedded: Self.crs).xmp == "a.xmp")
    files["a.xmp"] = nil
    #expect(try used(files, for: "a.CR2", embedded: Self.crs).xmp == "embedded")
    #expect(try used(files, for: "a.CR2").xmp == nil)
  }

  @Test func theEmbeddedPacketIsOnlyReadWhereNothingElseApplies() throws {
    try inFolder(["a.CR2": "", "a.XMP": Self.crs]) { _, finder in
      var isAsked = false
      let found = try finder.sidecars(of: Array("a.CR2".utf8)) {
        isAsked = true
        return nil
      }
      #expect(!isAsked)
      #expect(name(found.xmp?.origin) == "a.XMP")
    }
    let damaged = try used(["a.CR2": ""], for: "a.CR2", embedded: "<x>")
    #expect(damaged.xmp == nil && damaged.found.warnings.count == 1)
  }

  @Test func endingsInAnyCaseNamesExactly() throws {
    let files = [
      "a.cr2": "", "a.CR2.XMP": Self.crs, "A.xmp": Self.crs, "b.nef": "", "B.nef.xmp": Self.crs,
    ]
    #expect(try used(files, for: "a.cr2").xmp == "a.CR2.XMP")
    #expect(try used(files, for: "b.nef").xmp == nil)
    // Of two raws that differ in case only each has its own sidecar.
    let both = ["a.cr2": "", "a.CR2": "", "a.cr2.xmp": Self.crs, "a.CR2.xmp": Self.crs]
    for raw in ["a.cr2", "a.CR2"] { #expect(try used(both, for: raw).xmp == "\(raw).xmp") }
  }

  @Test func ownSidecars() throws {
    for file in ["a.CR2.rawdev.yaml", "a.cr2.RAWDEV.yml", "a.CR2.rawdev.json"] {
      let (_, found) = try used(["a.CR2": "", file: ""], for: "a.CR2")
      #expect(name(found.own.map(FoundSidecars.Origin.file)) == file)
    }
    let two = ["a.CR2": "", "a.CR2.rawdev.yaml": "", "a.CR2.rawdev.json": ""]
    let error = #expect(throws: RecipeError.self) { try used(two, for: "a.CR2") }
    #expect(error?.message.contains("a.CR2.rawdev.yaml, a.CR2.rawdev.json") == true)
    // Of another raw, or without the extension of a raw.
    let others = ["a.CR2": "", "a.NEF.rawdev.yaml": "", "a.rawdev.yaml": ""]
    #expect(try used(others, for: "a.CR2").found.own == nil)
  }

  @Test func aSidecarThatNamesItsEndingIsBelieved() throws {
    let files = [
      "a.CR2": "", "a.JPG": "",
      "a.xmp": SidecarFixtures.packet("photoshop:SidecarForExtension='jpg' crs:Exposure2012='1'"),
    ]
    let (xmp, found) = try used(files, for: "a.CR2")
    #expect(xmp == nil && found.passedOver.count == 1)
    var own = files
    own["a.xmp"] = SidecarFixtures.packet(
      "photoshop:SidecarForExtension='cr2' crs:Exposure2012='1'")
    own["a.NEF"] = ""
    #expect(try used(own, for: "a.CR2").xmp == "a.xmp")
    for (ending, isOwn) in [(".CR2", true), ("cr2\u{301}", false), (".\u{301}cr2", false)] {
      own["a.xmp"] = SidecarFixtures.packet(
        "photoshop:SidecarForExtension='\(ending)' crs:Exposure2012='1'")
      #expect(try used(own, for: "a.CR2").xmp == (isOwn ? "a.xmp" : nil))
    }
    own["a.xmp"] = SidecarFixtures.packet(
      "photoshop:SidecarForExtension='cr2' crs:Exposure2012='1'")
    #expect(try used(own, for: "a.NEF").xmp == nil)
    #expect(try used(own, for: "a.NEF").found.warnings.isEmpty)
  }

  @Test func aSharedSidecarBelongsToTheCamerasFormat() throws {
    let files = ["a.CR2": "", "a.DNG": "", "a.JPG": "", "a.xmp": Self.crs]
    #expect(try used(files, for: "a.CR2").xmp == "a.xmp")
    let (xmp, found) = try used(files, for: "a.DNG", embedded: Self.crs)
    #expect(xmp == "embedded")
    #expect(found.passedOver.first?.reason.contains("a.CR2") == true)
    #expect(try used(["a.DNG": "", "a.JPG": "", "a.xmp": Self.crs], for: "a.DNG").xmp == "a.xmp")
  }

  @Test func betweenTwoRawsTheNameInsideDecidesOrNobody() throws {
    var files = ["a.CR2": "", "a.NEF": "", "a.xmp": Self.crs]
    for raw in ["a.CR2", "a.NEF"] {
      let (xmp, found) = try used(files, for: raw)
      #expect(xmp == nil)
      #expect(found.warnings.first?.contains("\(raw).xmp") == true)
    }
    for field in ["crs:RawFileName", "xmpMM:PreservedFileName"] {
      files["a.xmp"] = SidecarFixtures.packet("\(field)='A.nef' crs:Exposure2012='1'")
      #expect(try used(files, for: "a.NEF").xmp == "a.xmp")
      let (xmp, found) = try used(files, for: "a.CR2")
      #expect(xmp == nil && found.warnings.isEmpty && found.passedOver.count == 1)
    }
  }

  @Test func otherProgramsSidecarsComeAfterCameraRaws() throws {
    let turned = SidecarFixtures.packet("tiff:Orientation='6'")
    let files = [
      "a.CR2": "", "a.CR2.xmp": SidecarFixtures.darktable,
      "a_01.CR2.xmp": SidecarFixtures.darktable,
      "a.xmp": Self.crs,
    ]
    let (xmp, found) = try used(files, for: "a.CR2")
    #expect(xmp == "a.xmp")
    #expect(found.passedOver.first?.reason.contains("darktable") == true)
    #expect(found.notes.count == 1 && found.notes[0].contains("a_01.CR2.xmp"))
    #expect(
      try used(["a.CR2": "", "a.CR2.xmp": SidecarFixtures.darktable], for: "a.CR2").xmp
        == "a.CR2.xmp")
    #expect(try used(["a.CR2": "", "a.CR2.xmp": turned], for: "a.CR2").xmp == "a.CR2.xmp")
    let plain = ["a.CR2": "", "a.xmp": SidecarFixtures.packet("photoshop:City='Ulm'")]
    #expect(try used(plain, for: "a.CR2").xmp == nil)
    // A raw of that name has its own sidecar.
    let pair = ["a.CR2": "", "a_01.CR2": "", "a_01.CR2.xmp": SidecarFixtures.darktable]
    #expect(try used(pair, for: "a.CR2").found.notes.isEmpty)
  }

  @Test func whatCannotBeReadIsAnError() throws {
    for text in ["", "<x>", "no XML"] {
      let error = #expect(throws: RecipeError.self) {
        try used(["a.CR2": "", "a.xmp": text], for: "a.CR2")
      }
      #expect(error?.code == .malformed)
      #expect(error?.path?.hasSuffix("/a.xmp") == true)
    }
    try inFolder(["a.CR2": "", "b.CR2": "", "c.CR2": ""]) { folder, _ in
      let manager = FileManager.default
      try manager.createDirectory(
        at: folder.appending(path: "a.xmp"), withIntermediateDirectories: false)
      try manager.createSymbolicLink(
        atPath: folder.appending(path: "b.CR2.xmp").path, withDestinationPath: "nowhere")
      #expect(mkfifo(folder.appending(path: "c.xmp").path, 0o600) == 0)
      let finder = try SidecarFinder(folder: Array(folder.path.utf8))
      for raw in ["a.CR2", "b.CR2", "c.CR2"] {
        let error = #expect(throws: RecipeError.self) { try finder.sidecars(of: Array(raw.utf8)) }
        #expect(error?.code == .cannotRead)
      }
    }
    #expect(throws: RecipeError.self) { try SidecarFinder(folder: Array("/nowhere/at all".utf8)) }
  }

  @Test(.enabled(if: geteuid() != 0)) func aForbiddenSidecarIsAnError() throws {
    try inFolder(["a.CR2": "", "a.xmp": Self.crs]) { folder, finder in
      #expect(chmod(folder.appending(path: "a.xmp").path, 0) == 0)
      let error = #expect(throws: RecipeError.self) { try finder.sidecars(of: Array("a.CR2".utf8)) }
      #expect(error?.code == .cannotRead)
    }
  }

  @Test func namesAreBytes() throws {
    try inFolder([:]) { folder, _ in
      let raw: [UInt8] = Array("f\n ".utf8) + [0xFF, 0xC3] + Array(".CR2".utf8)
      let sidecar = raw.dropLast(4) + Array(".xmp".utf8)
      for (name, text) in [(raw, ""), (Array(sidecar), Self.crs)] {
        let path = Array(folder.path.utf8) + [0x2F] + name + [0]
        let file = open(path.map(CChar.init(truncatingIfNeeded:)), O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0)
        #expect(write(file, text, text.utf8.count) == text.utf8.count)
        close(file)
      }
      let finder = try SidecarFinder(folder: Array(folder.path.utf8))
      let found = try finder.sidecars(of: raw)
      guard case .file(let path)? = found.xmp?.origin else {
        Issue.record("not found")
        return
      }
      #expect(path.suffix(sidecar.count) == sidecar)
      #expect(found.xmp?.origin.description.contains("\n") == false)
    }
  }

  @Test func namesWithoutAnEndingOrWithMany() throws {
    #expect(try used(["a": "", "a.xmp": Self.crs], for: "a").xmp == "a.xmp")
    #expect(
      try used(["a.b.CR2": "", "a.b.xmp": Self.crs, "a.xmp": Self.crs], for: "a.b.CR2").xmp
        == "a.b.xmp")
    for raw in [".", ".CR2", "a.", "..xmp"] {
      #expect(try used(["a.CR2": "", ".xmp": Self.crs], for: raw).xmp == nil, "\(raw)")
    }
  }

  @Test func tenThousandRawsInOneFolder() throws {
    let names = (0..<10_000).flatMap { index in
      [
        "IMG_\(index).CR2", "IMG_\(index).JPG", "IMG_\(index).CR2.rawdev.yaml",
        "IMG_\(index)_01.CR2.xmp",
      ]
    }
    let listing = FolderListing(names: names.shuffled().map { Array($0.utf8) })
    let finder = SidecarFinder(folder: [], listing: listing)
    for index in 0..<10_000 {
      let found = try finder.sidecars(of: Array("IMG_\(index).CR2".utf8))
      #expect(found.own == Array("IMG_\(index).CR2.rawdev.yaml".utf8))
      #expect(found.notes.count == 1)
    }
  }
}
