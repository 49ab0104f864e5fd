import Batch
import Develop
import Foundation
import ImageCore
import RawFilter
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

@Suite struct TuningDocumentTests {
  let raw: SmallRaw
  let filter: RAWFilter
  init() throws {
    raw = try SmallRaw()
    filter = try RAWFilter(url: URL(fileURLWithPath: raw.path))
  }

  var path: FilePath { FilePath(raw.path) }
  let sidecar = "small.dng.rawdev.yaml"

  func document() throws -> TuningDocument {
    try TuningDocument(path: path, filter: filter)
  }

  func text(_ name: String = "small.dng.rawdev.yaml") -> String? {
    FileManager.default.contents(atPath: raw.file(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Of the raw without a sidecar.
  var nothing: String { OwnSidecar.revision("", for: PictureID.file(FileStatus(path))) }

  /// The recipe by which `rawdev develop` develops the raw as it is on disk.
  private func planned() throws -> Recipe {
    let source = RawSource(path: path, relativePath: "small.dng")
    return try RecipePlanner(RecipeResolver(), workingFolder: FilePath(raw.folder))
      .plan(source, filter).recipe
  }

  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" \
    crs:ProcessVersion="15.4" crs:WhiteBalance="Custom" crs:Temperature="6100" crs:Tint="7"
    crs:Exposure2012="+1.00" crs:ShadowTint="+20" crs:HasSettings="True"/></rdf:RDF></x:xmpmeta>
    """

  /// Defaults with a rule, XMP, and a sidecar that extends a recipe.
  private func writeLayers() throws {
    try raw.files.write(
      "root: true\nraw: {contrastAmount: 0.25}\nrules:\n  - match: {camera: '*'}\n"
        + "    raw: {sharpnessAmount: 0.125, contrastAmount: 1}\n", to: ".rawdev/defaults.yaml")
    try raw.files.write(Self.packet, to: "small.xmp")
    try raw.files.write("raw: {detailAmount: 0.5, exposure: -2}", to: "base.yaml")
    try raw.files.write(
      """
      # mine
      schema: 1
      extends: base.yaml
      raw:
        exposure: 0.5  # brighter
        nonsense: 3
      outputs: {web: {format: jpeg-sdr, maxSize: 100}}

      """, to: sidecar)
  }

  // MARK: What holds

  @Test func saysWhatHoldsAndWhereItComesFrom() throws {
    try writeLayers()
    let state = try document().state()
    #expect(state.own == ["exposure": 0.5])
    #expect(state.path == raw.file(sidecar) && state.problem == nil && !state.revision.isEmpty)
    #expect(state.notes.contains { $0.contains("nonsense") })
    #expect(state.notes.contains { $0.contains("ShadowTint") })
    func line(_ lines: [RecipeExplanation.Line], _ key: String) -> RecipeExplanation.Line? {
      lines.first { $0.key == "raw." + key }
    }
    for (key, value, layer, isOwn) in [
      ("exposure", 0.5, .sidecar, true), ("detailAmount", 0.5, .sidecar, false),
      ("contrastAmount", 0.25, .folder, false), ("sharpnessAmount", 0.125, .camera, false),
      ("neutralTemperature", 6100, .xmp, false), ("vibrance", 0, .engine, false),
    ] as [(String, Double, RecipeOrigin.Kind, Bool)] {
      let line = try #require(line(state.lines, key))
      #expect(line.value == .number(value) && line.layer == layer, "\(key)")
      let inherited = try #require(state.inherited.first { $0.key == "raw." + key })
      #expect(isOwn ? inherited.value == -2 : inherited.value == line.value, "\(key)")
    }
    #expect(line(state.lines, "exposure")?.line == 5)
    #expect(line(state.lines, "exposure")?.overridden.map(\.value) == [1, -2])
    #expect(state.lines.allSatisfy { $0.key.hasPrefix("raw.") })
    let names = Set(RAWProperty.all.map { "raw." + $0.name })
    #expect(names.isSubset(of: state.lines.map(\.key)))
    #expect(names.isSubset(of: state.inherited.map(\.key)))
  }

  @Test func statesAreJSON() throws {
    try writeLayers()
    let state = try document().state()
    let back = try JSONDecoder().decode(
      TuningDocument.State.self, from: JSONEncoder().encode(state))
    #expect(back.own == state.own && back.lines == state.lines && back.notes == state.notes)
  }

  private static let owns: [[String: RecipeValue]] = [
    [:], ["exposure": 1.5], ["exposure": .null], ["neutralTemperature": 5000, "neutralTint": -3],
    ["neutralChromaticity": [0.34, 0.36]], ["neutralLocation": [10, 20]],
    ["neutralTemperature": .null], ["isAutomaticWhiteBalanceEnabled": .bool(true)],
    ["isAutomaticWhiteBalanceEnabled": .bool(false)],
    ["crop": "10%,10%,50%,50%", "straightenAngle": 2],
    ["orientation": 6, "toneCurve": [0, 0, 1, 1], "isBlackAndWhiteEnabled": .bool(true)],
    ["contrastAmount": .null, "lutPath": "look.cube", "decoderVersion": 1],
  ]

  /// Previewed, saved and developed values are the same.
  @Test(arguments: owns, [false, true]) func displayedSettingsAreTheDevelopedOnes(
    own: [String: RecipeValue], hasLayers: Bool
  ) throws {
    if hasLayers { try writeLayers() }
    let document = try document()
    let before = try document.state()
    let displayed = try document.settings(own)
    #expect(try document.settings(own) == displayed)
    let saved = try document.save(own, revision: before.revision)
    #expect(saved.own == own && saved.problem == nil)
    #expect(saved.inherited.map(\.value) == before.inherited.map(\.value))
    #expect(try document.settings(own) == displayed)
    #expect(try planned().raw == displayed)
    #expect(try self.document().state().own == own)
    // Without values of its own, all is as it was inherited.
    let inherited = try document.settings([:])
    let emptied = try document.save([:], revision: saved.revision)
    #expect(emptied.own.isEmpty)
    #expect(emptied.lines.map(\.value) == before.inherited.map(\.value))
    #expect(try planned().raw == inherited)
    #expect((text() == nil) == !hasLayers)
  }

  @Test func pathsStartFromTheFolderOfTheRaw() throws {
    #expect(
      try document().settings(["lutPath": "look.cube"]).look.lutPath == raw.file("look.cube"))
  }

  @Test func waysOfGivingTheWhiteAreAlternatives() throws {
    try writeLayers()
    let document = try document()
    let located = try document.settings(["neutralLocation": [3, 4]])
    #expect(located.neutral == .location(PixelPoint(x: 3, y: 4)))
    #expect(try document.settings(["neutralTemperature": .null]).neutral == .asShot)
    let error = #expect(throws: RecipeError.self) {
      try document.settings(["neutralTemperature": 5000, "neutralLocation": [3, 4]])
    }
    #expect(error?.message.contains("several ways") == true)
    #expect(throws: RecipeError.self) {
      try document.save(
        ["neutralTemperature": 5000, "neutralLocation": [3, 4]],
        revision: try document.state().revision)
    }
    #expect(try document.state().own == ["exposure": 0.5])
  }

  @Test func settingsThatNoPropertyTakesAreRefused() throws {
    let document = try document()
    for own: [String: RecipeValue] in [
      ["exposure": "bright"], ["exposure": 1e9], ["exposure": [1]], ["crop": "x"],
      ["exposure": .map([:])], ["toneCurve": [1]],
    ] {
      #expect(throws: RecipeError.self) { try document.settings(own) }
      #expect(throws: RecipeError.self) { try document.save(own, revision: nothing) }
    }
    #expect(throws: RecipeError.self) { try document.save(["nonsense": 1], revision: nothing) }
    #expect(raw.names == ["small.dng"])
  }

  @Test func whatTheDocumentsSayBesideIsKnown() throws {
    try raw.files.write(
      "render: {headroomLimit: 3}\nraw: {exposure: 1}", to: ".rawdev/defaults.yaml")
    let document = try document()
    #expect(try document.recipe(["vibrance": 0.5]).render.headroomLimit == 3)
    try raw.files.write("raw: {exposure: 2}", to: ".rawdev/defaults.yaml")
    #expect(try document.settings([:]).exposure == 1)
    _ = try document.state()
    #expect(try document.settings([:]).exposure == 2)
  }

  // MARK: Keeping

  @Test func allElseStaysByteForByte() throws {
    let old = """
      # A sidecar by hand.
      schema: 1
      name: "Beach"   # a title
      future: {key: [1, 2]}
      raw:
        # light
        exposure: 0.5   # half a stop
        contrastAmount: 0.25
        laterProperty: yes please

      outputs:
        web: {format: jpeg-sdr, quality: 0.8}   # for the page

      """
    try raw.files.write(old, to: sidecar)
    let document = try document()
    var state = try document.state()
    state = try document.save(["exposure": 1.5, "contrastAmount": 0.25], revision: state.revision)
    #expect(text() == old.replacing("exposure: 0.5 ", with: "exposure: 1.5 "))
    state = try document.save(
      ["exposure": 1.5, "contrastAmount": 0.25, "vibrance": 0.25], revision: state.revision)
    let added = try #require(text())
    #expect(added.split(separator: "\n").count == old.split(separator: "\n").count + 1)
    state = try document.save(["exposure": 0.5, "contrastAmount": 0.25], revision: state.revision)
    #expect(text() == old)
    // The same values write nothing.
    #expect(try document.save(state.own, revision: state.revision).revision == state.revision)
    state = try document.save([:], revision: state.revision)
    #expect(text()?.contains("laterProperty: yes please") == true)
    #expect(text()?.contains("quality: 0.8}   # for the page") == true && state.own.isEmpty)
  }

  @Test func aNewSidecarIsThatOfRecipeSet() throws {
    let document = try document()
    let state = try document.save(["exposure": 0.5], revision: nothing)
    #expect(text() == "schema: 1\nraw:\n  exposure: 0.5\n")
    #expect(raw.names == ["small.dng", sidecar])
    // What held nothing else is removed with its last value, and nothing is made for none.
    #expect(try document.save([:], revision: state.revision).exists == false)
    #expect(raw.names == ["small.dng"])
    _ = try document.save([:], revision: nothing)
    #expect(raw.names == ["small.dng"])
  }

  @Test func theSidecarThatIsThereIsUsed() throws {
    try raw.files.write("{\"raw\": {\"exposure\": 1}}", to: "small.DNG.rawdev.json")
    let document = try document()
    let state = try document.state()
    #expect(state.own == ["exposure": 1] && state.path == raw.file("small.DNG.rawdev.json"))
    _ = try document.save(["exposure": 2, "vibrance": 0.5], revision: state.revision)
    #expect(text("small.DNG.rawdev.json") == "{\"raw\": {\"exposure\": 2, \"vibrance\": 0.5}}")
    #expect(raw.names == ["small.DNG.rawdev.json", "small.dng"])
  }

  @Test func aLinkIsFollowed() throws {
    try raw.files.write("schema: 1\nraw:\n  exposure: 1\n", to: "real/a.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: raw.file(sidecar), withDestinationPath: "real/a.yaml")
    let document = try document()
    var state = try document.save(["exposure": 2], revision: try document.state().revision)
    #expect(text("real/a.yaml") == "schema: 1\nraw:\n  exposure: 2\n")
    state = try document.save([:], revision: state.revision)
    #expect(text("real/a.yaml") == "schema: 1\n" && text() == "schema: 1\n")
    // A dangling link is neither followed nor replaced.
    try FileManager.default.removeItem(atPath: raw.file("real/a.yaml"))
    #expect(try document.state().problem != nil)
    #expect(throws: RecipeError.self) {
      try document.save(["exposure": 2], revision: nothing, force: true)
    }
    #expect(text("real/a.yaml") == nil)
  }

  // MARK: Conflicts

  @Test func aSidecarThatChangedIsNotOverwrittenUnasked() throws {
    let document = try document()
    for other in ["raw: {exposure: 3}  # theirs\n", "raw: {}\n", nil] {
      let state = try document.save(["exposure": 1], revision: nothing, force: true)
      if let other {
        try raw.files.write(other, to: sidecar)
      } else {
        try FileManager.default.removeItem(atPath: raw.file(sidecar))
      }
      do {
        _ = try document.save(["exposure": 2], revision: state.revision)
        Issue.record("it was overwritten")
      } catch TuningDocument.Refusal.changed(let now) {
        #expect(text() == other)
        #expect(now.own == (other == nil || other == "raw: {}\n" ? [:] : ["exposure": 3]))
        // With the current state in view the change is saved, beside the other writer's changes.
        #expect(try document.save(["exposure": 2], revision: now.revision).own == ["exposure": 2])
      }
      #expect(other?.contains("theirs") != true || text()?.contains("# theirs") == true)
    }
    // One that was made meanwhile.
    try FileManager.default.removeItem(atPath: raw.file(sidecar))
    try raw.files.write("raw: {exposure: 4}\n", to: sidecar)
    #expect(throws: TuningDocument.Refusal.self) { try document.save([:], revision: nothing) }
    #expect(text() == "raw: {exposure: 4}\n")
    let forced = try document.save(["vibrance": 0.5], revision: nothing, force: true)
    #expect(forced.own == ["vibrance": 0.5])
  }

  @Test func theSidecarOfAnotherRawIsLeftAlone() throws {
    let document = try document()
    let state = try document.state()
    try raw.files.write(try SmallRaw.bytes(peak: 0.5) + [0], to: "small.dng")
    for force in [false, true] {
      #expect(throws: TuningDocument.Refusal.self) {
        try document.save(["exposure": 1], revision: state.revision, force: force)
      }
    }
    #expect(raw.names == ["small.dng"])
  }

  @Test func oneOfTwoWritersWins() async throws {
    let revision = try document().save(["exposure": 0.125], revision: nothing).revision
    for _ in 0..<20 {
      let now = try document().state().revision
      let won = try await withThrowingTaskGroup(of: Double?.self) { group in
        for value in 1...4 {
          let document = try document()
          group.addTask {
            do {
              _ = try document.save(["exposure": .number(Double(value))], revision: now)
              return Double(value)
            } catch TuningDocument.Refusal.changed { return nil }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
      }
      let own = try document().state().own
      // A writer of what is there already changes nothing, so that another one may still win.
      #expect(won.map { ["exposure": RecipeValue.number($0)] }.contains(own))
      #expect((1...2).contains(won.count))
    }
    #expect(try document().state().revision != revision && raw.names.count == 2)
  }

  // MARK: Bad sidecars

  static let bad: [(text: String, line: Int?)] = [
    ("raw:\n  exposure: [1\n", nil), ("raw:\n  exposure: bright\n", 2), ("- 1\n", 1),
    ("raw: {exposure: 99}\n", 1), ("\n\nraw: 3\n", 3), ("schema: 9\nraw: {exposure: 1}\n", 1),
    ("extends: none.yaml\nraw: {exposure: 1}\n", 1), ("extends: small.dng.rawdev.yaml\n", 1),
    ("raw: {neutralLocation: [1, 2], neutralTemperature: 5000}\n", 1),
    ("a: \u{0}\n", nil), ("outputs: {web: {format: gif}}\nraw: {exposure: 1}\n", 1),
    (String(repeating: "#", count: 1 << 20) + "\nraw: {exposure: 1}\n", nil),
  ]

  @Test(arguments: bad.indices) func aSidecarWithAnErrorIsNeverWritten(index: Int) throws {
    let (content, line) = Self.bad[index]
    try raw.files.write(Self.packet, to: "small.xmp")
    try raw.files.write(content, to: sidecar)
    let document = try document()
    let state = try document.state()
    let problem = try #require(state.problem)
    #expect(problem.contains(raw.file(sidecar)) && !problem.contains("\n"), "\(problem)")
    if let line { #expect(problem.contains(":\(line): "), "\(problem)") }
    // What is inherited holds.
    #expect(state.own.isEmpty)
    #expect(state.inherited.first { $0.key == "raw.exposure" }?.value == 1)
    #expect(try document.settings(["vibrance": 0.5]).exposure == 1)
    for force in [false, true] {
      #expect(throws: RecipeError.self) {
        try document.save(["exposure": 2], revision: state.revision, force: force)
      }
    }
    #expect(text() == content)
    // Once it is repaired, it has another revision.
    try raw.files.write("raw: {exposure: 0.5}\n", to: sidecar)
    let mended = try document.state()
    #expect(mended.problem == nil && mended.revision != state.revision)
    #expect(try document.save(["exposure": 2], revision: mended.revision).own == ["exposure": 2])
  }

  @Test func otherBadFilesAreProblemsToo() throws {
    try raw.files.write([0xFF, 0xFE, 0x00, 0xD8], to: sidecar)
    #expect(try document().state().problem?.contains("UTF-8") == true)
    try FileManager.default.removeItem(atPath: raw.file(sidecar))
    try raw.files.write("", to: sidecar + "/x")
    #expect(try document().state().problem?.contains(sidecar) == true)
    try FileManager.default.removeItem(atPath: raw.file(sidecar))
    for ending in ["yaml", "json"] {
      try raw.files.write("{}", to: "small.dng.rawdev.\(ending)")
    }
    let state = try document().state()
    #expect(state.problem?.contains("more than one sidecar") == true)
    #expect(throws: RecipeError.self) {
      try document().save(["exposure": 1], revision: state.revision, force: true)
    }
  }

  @Test func anOldFormHoldsAndIsNotWritten() throws {
    let content = "raw: {exposure: 0.5}\noutput: {format: jpeg-sdr}\nrender: {angle: 2}\n"
    try raw.files.write(content, to: sidecar)
    let document = try document()
    let state = try document.state()
    #expect(state.problem?.contains("migrate it first") == true)
    #expect(state.own == ["exposure": 0.5, "straightenAngle": 2])
    #expect(try document.settings(state.own) == planned().raw)
    #expect(throws: RecipeError.self) {
      try document.save(["exposure": 1], revision: state.revision, force: true)
    }
    #expect(text() == content)
  }

  @Test func errorsElsewhereAreReported() throws {
    try raw.files.write("raw:\n  exposure: [1\n", to: ".rawdev/defaults.yaml")
    try raw.files.write("raw: {vibrance: 0.5}", to: sidecar)
    var state = try document().state()
    #expect(state.problem?.contains("defaults.yaml") == true && state.own == ["vibrance": 0.5])
    // The sidecar itself is in order, so it may be written.
    let document = try document()
    #expect(try document.settings(["vibrance": 1]).look.vibrance == 1)
    state = try document.save(["vibrance": 1], revision: state.revision)
    #expect(state.own == ["vibrance": 1] && state.problem != nil)
    try FileManager.default.removeItem(atPath: raw.file(".rawdev"))
    try raw.files.write("<x", to: "small.dng.xmp")
    #expect(try document.state().problem?.contains("small.dng.xmp") == true)
  }

  @Test func aWriteProtectedSidecarStays() throws {
    try raw.files.write("raw: {exposure: 1}\n", to: sidecar)
    chmod(raw.file(sidecar), 0o444)
    let document = try document()
    let error = #expect(throws: RecipeError.self) {
      try document.save(["exposure": 2], revision: try document.state().revision)
    }
    #expect(error?.path == raw.file(sidecar) && error?.code == .cannotWrite)
    #expect(text() == "raw: {exposure: 1}\n")
  }

  @Test(.enabled(if: geteuid() != 0)) func aFolderThatMayNotBeWrittenIsNamed() throws {
    let document = try document()
    chmod(raw.folder, 0o555)
    defer { chmod(raw.folder, 0o755) }
    let error = #expect(throws: RecipeError.self) {
      try document.save(["exposure": 2], revision: nothing)
    }
    #expect(error?.path == raw.file(sidecar) && raw.names == ["small.dng"])
  }

  @Test func namesNeedNotBeText() throws {
    let name = FilePath(
      platformString: raw.folder.utf8.map(CChar.init) + [47, -1, 46, 100, 110, 103, 0])
    let moved = path.withPlatformString { from in
      name.withPlatformString { rename(from, $0) }
    }
    try #require(moved == 0)
    let document = try TuningDocument(path: name, filter: filter)
    let state = try document.save(["exposure": 2], revision: try document.state().revision)
    #expect(state.own == ["exposure": 2])
    let own = try SidecarFinder(folder: raw.files.bytes).own(name.lastComponent?.bytes ?? [])
    #expect(own == name.bytes + Array(".rawdev.yaml".utf8))
    _ = try document.save(["exposure": 3], revision: state.revision)
    #expect(try document.state().own == ["exposure": 3] && raw.names.count == 2)
  }

  // MARK: Recipes, defaults

  @Test func recipesAndDefaultsAreReadBack() throws {
    let document = try document()
    let values: [String: RecipeValue] = ["exposure": 0.5, "neutralTemperature": 5000]
    let recipe = try document.saveRecipe(values, name: "evening")
    #expect(recipe == FilePath(raw.file("evening.yaml")))
    #expect(throws: RecipeError.self) { try document.saveRecipe(values, name: "evening") }
    let defaults = try document.saveFolderDefaults(values)
    #expect(defaults == FilePath(raw.file(".rawdev/defaults.yaml")))
    var state = try document.state()
    #expect(state.own.isEmpty)
    #expect(state.inherited.first { $0.key == "raw.exposure" }?.layer == .folder)
    #expect(try planned().raw.exposure == 0.5)
    // Into existing ones, beside their content.
    let old = "root: true # top\nraw: {neutralLocation: [1, 2], vibrance: 0.5}\nrules: []\n"
    try raw.files.write(old, to: ".rawdev/defaults.yaml")
    _ = try document.saveFolderDefaults(["neutralTemperature": 6000])
    #expect(text(".rawdev/defaults.yaml")?.contains("root: true # top") == true)
    state = try document.state()
    #expect(state.problem == nil && state.notes.isEmpty)
    #expect(try planned().raw.look.vibrance == 0.5)
    #expect(try document.settings([:]).neutral == planned().raw.neutral)
    for bad in ["raw: [", "output: {format: jpeg-sdr}\n"] {
      try raw.files.write(bad, to: ".rawdev/defaults.yaml")
      #expect(throws: RecipeError.self) { try document.saveFolderDefaults(values) }
      #expect(text(".rawdev/defaults.yaml") == bad)
    }
    try raw.files.write("{}", to: ".rawdev/defaults.json")
    #expect(throws: RecipeError.self) { try document.saveFolderDefaults(values) }
  }
}
