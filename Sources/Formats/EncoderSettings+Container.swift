package import HDRRender
public import ImageCore

extension EncoderSettings {
  /// The file format.
  public enum Container: String, Sendable, Hashable, CaseIterable {
    /// HEIF with HEVC.
    case heif
    /// AVIF: AV1 in the container of HEIF.
    case avif
    /// JPEG.
    case jpeg
    /// PNG.
    case png
    /// TIFF.
    case tiff
    /// JPEG XL.
    case jpegXL = "jpeg-xl"
    /// OpenEXR.
    case exr
    /// An array of NumPy.
    case npy
    /// Planes of numbers without a header.
    case planes
    /// A raw as DNG: no picture that is encoded here, but what a sensor recorded.
    case dng

    /// Those that hold a finished picture, which `StillExporter` writes.
    package static let pictures = allCases.filter { $0 != .dng }
  }
}

/// How alpha is applied to colors.
package enum AlphaForm: Sendable {
  /// Not multiplied by it, as in a picture for a screen.
  case straight
  /// Multiplied by it.
  case multiplied
  /// One or the other; the file declares which.
  case either
}

/// What a file format can hold: the table for checks, defaults, extensions and the bit depths of
/// encoders. A new kind of file is a case of `Container` with its row here, its formats in
/// `OutputFormat`, and its writer, which is named in `PictureWriters`.
public struct ContainerDescriptor: Sendable {
  /// Name of the format for people.
  public let name: String
  /// File extensions without the dot, the usual one first.
  public let extensions: [String]
  /// The library that writes it, such as `libtiff`, or `rawdev`.
  public let encoder: String
  /// What the samples are coded with, such as `hevc`.
  public let codec: String
  /// Bits of an integer sample in SDR, ascending.
  public let sdrBits: [Int]
  /// Bits of a sample in PQ and HLG, the usual depth first; empty where it holds neither.
  public let hdrBits: [Int]
  /// Bits of a floating-point sample, unbounded linear values, ascending; empty if unsupported.
  public let floatBits: [Int]
  /// Whether samples are luma and chroma.
  public let isYCbCr: Bool
  /// Default quality; nil for lossless formats.
  public let quality: Float?
  /// The formats of gain maps that it holds, if any.
  public let mapFormats: Set<GainMapFormat>
  /// Default quality of a gain map; nil where it is lossless.
  public let mapQuality: Float?
  /// Whether it holds an embedded thumbnail.
  public let holdsThumbnail: Bool
  /// How alpha is stored beside integers, without a gain map; nil where it is not.
  package let alpha: AlphaForm?
  /// The same beside floats.
  package let floatAlpha: AlphaForm?
  /// HDR metadata that it can carry.
  public let hdrMetadataFields: Set<HDRMetadataField>
  /// Bytes of memory for each pixel of a picture that is coded in one piece; 0 where it is coded as
  /// it is read.
  private let wholeBytes: Int
  /// Pixels of the largest picture that is coded in one piece if no layout is asked for.
  private let largestWhole: Int

  fileprivate init(
    _ name: String, _ extensions: [String], by encoder: String, _ codec: String,
    sdr: [Int], hdr: [Int], floats: [Int] = [],
    isYCbCr: Bool = false, quality: Float? = nil,
    maps: Set<GainMapFormat> = [], mapQuality: Float? = nil, holdsThumbnail: Bool = false,
    alpha: AlphaForm? = nil, floatAlpha: AlphaForm? = nil,
    hdrMetadataFields: Set<HDRMetadataField> = [], wholeBytes: Int = 0, largestWhole: Int = 0
  ) {
    (self.name, self.extensions) = (name, extensions)
    (self.encoder, self.codec) = (encoder, codec)
    (self.sdrBits, self.hdrBits) = (sdr, hdr)
    (self.isYCbCr, self.quality) = (isYCbCr, quality)
    (floatBits, mapFormats, self.mapQuality) = (floats, maps, mapQuality)
    (self.holdsThumbnail, self.hdrMetadataFields) = (holdsThumbnail, hdrMetadataFields)
    (self.alpha, self.floatAlpha) = (alpha, floatAlpha)
    (self.wholeBytes, self.largestWhole) = (wholeBytes, largestWhole)
  }

  /// Bytes for coding a picture of `pixels` where that is one unit larger than a tile; otherwise 0.
  package func codingBytes(of pixels: Int, _ tiles: TileLayout) -> Int {
    let isWhole =
      largestWhole == .max || tiles == .single || tiles == .auto && pixels <= largestWhole
    return isWhole ? wholeBytes * pixels : 0
  }

  /// Bits of a sample in `transfer`.
  package func bits(_ transfer: DynamicRangeMix.Transfer) -> [Int] {
    guard transfer == .standard else { return hdrBits }
    return sdrBits + floatBits.filter { !sdrBits.contains($0) }
  }

