import ImageCore
import TestSupport
import Testing

@testable import HDRRender

/// Kernels compiled for several sets of instructions: every set gives the same bits.
@Suite(.serialized) struct InstructionSetTests {
  private static func check(
    _ width: Int, peak: Float = 1.5, _ kernel: (RGBRows) throws -> Void
  ) rethrows {
    let bits = try InstructionSets.rows(width, peak: peak, kernel)
    #expect(bits.baseline == bits.best)
  }

  @Test("Matrix, gamut and tone curve", arguments: InstructionSets.widths)
  func color(width: Int) {
    let matrix = ColorMatrix(Primaries.bt2020.conversion(to: .displayP3), offset: -0.01)
    Self.check(width) { matrix.apply($0) }
    let gamut = GamutMapping(primaries: .displayP3, headroom: 1.3)
    Self.check(width) { gamut.apply($0) }
    for look in [ToneLook.standard, .faithful, nil] {
      let curve = ToneCurve(peak: 8, headroom: 4, amount: 0.5, boost: 1, shadowBoost: 1)
      let table = ToneTable(curve, look: look)
      Self.check(width, peak: 8) { table.apply($0) }
    }
  }

  @Test("Curves by points, and tables of colors", arguments: InstructionSets.widths)
  func look(width: Int) throws {
    let curve = PointCurveTable(PointCurveTests.sigmoid)
    Self.check(width, peak: 3) { curve.apply($0) }
    Self.check(width, peak: 3) { curve.apply($0.green) }
    for space in LookSpace.allCases {
      for table in [
        try ColorLookupTests.cube(7) { $0 * $0 }, try ColorLookupTests.curves(30) { $0 * $0 },
      ] {
        let look = DisplayLook.Lookup(table, space: space, amount: 0.8)
        let lookup = LookTable(look, toBT2020: ProPhoto.toBT2020, ceiling: 3)
        Self.check(width, peak: 3) { lookup.apply($0) }
      }
    }
  }

  @Test("What fits a picture to a display", arguments: InstructionSets.widths)
  func display(width: Int) throws {
    let mapping = ReferenceWhiteToneMapping(
      contentHeadroom: 8, displayHeadroom: 2, primaries: .displayP3)
    Self.check(width, peak: 9) { mapping.apply($0) }
    for operation in [DisplayStage.Operation.fit(1), .cut(1), .toneMap(mapping)] {
      try Self.check(width, peak: 9) { rows in
        let picture = try Image<DisplayReferred>(
          size: PixelSize(width: width, height: 1), info: .init(primaries: .bt2020, headroom: 9)
        ) { planes in
          for plane in 0..<3 { planes.row(plane, 0).update(from: rows[plane], count: width) }
        }
        let out = try PlanarBuffer(size: picture.size)
        try DisplayStage(picture, operation).read(PixelRect(picture.size), into: out)
        for plane in 0..<3 { rows[plane].update(from: out.row(plane, 0), count: width) }
      }
    }
  }

  @Test("A gain map applied", arguments: InstructionSets.widths)
  func application(width: Int) throws {
    for (gamma, count) in [(1.0, 1), (0.7, 1), (0.7, 3)] {
      let metadata = try GainMapMetadata(
        channels: (0..<count).map {
          try .init(minimumStops: -0.5, maximumStops: 2 + Double($0), gamma: gamma)
        },
        baseHeadroomStops: 0, alternateHeadroomStops: 2)
      let application = GainMapApplication(metadata, displayHeadroom: 3)
      for maps in [1, 3] {
        let map = try PlanarBuffer(size: PixelSize(width: width, height: 1))
        for plane in 0..<3 {
          for x in 0..<width { map.row(plane, 0)[x] = Float((x * 37 + plane * 11) % 101) / 100 }
        }
        Self.check(width) { rows in
          application.apply(rows, map: (0..<maps).map { map.row($0, 0) })
        }
      }
    }
  }

  @Test(
    "A gain map made", arguments: [PixelSize(width: 70, height: 52), .init(width: 75, height: 53)])
  func creation(size: PixelSize) throws {
    let pictures = try GainMapCreationTests.renditions(size.width, size.height)
    for kind in [GainMapCreation.Kind.luminance, .rgb] {
      for scale in GainMapCreation.Scale.allCases {
        let creation = try GainMapCreation(kind: kind, scale: scale)
        var metadata: [GainMapMetadata] = []
        let images = try InstructionSets.results {
          let made = try creation.map(from: pictures.standard, to: pictures.high)
          metadata.append(made.metadata)
          return made.image
        }
        #expect(images.baseline == images.best)
        #expect(Set(metadata).count == 1)
      }
    }
  }
}
