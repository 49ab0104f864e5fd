import ImageCore
import Testing

@testable import RawDecode

@Suite struct TableLevelsTests {
  private func camera(_ lines: String) throws -> CameraTable.Camera {
    try #require(CameraTable.parse("Maker | Model | 2024 | NEF\n" + lines).first)
  }

  @Test func levelsFollowTheISOSpeed() throws {
    let camera = try camera("  white 0:16000 400:15000/15100/15200/15300 | T\n  black 0:512 | T")
    func white(_ iso: Double) -> [Double]? {
      TableLevels(.example("Maker", "Model", iso: iso), camera: camera).white
    }
    #expect(white(100) == [16000, 16000, 16000, 16000])
    #expect(white(399) == [16000, 16000, 16000, 16000])
    #expect(white(400) == [15000, 15100, 15200, 15300] && white(6400) == white(400))
    #expect(white(0) == white(100))
  }

  /// A table for 14 bits does not apply to a file of 12 bits, and vice versa.
  @Test func levelsOfOtherBitsDoNotApply() throws {
    let levels = { (maximum: Double) in
      TableLevels(
        .example("Maker", "Model", maximum: maximum),
        camera: try self.camera("  white 0:15892 | T\n  black 0:1008 | T"))
    }
    #expect(try levels(16383).white?.first == 15892 && levels(16383).whiteOrigin.kind == .table)
    #expect(try levels(4095).white == nil && levels(4095).whiteOrigin == .libRaw)
    #expect(try levels(65535).white == nil)
    #expect(try levels(4095).black == nil && levels(16383).black?.first == 1008)
    // Never above the file's declared white.
    #expect(try levels(15800).white == nil)
  }

  @Test func camerasOfLibRawHaveNone() {
    let metadata = LibRawMetadata.example("Canon", "EOS 30D")
    #expect(metadata.tableCamera == nil && metadata.tableCrop == nil)
    let levels = TableLevels(metadata, camera: metadata.tableCamera)
    #expect(levels.white == nil && levels.black == nil)
  }

  private func read(_ metadata: LibRawMetadata) throws -> SensorLevels {
    try CameraLevels.read(
      metadata, layout: SensorData.Layout(metadata),
      area: PixelRect(x: 0, y: 0, width: 64, height: 48),
      path: nil)
  }

  /// Nikon's Z 5 II: only in the table, at least up to LibRaw 0.22.
  @Test func theTablesLevelsApplyToItsCameras() throws {
    let levels = try read(.example("Nikon", "Z5_2"))
    #expect(Set(levels.black) == [1008])
    #expect(levels.scale == SIMD4(repeating: Float(1 / (15892.0 - 1008))))
    #expect(levels.blackOrigin.kind == .table && levels.whiteOrigin.kind == .table)
    // The black read by LibRaw is preserved.
    let own = try read(.example("Nikon", "Z5_2", black: 1010))
    #expect(Set(own.black) == [1010] && own.blackOrigin == .libRaw)
    #expect(own.scale == SIMD4(repeating: Float(1 / (15892.0 - 1010))))
    // If the file's black is above the table's white, the declared white applies.
    #expect(try read(.example("Nikon", "Z5_2", black: 16000)).whiteOrigin == .libRaw)
  }

  @Test func listedCamerasKeepTheirLevels() throws {
    let levels = try read(.example("Canon", "EOS 30D", maximum: 4095))
    #expect(Set(levels.black) == [0] && levels.scale == SIMD4(repeating: 1 / 4095))
    #expect(levels.blackOrigin == .libRaw && levels.whiteOrigin == .libRaw)
  }
}
