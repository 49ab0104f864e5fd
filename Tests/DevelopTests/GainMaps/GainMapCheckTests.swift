import Formats
import Foundation
import HDRRender
import ImageCore
import Readers
import Remux
import TestSupport
import Testing
import Writers

@testable import Develop

/// Originals and exports by our own writers, each with a loss of its own.
@Suite struct GainMapCheckTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Lamps in a dim room, without any symmetry.
  private static func isLamp(_ x: Double, _ y: Double) -> Bool {
    (0.1...0.3).contains(x) && (0.12...0.3).contains(y)
      || (x - 0.72) * (x - 0.72) * 2.25 + (y - 0.7) * (y - 0.7) < 0.02
      || (0.5...0.95).contains(x) && (0.16...0.2).contains(y)
      || (0.33...0.37).contains(x) && (0.5...0.9).contains(y)
  }

  private static func rendition(
    _ width: Int = 192, _ height: Int = 128, primaries: Primaries = .displayP3,
    headroom: Float = 1, move: (Double, Double) -> (Double, Double) = { ($0, $1) }
  ) throws -> Image<DisplayReferred> {
    try Image(
      size: PixelSize(width: width, height: height),
      info: .init(primaries: primaries, headroom: headroom)
    ) { planes in
      for y in 0..<height {
        for x in 0..<width {
          let (u, v) = move((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
          let value = isLamp(u, v) ? 0.9 * Double(headroom) : 0.1 + 0.05 * u
          for plane in 0..<3 { planes.row(plane, y)[x] = Float(value) }
        }
      }
    }
  }

  private static func map(
    _ width: Int = 96, _ height: Int = 64, stops: Double = 2, headroom: Double? = nil,
    offset: Double = 1.0 / 64, channels: Int = 1, gain: Int = 200
  ) throws -> StoredGainMap {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        // Means over the areas of the samples, so that maps of all sizes agree.
        let lamps = (0..<16).count { part in
          isLamp(
            (Double(x) + (Double(part % 4) + 0.5) / 4) / Double(width),
            (Double(y) + (Double(part / 4) + 0.5) / 4) / Double(height))
        }
        bytes += Array(repeating: UInt8(30 + (gain - 30) * lamps / 16), count: channels)
      }
    }
    return StoredGainMap(
      try GainMapImage(
        size: PixelSize(width: width, height: height), channels: channels, bytes: bytes),
      metadata: try GainMapMetadata(
        channels: (0..<channels).map { _ in
          try .init(maximumStops: stops, baseOffset: offset, alternateOffset: offset)
        },
        alternateHeadroomStops: headroom ?? stops),
      alternatePrimaries: .displayP3)
  }

  private func jpeg(
    _ name: String, _ picture: Image<DisplayReferred>? = nil, _ map: StoredGainMap? = nil,
    formats: Set<GainMapFormat> = [.iso, .ultraHDR]
  ) throws -> String {
    let path = folder.file(name)
    let picture = try picture ?? Self.rendition()
    let space: ColorSpace = picture.info.primaries == .srgb ? .sRGB : .displayP3
    _ = try JPEGWriter(
      .init(.jpeg, space).with { ($0.mapFormats, $0.mapQuality) = (formats, 1) }, workers: 1
    ).write(picture, gainMap: map ?? Self.map(), to: .replacing(path))
    return path
  }

  private func check(_ original: String, _ export: String) throws -> GainMapCheck {
    try GainMapCheck(original: original, export: export)
  }

  /// Lost and changed findings.
  private func losses(_ original: String, _ export: String) throws -> [GainMapCheck.Subject] {
    try check(original, export).findings.filter { $0.effect != .note }.map(\.subject)
  }

  @Test func copiesAreKept() throws {
    let original = try jpeg("a.jpg")
    let same = try check(original, original)
    #expect(same.isKept && same.findings.isEmpty && same.lines == ["\(original): all preserved"])
    // The same picture in formats that hold less.
    let map = try Self.map()
    let (heic, jxl) = (folder.file("a.heic"), folder.file("a.jxl"))
    _ = try HEIFWriter(.init(.heif, .displayP3).with { $0.mapFormats = [.iso] }, workers: 1)
      .write(Self.rendition(), gainMap: map, to: .replacing(heic))
    _ = try JPEGXLWriter(.init(.jpegXL, .displayP3), workers: 1).write(
      Self.rendition(), gainMap: map, to: .replacing(jxl))
    for path in [heic, jxl] {
      let check = try check(original, path)
      #expect(check.isKept, "\(check.lines)")
      #expect(check.findings.map(\.subject) == [.form])
    }
    // All forms of one file agree.
    let all = try jpeg("all.jpg", formats: .all)
    #expect(try check(all, all).findings.isEmpty)
  }

  @Test func infiniteValuesAreLeftOut() throws {
    for value in [Double.infinity, -.infinity, .nan] {
      let finding = GainMapCheck.Finding(
        effect: .changed, subject: .gains, message: "others", original: 2, export: value)
      #expect(finding.original == 2 && finding.export == nil)
      #expect(throws: Never.self) { try JSONEncoder().encode(finding) }
    }
  }

  @Test func mapThatIsGone() throws {
    let original = try jpeg("a.jpg")
    _ = try GainMapTool(original).remove(.map, to: .replacing(folder.file("b.jpg")))
    let check = try check(original, folder.file("b.jpg"))
    #expect(!check.isKept && check.findings.map(\.subject) == [.map])
    #expect(check.findings.first?.effect == .lost && check.findings.first?.original == 4)
    // In the other direction nothing is lost.
    let back = try GainMapCheck(original: folder.file("b.jpg"), export: original)
    #expect(back.isKept && back.findings.map(\.effect) == [.note])
  }

  @Test func formsThatAreGone() throws {
    let original = try jpeg("a.jpg")
    #expect(try losses(original, jpeg("iso.jpg", formats: [.iso])) == [.form])
    #expect(try losses(original, jpeg("hdrgm.jpg", formats: [.ultraHDR])) == [.form])
  }

  @Test func numbersThatChanged() throws {
    let original = try jpeg("a.jpg")
    func subjects(_ map: StoredGainMap) throws -> [GainMapCheck.Subject] {
      try losses(original, jpeg("b.jpg", Self.rendition(), map))
    }
    #expect(try subjects(Self.map(headroom: 1.25)) == [.headroom])
    #expect(try subjects(Self.map(offset: 0)) == [.baseOffset, .alternateOffset])
    #expect(try subjects(Self.map(stops: 1.5, headroom: 2)) == [.maximumGain, .gains])
    #expect(try subjects(Self.map(gain: 120)) == [.gains])
    #expect(try subjects(Self.map(48, 32)) == [.mapSize])
    let finding = try check(original, jpeg("b.jpg", Self.rendition(), Self.map(headroom: 1.25)))
      .findings.first
    #expect(finding?.original == 2 && abs((finding?.export ?? 0) - 1.25) < 1e-6)
    #expect(finding?.message == "headroom is 1.25 stops instead of 2 stops (-0.75)")
    let color = try jpeg("rgb.jpg", Self.rendition(), Self.map(channels: 3))
    #expect(try losses(color, original) == [.channels])
    let srgb = try jpeg("srgb.jpg", Self.rendition(primaries: .srgb))
    #expect(try losses(original, srgb) == [.color])
  }

  /// A base that was turned, mirrored or cropped without its map.
  @Test func mapsThatLieElsewhere() throws {
    let original = try jpeg("a.jpg")
    let turned = try jpeg("r.jpg", Self.rendition(128, 192) { u, v in (v, 1 - u) })
    let quarter = try check(original, turned)
    #expect(quarter.findings.filter { $0.effect == .lost }.map(\.subject).contains(.proportions))
    let half = try check(original, jpeg("h.jpg", Self.rendition { u, v in (1 - u, 1 - v) }))
    #expect(half.findings.filter { $0.effect == .lost }.map(\.subject) == [.placement])
    #expect(half.findings.contains { $0.message.contains("180 degrees") })
    let cropped = try check(
      original,
      jpeg("c.jpg", Self.rendition(134, 90) { u, v in (0.3 + 0.7 * u, 0.3 * 0.25 + 0.7 * v) })
    )
    #expect(cropped.findings.filter { $0.effect == .lost }.map(\.subject) == [.placement])
    // Turned with it, nothing is lost.
    let (base, map) = (try Self.rendition { u, v in (1 - u, 1 - v) }, try Self.map())
    let codes = try GainMapImage(
      size: map.image.size, channels: 1, codes: map.image.codes.reversed(), maximumCode: 255)
    let both = StoredGainMap(codes, metadata: map.metadata, alternatePrimaries: .displayP3)
    #expect(try losses(original, jpeg("b.jpg", base, both)).isEmpty)
    #expect(try losses(original, jpeg("s.jpg", Self.rendition(96, 64), Self.map(48, 32))).isEmpty)
  }

  @Test func contradictionsOfOneFile() throws {
    let map = try Self.map()
    var parameters = GainMapParameters(iso: map.metadata, ultraHDR: HDRGMValues(map.metadata))
    #expect(GainMapChanges.contradictions(parameters).isEmpty)
    parameters.apple = AppleGainMap(headroom: 4)
    parameters.maker = .init(headroom: 4)
    #expect(GainMapChanges.contradictions(parameters).isEmpty)
    parameters.ultraHDR?.hdrCapacityMax = 3
    parameters.ultraHDR?.offsetHDR = [0]
    #expect(GainMapChanges.contradictions(parameters).count == 2)
    parameters.ultraHDR?.hdrCapacityMax = 0
    #expect(GainMapChanges.contradictions(parameters).count == 1)
    parameters.ultraHDR = nil
    parameters.apple = AppleGainMap(headroom: 2)
    #expect(GainMapChanges.contradictions(parameters).count == 2)
    // Of an export whose forms were agreed upon.
    let original = try jpeg("a.jpg")
    let edited = GainMapParameters(
      iso: map.metadata, ultraHDR: HDRGMValues(try Self.map(headroom: 3).metadata))
    let editor = try GainMapEditor(contentsOf: URL(fileURLWithPath: original))
    try editor.replacingGainMap(.image(map.image), parameters: edited, quality: 1)
      .write(to: .replacing(folder.file("b.jpg")))
    #expect(try losses(original, folder.file("b.jpg")) == [.agreement])
  }

  @Test func rangeAndLight() throws {
    let picture = try Self.rendition(primaries: .bt2020, headroom: 4)
    let (pq, bare, sdr) = (folder.file("pq.heic"), folder.file("b.heic"), folder.file("s.heic"))
    var metadata = HDRMetadata()
    metadata.ambient = .init(lux: 314, color: .d65)
    metadata.contentLight = .init(maximumNits: 800, averageNits: 100)
    _ = try HEIFWriter(.init(.heif, .bt2100PQ), workers: 1).write(
      picture, hdrMetadata: metadata, to: .replacing(pq))
    metadata.ambient = nil
    metadata.contentLight?.maximumNits = 600
    _ = try HEIFWriter(.init(.heif, .bt2100PQ), workers: 1).write(
      picture, hdrMetadata: metadata, to: .replacing(bare))
    _ = try HEIFWriter(.init(.heif, .displayP3), workers: 1).write(
      Self.rendition(), to: .replacing(sdr))
    #expect(try losses(pq, pq).isEmpty)
    let findings = try check(pq, bare).findings.filter { $0.effect != .note }
    #expect(findings.map(\.subject) == [.light, .light])
    #expect(findings.map(\.effect) == [.lost, .changed])
    #expect(try losses(pq, sdr) == [.range])
    #expect(try losses(sdr, sdr).isEmpty)
  }

  @Test func damagedExportsAreFindingsOrErrors() throws {
    let original = try jpeg("a.jpg", formats: .all)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: original)))
    for seed in 0..<Damage.count(60) {
      let damaged = try folder.write(
        Damage.damaged(bytes, seed: Damage.seed(3) + UInt64(seed)), to: "b.jpg")
      do {
        #expect(try check(original, damaged).lines.allSatisfy { !$0.contains("\n") })
      } catch let error as DevelopError {
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test func foldersArePairedByName() throws {
    for name in ["o/IMG_1.HEIC", "o/img_2.jpg", "o/IMG_2.heic", "o/IMG_3.jpg", "o/.hidden.jpg"] {
      try folder.write("x", to: name)
    }
    for name in ["e/img_1.jpg", "e/IMG_2.HEIC", "e/IMG_4.avif", "e/IMG_3.txt"] {
      try folder.write("x", to: name)
    }
    let found = try GainMapCheckPairs(originals: folder.file("o"), exports: folder.file("e"))
    func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
    #expect(
      found.pairs.map { name($0.original) + " " + name($0.export) }
        == ["IMG_2.heic IMG_2.HEIC", "IMG_1.HEIC img_1.jpg"])
    #expect(found.unknown.map(name) == ["IMG_4.avif"])
    #expect(found.unexported.map(name) == ["IMG_3.jpg"])
    for (a, b) in [("o", "e/img_1.jpg"), ("none", "e"), ("o/IMG_3.jpg", "none")] {
      #expect(throws: DevelopError.self) {
        try GainMapCheckPairs(originals: folder.file(a), exports: folder.file(b))
      }
    }
  }

  /// Real files lose nothing compared with themselves, and their maps are aligned.
  @Test(arguments: [
    "apple_greyhounds.heic", "apple_iphone15pro.heic", "apple_jpeg_gainmap.jpg",
    "iso_apple_IMG_4682.HEIC", "iso_libavif_seine_sdr_gainmap.avif", "iso_uhdr_vearutop.jpg",
    "uhdr_gainmapjs_08.jpg", "uhdr_vips.jpg", "pq_canon_93FG5564.hif",
    "pq_brightroom_sun_rec2020.avif", "hlg_hdr_room.png",
  ]) func sharedFilesAreKept(name: String) throws {
    let path = try SharedFiles.path("hdr/\(name)")
    let check = try check(path, path)
    #expect(check.isKept && check.findings.allSatisfy { $0.subject == .agreement })
    let info = try GainMapInfo(path)
    guard let base = info.base, let map = info.gains else { return }
    #expect(!GainMapPlacement(base: base, map: map).isMisplaced)
  }
}
