import Foundation
import RawFilter
import TestSupport
import Testing

@testable import Recipes

@Suite struct RecipeResolverTests {
  private let folder: TestFolder
  init() throws {
    folder = try TestFolder()
    try folder.write("raw", to: "a/b.CR2")
    try folder.write(
      """
      root: true
      raw: {exposure: 1, detailAmount: 1, contrastAmount: 1, despeckleAmount: 1, \
      moireReductionAmount: 1}
      rules:
      - match: {camera: "Canon*"}
        raw: {shadowBias: 0.1, exposure: 9}
      """, to: "a/.rawdev/defaults.yaml")
    try folder.write(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
        crs:Version="15.0" crs:ProcessVersion="11.0" crs:HasSettings="True" \
        crs:Exposure2012="+0.75"/>
      </rdf:RDF></x:xmpmeta>
      """, to: "a/b.xmp")
    try folder.write("raw: {detailAmount: 2}\nroot: true\n", to: "base.yaml")
    try folder.write(
      "extends: ../base.yaml\nraw:\n  contrastAmount: 0.5\n  sharpness: 1\n",
      to: "a/b.CR2.rawdev.yaml")
  }

  private func resolve(_ sources: RecipeResolver.Sources = .init()) throws
    -> RecipeResolver.Resolved
  {
    let recipe = try RecipeDocument(
      text: "raw: {detailAmount: 3, despeckleAmount: 0.5}", path: "r.yaml")
    return try RecipeResolver(
      recipes: [recipe], commandLine: .map(["raw": .map(["moireReductionAmount": .number(0.25)])]),
      sources: sources
    ).resolve(
      .init(
        path: folder.bytes + Array("/a/b.CR2".utf8),
        info: PictureInfo(make: "Canon", model: "Canon EOS 5D")))
  }

  /// Each layer overrides the one before, and has the origin of its values.
  @Test func layersAreInOrder() throws {
    let resolved = try resolve()
    func value(_ name: String) -> String? {
      let path = RecipePath(keys: "raw", name)
      return resolved.layered.origin(of: path).map {
        "\(resolved.layered.values[path]?.line ?? "") \($0.kind.rawValue)"
      }
    }
    #expect(value("shadowBias") == "0.1 camera")
    #expect(value("exposure") == "0.75 xmp")
    #expect(value("despeckleAmount") == "0.5 recipe")
    // Recipes that the sidecar extends override the named recipe.
    #expect(value("detailAmount") == "2 sidecar")
    #expect(value("contrastAmount") == "0.5 sidecar")
    #expect(value("moireReductionAmount") == "0.25 commandLine")
    #expect(resolved.recipe.raw.exposure == 0.75)
  }

  @Test func keysWithoutEffectAreWarnings() throws {
    let notes = try resolve().warnings
    #expect(
      notes.contains {
        $0.contains("b.CR2.rawdev.yaml:4: warning: raw.sharpness is unknown")
          && $0.contains("sharpnessAmount")
      })
    #expect(
      notes.contains { $0.contains("base.yaml:2: warning: root is for .rawdev/defaults.yaml only") }
    )
  }

  @Test func layersCanBeLeftOut() throws {
    var sources = RecipeResolver.Sources()
    (sources.defaults, sources.sidecars, sources.xmp) = (false, false, false)
    let resolved = try resolve(sources)
    #expect(
      resolved.layered.values.line
        == "{raw: {despeckleAmount: 0.5, detailAmount: 3, moireReductionAmount: 0.25}}")
    #expect(resolved.notes.isEmpty)
  }

  @Test func aWrongSidecarIsNamed() throws {
    try folder.write("raw:\n  exposure: bright\n", to: "a/b.CR2.rawdev.yaml")
    do {
      _ = try resolve()
      Issue.record("a wrong sidecar was taken")
    } catch let error as RecipeError {
      #expect(error.path?.hasSuffix("/a/b.CR2.rawdev.yaml") == true)
      #expect(error.line == 2)
    }
  }
}
