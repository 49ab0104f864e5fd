import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode

@Suite struct CameraColorsTests {
  private static let matrix = [0.8, -0.2, -0.1, -0.5, 1.3, 0.2, -0.1, 0.2, 0.6]

  @Test func listedCamerasKeepLibRawsMatrix() {
    let colors = CameraColors(.example("Canon", "EOS 30D", matrix: Self.matrix))
    #expect(colors.origin == .libRaw && colors.warning == nil && colors.tungsten.isEmpty)
    #expect(Array(colors.matrix.prefix(9)) == Self.matrix)
  }

  /// Not listed by any LibRaw up to 0.22; shares a name prefix with a listed camera.
  @Test func theTableComesBeforeARelative() throws {
    for matrix in [Self.matrix, []] {
      let colors = CameraColors(.example("Nikon", "Z5_2", matrix: matrix))
      try #require(colors.origin.kind == .table)
      #expect(colors.warning == nil && !colors.origin.name.isEmpty)
      #expect(
        colors.matrix == [
          1.3133, -0.5542, -0.1280, -0.4325, 1.2543, 0.1972, 0.0034, 0.0792, 0.7662,
        ])
      #expect(colors.tungsten.count == 9)
    }
  }

  /// Listed by every LibRaw, with a matrix corrected in 0.22.
  @Test func theTableComesBeforeLibRaw() throws {
    let colors = CameraColors(.example("Fujifilm", "X-T4", matrix: Self.matrix))
    #expect(colors.origin.kind == .table && colors.warning == nil)
    #expect(Array(colors.matrix.prefix(9)) != Self.matrix)
  }

  @Test func aRelativesColorsAreTold() throws {
    let colors = CameraColors(.example("Canon", "EOS 30DX", matrix: Self.matrix))
    #expect(colors.origin == FactOrigin(.relative, "Canon EOS 30D"))
    #expect(Array(colors.matrix.prefix(9)) == Self.matrix)
    let warning = try #require(colors.warning)
    for word in [
      "Canon EOS 30DX", "of the Canon EOS 30D;", LibRawVersion.text, "install a newer LibRaw",
      "give a camera profile", "Adobe DNG Converter",
    ] { #expect(warning.contains(word), "\(word)") }
    #expect(!warning.contains("\n"))
  }

  /// A name without a listed prefix, with numbers of a table entry.
  @Test func aRelativeIsFoundByItsNumbers() throws {
    let known = try #require(
      CameraTable.camera([CameraKey(make: "Nikon", model: "Z 9")])?.daylight?.value)
    let colors = CameraColors(.example("Nikon", "Q 1", matrix: known))
    #expect(colors.origin == FactOrigin(.relative, "Nikon Z 9"))
    let other = CameraColors(.example("Nikon", "Q 1", matrix: Self.matrix))
    #expect(other.origin == FactOrigin(.relative))
    #expect(other.warning?.contains("another camera of its maker") == true)
  }

  @Test func unknownColorsAreTold() {
    let colors = CameraColors(.example("Canon", "QX 1"))
    #expect(colors.origin == .none)
    #expect(colors.warning?.contains("Canon QX 1") == true)
    let info = RawInfo(.example("Canon", "QX 1"), layout: .linear)
    #expect(info.profile == nil && info.colorOrigin == .none)
    #expect(info.warnings == [info.colorWarning])
  }

  /// Four-color matrices come only from LibRaw.
  @Test func fourColorsAreNotReplaced() {
    var metadata = LibRawMetadata.example("Nikon", "Z5_2", matrix: Self.matrix)
    metadata.colors = 4
    #expect(CameraColors(metadata).origin.kind == .relative)
  }

  /// With a matrix for illuminant A, too, a neutral stays neutral, and daylight equals the result
  /// of one matrix.
  @Test func tungstenAppliesToWarmIlluminants() throws {
    let table = try #require(CameraTable.camera([CameraKey(make: "Nikon", model: "Z 9")]))
    let (daylight, tungsten) = (
      try #require(table.daylight?.value), try #require(table.tungsten?.value)
    )
    let both = try #require(
      CameraProfile(
        matrix: daylight, tungsten: tungsten, colors: 3, gains: [2, 1, 1.5, 1], isBalanced: false))
    let one = try #require(
      CameraProfile(matrix: daylight, colors: 3, gains: [2, 1, 1.5, 1], isBalanced: false))
    let blue = Chromaticity(x: 0.3, y: 0.31)
    #expect(both.cameraToBT2020(white: blue) == one.cameraToBT2020(white: blue))
    let warm = Chromaticity(x: 0.4476, y: 0.4074)
    #expect(both.cameraToBT2020(white: warm) != one.cameraToBT2020(white: warm))
    for white in [blue, warm, Chromaticity(x: 0.38, y: 0.377)] {
      let gray = both.cameraToBT2020(white: white) * both.neutral(for: white)
      #expect(gray.max() - gray.min() < 1e-6 && abs(gray.x - 1) < 1e-3, "\(gray)")
    }
    // The white expected by the matrix for A.
    let seen = both.neutral(for: warm)
    let expected = Matrix3(tungsten) * warm.xyz
    let scaled = expected / expected.max()
    for c in 0..<3 { #expect(abs(seen[c] - scaled[c]) < 0.002) }
  }

  /// A raw of a real camera under other names.
  @Test func patchedRawsGetTheirColors() throws {
    let raw = try SharedFiles.bytes("raws/canon30d_IMG_0848.CR2")
    let own = try RawFile.open(bytes: raw)
    #expect(own.info.colorOrigin == .libRaw && own.info.warnings.isEmpty)
    let samples = try own.decode().levels

    // Known only to the table, at least up to LibRaw 0.22.
    let new = try RawFile.open(bytes: RenamedRaw.canon30D(raw, as: "Canon EOS C50"))
    #expect(new.info.colorOrigin.kind == .table && new.info.warnings.isEmpty)
    #expect(new.info.cropOrigin == .libRaw)
    let camera = try #require(CameraTable.camera([CameraKey(make: "Canon", model: "EOS C50")]))
    let daylight = try #require(camera.daylight?.value)
    let profile = try #require(
      CameraProfile(
        matrix: daylight, tungsten: camera.tungsten?.value ?? [], colors: 3, gains: nil,
        isBalanced: false))
    let white = Chromaticity.d65
    #expect(new.info.profile?.cameraToBT2020(white: white) == profile.cameraToBT2020(white: white))
    #expect(try new.decode().levels == samples)

    let relative = try RawFile.open(bytes: RenamedRaw.canon30D(raw, as: "Canon EOS R9X"))
    #expect(relative.info.colorOrigin == FactOrigin(.relative, "Canon EOS R"))
    #expect(relative.info.warnings == [relative.info.colorWarning])
    let unknown = try RawFile.open(bytes: RenamedRaw.canon30D(raw, as: "Canon XYZ 1"))
    #expect(unknown.info.colorOrigin == .none && unknown.info.warnings.count == 1)
  }
}
