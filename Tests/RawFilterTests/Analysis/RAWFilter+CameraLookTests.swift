import Charts
import Foundation
import HDRRender
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawFilter

/// The look `camera` on real files.
@Suite struct RAWFilterCameraLookTests {
  private static let files = [
    "raws/canon30d_IMG_0848.CR2", "raws/canonG10_plant_window.cr2", "raws/canonG2_CRW_0304.CRW",
    "more/raws/canonD30_xmas.CRW", "more/raws/libraw_cffi_DSC2164.ARW",
    "more/raws/hdrmerge_bracket_2of3.dng", "raws/derived_hdrmerge_float16.dng",
  ]

  private static func filter(_ name: String) throws -> RAWFilter {
    try RAWFilter(url: SharedFiles.url(name))
  }

  private static func difference(_ cells: [CameraLookFit.Cell], _ look: CameraLook) -> Double {
    func lab(_ color: SIMD3<Double>) -> LabColor {
      LabColor(Primaries.bt2020.toXYZ * Oklab.rgb(color), white: Chromaticity.d65.xyz)
    }
    return cells.reduce(0) {
      $0 + ColorDifference(lab(look($1.own)), lab($1.preview)).value
    } / Double(max(cells.count, 1))
  }

  /// Fitted on every other cell and measured on the rest, as for Docs/verification.md.
  @Test(arguments: files) func fitsCellsThatItHasNotSeen(name: String) throws {
    let filter = try Self.filter(name)
    let own = try #require(try filter.previewCells { ($0 + $1) % 2 == 0 })
    let others = try #require(try filter.previewCells { ($0 + $1) % 2 == 1 })
    #expect(own.doubt == nil && own.alignment.correlation > 0.8)
    let look = try #require(CameraLookFit.fit(own.cells))
    let (before, after) = (
      Self.difference(others.cells, CameraLook()), Self.difference(others.cells, look)
    )
    #expect(after < 2.7 && after < 0.85 * before, "\(name): \(before), \(after)")
    #expect(look.isMonotone)
  }

  /// Threads do not move it, and neither does what is set by eye.
  @Test func dependsOnTheFileAlone() throws {
    let name = Self.files[1]
    var (one, other) = (try Self.filter(name), try Self.filter(name))
    one.workers = 1
    other.workers = 3
    other.exposure = 1
    other.settings.look.saturation = 0.5
    other.scaleFactor = 0.25
    other.extendedDynamicRangeAmount = 1
    #expect(try one.fittedLook().mapping == other.fittedLook().mapping)
  }

  /// A file without a preview is rendered as by standard, bit for bit, with a note.
  @Test func withoutAPreviewItIsStandard() throws {
    let file = try RAWFilterDetailTests.file()
    var filter = try RAWFilterDetailTests.neutral(file)
    let standard = try filter.outputImage()
    filter.look = .camera
    let camera = try filter.outputImage()
    #expect(AdjustmentTests.isSame(standard.image, camera.image))
    #expect(camera.warnings.last == RAWFilter.withoutPreview)
  }

  /// Midtones are the same at every amount of headroom, to what a curve with another end costs, and
  /// headroom is standard's.
  @Test func midtonesDoNotDependOnTheHeadroom() throws {
    var filter = try Self.filter(Self.files[1])
    filter.scaleFactor = 0.1
    filter.look = .camera
    let low = try filter.outputImage()
    filter.extendedDynamicRangeAmount = 1
    let high = try filter.outputImage()
    filter.look = .standard
    let standard = try filter.outputImage()
    #expect(high.fileHeadroom == standard.fileHeadroom && high.contentHeadroom > 1.5)
    #expect(high.contentHeadroom <= standard.fileHeadroom)
    var (compared, differing) = (0, 0)
    for y in 0..<low.image.size.height {
      for x in 0..<low.image.size.width {
        let (a, b) = (low.image[x, y], high.image[x, y])
        guard standard.image[x, y].max() < 0.17 else { continue }
        compared += 1
        if (a - b).max() > 1e-4 || (b - a).max() > 1e-4 { differing += 1 }
      }
    }
    #expect(compared > 1000 && differing == 0, "\(differing) of \(compared)")
  }
}
