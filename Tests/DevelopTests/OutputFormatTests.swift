import Develop
import ImageCore
import Testing

@Suite struct OutputFormatTests {
  @Test(arguments: [
    ("heic", OutputFormat.heifHLG), ("HEIF", .heifHLG), ("hif", .heifHLG), ("tif", .tiff),
    ("TIFF", .tiff), ("jpg", .jpegGainMap), ("JPEG", .jpegGainMap), ("png", .png), ("jxl", .jxl),
  ]) func extensionDecides(name: String, format: OutputFormat) {
    #expect(OutputFormat(pathExtension: name) == format)
  }

  @Test(arguments: ["", "gif", "dng", ".tif", "tif "]) func otherExtensionsDecideNothing(
    name: String
  ) {
    #expect(OutputFormat(pathExtension: name) == nil)
  }

  @Test(arguments: OutputFormat.allCases) func extensionIsOfTheSameFamily(format: OutputFormat) {
    let again = OutputFormat(pathExtension: format.pathExtension)
    #expect(again?.pathExtension == format.pathExtension)
    #expect(OutputFormat(rawValue: format.rawValue) == format)
  }

  @Test func highDynamicRangeSpacesAreBT2020() {
    for space in TIFFSpace.allCases where space.isHDR { #expect(space.primaries == .bt2020) }
    #expect(TIFFSpace.allCases.filter(\.isHDR) == [.bt2100PQ, .bt2100HLG])
    #expect(TIFFSpace.displayP3.primaries == .displayP3)
    #expect(TIFFSpace.srgb.primaries == .srgb)
    #expect(TIFFSpace.linearBT2020.primaries == .bt2020)
  }
}