  /// Whether it can be lossy, by a quality.
  public var hasQuality: Bool { quality != nil }
  /// Whether it holds a gain map.
  public var holdsGainMap: Bool { !mapFormats.isEmpty }
  /// Whether it holds floating-point samples.
  public var holdsFloats: Bool { !floatBits.isEmpty }
  /// Whether all its samples are floating-point.
  public var holdsOnlyFloats: Bool { holdsFloats && sdrBits.isEmpty && hdrBits.isEmpty }

  /// Every bit depth that it holds, ascending.
  public var allBits: [Int] { Set(bits(.standard) + hdrBits).sorted() }
}

extension EncoderSettings.Container {
  /// The default qualities of formats, as `0.75 for HEIF and AVIF, 0.9 for JPEG`.
  package static var qualities: String {
    Set(allCases.compactMap(\.descriptor.quality)).sorted()
      .map { quality in "\(quality) for \(names { $0.quality == quality })" }
      .joined(separator: ", ")
  }

  /// The formats that have a choice of `bits`, as `8 or 10 for HEIF and AVIF, 8 or 16 for PNG`.
  package static func choices(of bits: KeyPath<ContainerDescriptor, [Int]>) -> String {
    let choices = Set(allCases.map { $0.descriptor[keyPath: bits] }.filter { $0.count > 1 })
    return choices.sorted { $0.lexicographicallyPrecedes($1) }
      .map { choice in
        choice.map(String.init).joined(separator: " or ") + " for "
          + names { $0[keyPath: bits] == choice }
      }
      .joined(separator: ", ")
  }

  /// Names of the formats for which `holds` is true, as `HEIF, AVIF and JPEG`.
  package static func names(
    _ conjunction: String = "and", where holds: (ContainerDescriptor) -> Bool
  ) -> String {
    let names = allCases.map(\.descriptor).filter(holds).map(\.name)
    guard names.count > 1, let last = names.last else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// Its row of the table. At the quality of HEIF and AVIF, luma has a PSNR of 49 dB or more, noise
  /// included; at the quality of their gain maps, samples are off by one or two at most.
  public var descriptor: ContainerDescriptor {
    switch self {
    case .heif:
      ContainerDescriptor(
        "HEIF", ["heic", "heif", "hif"], by: "rawdev", "hevc", sdr: [8, 10], hdr: [10],
        isYCbCr: true, quality: 0.75, maps: [.apple, .iso], mapQuality: 0.85, holdsThumbnail: true,
        alpha: .straight, hdrMetadataFields: Set(HDRMetadataField.allCases), wholeBytes: 20)
    case .avif:
      ContainerDescriptor(
        "AVIF", ["avif"], by: "rawdev", "av1", sdr: [8, 10], hdr: [10, 12],
        isYCbCr: true, quality: 0.75, maps: [.iso], mapQuality: 0.85, holdsThumbnail: true,
        alpha: .straight, hdrMetadataFields: Set(HDRMetadataField.allCases), wholeBytes: 20,
        largestWhole: TileLayout.largestAV1Area)
    case .jpeg:
      ContainerDescriptor(
        "JPEG", ["jpg", "jpeg"], by: "libjpeg-turbo", "jpeg", sdr: [8], hdr: [],
        isYCbCr: true, quality: 0.9, maps: .all, mapQuality: 0.95)
    case .png:
      ContainerDescriptor(
        "PNG", ["png"], by: "libpng", "png", sdr: [8, 16], hdr: [16],
        alpha: .straight, hdrMetadataFields: [.contentLight, .masteringDisplay])
    case .tiff:
      ContainerDescriptor(
        "TIFF", ["tif", "tiff"], by: "libtiff", "tiff", sdr: [8, 16], hdr: [16],
        floats: [16, 32], alpha: .straight, floatAlpha: .either)
    case .jpegXL:
      ContainerDescriptor(
        "JPEG XL", ["jxl"], by: "libjxl", "jpeg-xl", sdr: [16], hdr: [16], quality: 0.9,
        maps: [.iso], alpha: .straight, wholeBytes: 42, largestWhole: .max)
    case .exr:
      ContainerDescriptor(
        "OpenEXR", ["exr"], by: "openexr", "exr", sdr: [], hdr: [], floats: [16, 32],
        floatAlpha: .multiplied)
    case .npy:
      ContainerDescriptor(
        "NPY", ["npy"], by: "rawdev", "npy", sdr: [], hdr: [], floats: [16, 32])
    case .planes:
      ContainerDescriptor(
        "planes", ["planes"], by: "rawdev", "planes", sdr: [], hdr: [], floats: [16, 32])
    case .dng:
      ContainerDescriptor("DNG", ["dng"], by: "rawdev", "dng", sdr: [16], hdr: [])
    }
  }
}
