import Formats
import HDRRender
import ImageCore
import Recipes
import Testing

@Suite struct OutputFormatTests {
  @Test(arguments: [
    ("heic", OutputFormat.heifHLG), ("HEIF", .heifHLG), ("hif", .heifHLG), ("tif", .tiff),
    ("TIFF", .tiff), ("jpg", .jpegGainMap), ("JPEG", .jpegGainMap), ("png", .png), ("jxl", .jxl),
    ("avif", .avif), ("EXR", .exr), ("npy", .npy), ("planes", .planes), ("DNG", .dng),
  ]) func extensionDecides(name: String, format: OutputFormat) {
    #expect(OutputFormat(pathExtension: name) == format)
  }

  @Test(arguments: ["", "gif", "cr2", ".tif", "tif "]) func unknownExtensionsHaveNoFormat(
    name: String
  ) {
    #expect(OutputFormat(pathExtension: name) == nil)
  }

  @Test(arguments: OutputFormat.allCases) func extensionIsOfTheSameFamily(format: OutputFormat) {
    let again = OutputFormat(pathExtension: format.pathExtension)
    #expect(again?.pathExtension == format.pathExtension)
    #expect(OutputFormat(rawValue: format.rawValue) == format)
  }

  @Test func everyKindOfFileIsDescribedOnce() {
    for container in EncoderSettings.Container.allCases {
      let formats = OutputFormat.allCases.filter { $0.container == container }
      #expect(formats.count { $0.descriptor.isUsual } == 1)
      let descriptor = container.descriptor
      #expect(formats.contains { $0.hasGainMap } == descriptor.holdsGainMap)
      #expect(
        formats.contains { $0.transfer != .standard } || descriptor.hdrBits.isEmpty
          || container == .tiff)
      #expect(formats.contains { $0.descriptor.isFloat } == descriptor.holdsFloats)
      for name in descriptor.extensions {
        #expect(OutputFormat(pathExtension: name)?.container == container)
      }
    }
    #expect(
      OutputFormat.usualExtensions == [
        "avif", "dng", "exr", "heic", "jpg", "jxl", "npy", "planes", "png", "tif",
      ])
  }

  @Test func highDynamicRangeSpacesAreBT2020() {
    for space in ColorSpace.allCases where space.isHDR { #expect(space.primaries == .bt2020) }
    #expect(ColorSpace.allCases.filter(\.isHDR) == [.bt2100PQ, .bt2100HLG])
    #expect(ColorSpace.displayP3.primaries == .displayP3)
    #expect(ColorSpace.sRGB.primaries == .srgb)
    #expect(ColorSpace.adobeRGB.primaries == .adobeRGB)
    #expect(ColorSpace.proPhoto.primaries == .proPhoto)
    #expect(ColorSpace.linearBT2020.primaries == .bt2020)
    #expect(ColorSpace.aces2065.primaries == .acesAP0)
    #expect(ColorSpace.acesCG.primaries == .acesAP1)
    #expect(ColorSpace.linearDisplayP3.primaries == .displayP3)
    #expect(ColorSpace.linearSRGB.primaries == .srgb)
  }

  @Test(arguments: [
    ("heic", DynamicRangeMix.sdr, false, OutputFormat.heifSDR), ("heic", .hlg, false, .heifHLG),
    ("heic", .hdr10, false, .heifPQ), ("heic", .pq, true, .heicGainMap),
    ("png", .sdr, false, .pngSDR), ("png", .hlg, false, .pngHLG), ("png", .pq, true, .png),
    ("jxl", .sdr, false, .jxlSDR), ("jxl", .hlg, false, .jxlHLG), ("jxl", .hdr10, false, .jxl),
    ("jxl", .sdr, true, .jxlGainMap),
    ("jpg", .sdr, false, .jpeg), ("jpg", .hlg, false, .jpegGainMap),
    ("jpg", .pq, true, .jpegGainMap),
    ("avif", .sdr, false, .avifSDR), ("avif", .hlg, false, .avifHLG),
    ("avif", .hdr10, false, .avif), ("avif", .sdr, true, .avifGainMap),
    ("tif", .pq, false, .tiff), ("exr", .pq, true, .exr), ("npy", .sdr, false, .npy),
  ]) func rangeOfTheSourceIsPreserved(
    name: String, range: DynamicRangeMix, hasGainMap: Bool, format: OutputFormat
  ) {
    #expect(OutputFormat(pathExtension: name, keeping: range, hasGainMap: hasGainMap) == format)
    #expect(OutputFormat(pathExtension: "gif", keeping: range, hasGainMap: hasGainMap) == nil)
  }
}
