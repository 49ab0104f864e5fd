import Codecs
import Containers
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter

/// Previews in Adobe RGB, said in each way that there is: a file's own preview recoded.
@Suite struct PreviewColorsTests {
  /// How far two mappings are from one another on the cells of a picture, mean ΔE2000.
  private static func difference(_ a: CameraLook, _ b: CameraLook, _ cells: [CameraLookFit.Cell])
    -> Double
  {
    let made = cells.map { cell in
      CameraLookFit.Cell(own: cell.own, preview: b(cell.own), weight: 1)
    }
    return CameraLookStudy.differences(made, a).fitted
  }

  private struct Found {
    var look: CameraLook
    var exposure: Float
    var cells: [CameraLookFit.Cell]

    init(_ filter: RAWFilter) throws {
      look = try #require(try filter.fittedLook().mapping)
      exposure = try filter.resolvedBaselineExposure()
      cells = try #require(try filter.previewCells()).cells
    }
  }

  private static func profile() throws -> [UInt8] {
    let profile = try LCMSDisplayProfile(
      primaries: .adobeRGB, curve: .parametric([AdobeRGB.exponent, 1, 0, 0, 0]), name: "Adobe RGB",
      whiteNits: nil
    ).bytes()
    return JPEGIdentifier.profile.segment([1, 1] + profile)
  }

  @Test func eachWayToSayItIsHeard() throws {
    let standard = try Found(RecodedPreview(.srgb).filter())
    var untold = try RecodedPreview(.adobeRGB)
    try untold.silence()
    let misread = try Found(untold.filter())
    let mistake = Self.difference(misread.look, standard.look, standard.cells)
    #expect(mistake > 1)

    func check(_ file: RecodedPreview, _ way: String) throws {
      let found = try Found(file.filter())
      let difference = Self.difference(found.look, standard.look, standard.cells)
      #expect(difference < 0.2 && difference < mistake / 5, "\(way): \(difference), \(mistake)")
      #expect(abs(found.exposure - standard.exposure) < 0.015, "\(way)")
    }
    // The profile counts, whatever the raw says.
    try check(RecodedPreview(.adobeRGB, try Self.profile()), "ICC profile")
    var byIndex = untold
    byIndex = try RecodedPreview(.adobeRGB)
    try byIndex.set(byIndex.exif, 0xA001, to: 65_535)
    try byIndex.setIndex("R03")
    try byIndex.set(byIndex.note, 0xB4, to: nil)
    try check(byIndex, "R03")
    var byNote = try RecodedPreview(.adobeRGB)
    try byNote.set(byNote.note, 0xB4, to: 2)
    try check(byNote, "Canon's note")
    let folder = try TestFolder()
    for (name, isHeard) in [("_MG_0848.CR2", true), ("IMG_0848.CR2", false), ("_a.CR2", false)] {
      let path = try folder.write(untold.bytes, to: name)
      let file = try RawFile.open(path: path)
      let preview = try #require(file.preview())
      #expect((file.colors(of: preview) == .adobeRGB) == isHeard, "\(name)")
    }
  }

  @Test func whatSaysSRGBIsSRGB() throws {
    let file = try RawFile.open(SharedFiles.url(RecodedPreview.file))
    #expect(file.cameraRendering == CameraRendering(style: "129/", isAdobeRGB: false))
    #expect(file.colors(of: try #require(file.preview())) == .srgb)
    let sony = try RawFile.open(SharedFiles.url("more/raws/libraw_cffi_DSC2164.ARW"))
    #expect(sony.cameraRendering == CameraRendering(style: "Neutral/3", isAdobeRGB: true))
    // A profile that cannot be used says nothing.
    let broken = try RecodedPreview(.srgb, JPEGIdentifier.profile.segment([1, 2, 0, 0, 0]))
    let raw = try RawFile.open(bytes: broken.bytes)
    #expect(raw.colors(of: try #require(raw.preview())) == .srgb)
  }

  @Test func linearValuesAreThoseOfSRGB() {
    let rgb: [UInt8] = [119, 119, 119, 255, 255, 255, 0, 255, 0]
    let gray = PreviewColors.srgb.linear(rgb, at: 0)
    #expect(gray == SIMD3(repeating: SRGB.linear(signal: 119.0 / 255)))
    let white = PreviewColors.adobeRGB.linear(rgb, at: 3) - SIMD3(repeating: 1)
    #expect((white * white).sum() < 1e-12)
    // Adobe's green is outside of sRGB.
    #expect(PreviewColors.adobeRGB.linear(rgb, at: 6).x < -0.3)
  }
}
