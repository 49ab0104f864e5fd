import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

/// Kernels compiled for several sets of instructions: every set writes the same files.
@Suite(.serialized) struct InstructionSetTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test("Signal and codes of rows", arguments: InstructionSets.widths)
  func rows(width: Int) {
    for space in ColorSpace.described {
      let bits = InstructionSets.rows(width, peak: 60) { space.signal.encode($0) }
      #expect(bits.baseline == bits.best)
    }
    let encoders: [any RowEncoder] = [PowerEncoder.sRGB, PowerEncoder.bt2020, LinearEncoder()]
    for encoder in encoders {
      // Nothing behind the row is written.
      var codes = [UInt16](repeating: 0x5A5A, count: 3 * width + 24)
      var made: [[UInt16]] = []
      _ = InstructionSets.rows(width) { rows in
        codes.withUnsafeMutableBufferPointer { codes in
          if let start = codes.baseAddress { encoder.encode(rows, into: start) }
        }
        made.append(codes)
      }
      #expect(made.count > 1 && made.allSatisfy { $0 == made[0] })
      #expect(made[0][(3 * width)...].allSatisfy { $0 == 0x5A5A })
    }
  }

  @Test("HEIF of every transfer", arguments: DynamicRangeMix.Transfer.allCases)
  func heif(transfer: DynamicRangeMix.Transfer) throws {
    let headroom: Float = transfer == .standard ? 1 : 6
    let primaries = transfer == .standard ? Primaries.displayP3 : .bt2020
    let picture = FormulaPicture<DisplayReferred>.noise(
      75, 53, primaries: primaries, headroom: headroom)
    for chroma in [ChromaSubsampling.yuv420, .yuv444] {
      let writer = try HEIFWriter(.init(.heif, ColorSpace(transfer), chroma: chroma), workers: 1)
      let files = try InstructionSets.results { try writer.encode(picture) }
      #expect(files.baseline == files.best)
    }
  }

  @Test("TIFF in every color space", arguments: ColorSpace.described)
  func tiff(space: ColorSpace) throws {
    let picture = FormulaPicture<DisplayReferred>.noise(
      75, 53, primaries: space.primaries, headroom: 2)
    let settings = EncoderSettings(.tiff, space, bits: 16)
    guard (try? settings.validate()) != nil else { return }
    let writer = try TIFFWriter(settings)
    let files = try InstructionSets.results {
      try Data(
        contentsOf: URL(filePath: writer.write(picture, to: .replacing(folder.file("a.tif"))).name))
    }
    #expect(files.baseline == files.best)
  }

  @Test("JPEG with a gain map", arguments: [GainMapCreation.Kind.luminance, .rgb])
  func gainMapJPEG(kind: GainMapCreation.Kind) throws {
    let writer = try JPEGWriter(.init(.jpeg, quality: 0.95), workers: 1)
    let files = try InstructionSets.results {
      let scene = try GainMapScene(91, 67, kind: kind)
      return try writer.encode(scene.standard, gainMap: scene.map)
    }
    #expect(files.baseline == files.best)
  }
}
