package import HDRRender
import ImageCore

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

/// What a file format can hold: the one table from which checks, defaults, extensions and the bit
/// depths of encoders follow. A new kind of file is a case of `Container` with its row here, its
/// formats in `OutputFormat`, and its writer with a line in `StillExporter`.
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
  /// Bits of a floating-point sample, unbounded linear values, ascending; empty where it holds
  /// none.
  public let floatBits: [Int]
  /// Whether samples are luma and chroma.
  public let isYCbCr: Bool
  /// Whether it can be lossy, by a quality.
  public let hasQuality: Bool
  /// Whether it holds a gain map.
  public let holdsGainMap: Bool
  /// Whether it holds an embedded thumbnail.
  public let holdsThumbnail: Bool
  /// HDR metadata that it can carry.
  public let hdrMetadataFields: Set<HDRMetadataField>

  fileprivate init(
    _ name: String, _ extensions: [String], by encoder: String, _ codec: String,
    standard: [Int], high: [Int], floats: [Int] = [],
    isYCbCr: Bool = false, hasQuality: Bool = false,
    holdsGainMap: Bool = false, holdsThumbnail: Bool = false,
    hdrMetadataFields: Set<HDRMetadataField> = []
  ) {
    (self.name, self.extensions) = (name, extensions)
    (self.encoder, self.codec) = (encoder, codec)
    (self.sdrBits, self.hdrBits) = (standard, high)
    (self.isYCbCr, self.hasQuality) = (isYCbCr, hasQuality || isYCbCr)
    (floatBits, self.holdsGainMap) = (floats, holdsGainMap)
    (self.holdsThumbnail, self.hdrMetadataFields) = (holdsThumbnail, hdrMetadataFields)
  }

  /// Bits of a sample in `transfer`.
  package func bits(_ transfer: DynamicRangeMix.Transfer) -> [Int] {
    guard transfer == .standard else { return hdrBits }
    return sdrBits + floatBits.filter { !sdrBits.contains($0) }
  }

  /// Whether it holds floating-point samples.
  public var holdsFloats: Bool { !floatBits.isEmpty }
  /// Whether all its samples are floating-point.
  public var holdsOnlyFloats: Bool { holdsFloats && sdrBits.isEmpty && hdrBits.isEmpty }

  /// Every bit depth that it holds, ascending.
  public var allBits: [Int] { Set(bits(.standard) + hdrBits).sorted() }
}

extension EncoderSettings.Container {
  /// Names of the formats for which `holds` is true, as `HEIF, AVIF and JPEG`.
  package static func names(
    _ conjunction: String = "and", where holds: (ContainerDescriptor) -> Bool
  ) -> String {
    let names = allCases.map(\.descriptor).filter(holds).map(\.name)
    guard names.count > 1, let last = names.last else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// Its row of the table.
  public var descriptor: ContainerDescriptor {
    switch self {
    case .heif:
      ContainerDescriptor(
        "HEIF", ["heic", "heif", "hif"], by: "rawdev", "hevc", standard: [8, 10], high: [10],
        isYCbCr: true, holdsGainMap: true, holdsThumbnail: true,
        hdrMetadataFields: Set(HDRMetadataField.allCases))
    case .avif:
      ContainerDescriptor(
        "AVIF", ["avif"], by: "rawdev", "av1", standard: [8, 10], high: [10, 12],
        isYCbCr: true, holdsGainMap: true, holdsThumbnail: true,
        hdrMetadataFields: Set(HDRMetadataField.allCases))
    case .jpeg:
      ContainerDescriptor(
        "JPEG", ["jpg", "jpeg"], by: "libjpeg-turbo", "jpeg", standard: [8], high: [],
        isYCbCr: true, holdsGainMap: true)
    case .png:
      ContainerDescriptor(
        "PNG", ["png"], by: "libpng", "png", standard: [8, 16], high: [16],
        hdrMetadataFields: [.contentLight, .masteringDisplay])
    case .tiff:
      ContainerDescriptor(
        "TIFF", ["tif", "tiff"], by: "libtiff", "tiff", standard: [8, 16], high: [16],
        floats: [16, 32])
    case .jpegXL:
      ContainerDescriptor(
        "JPEG XL", ["jxl"], by: "libjxl", "jpeg-xl", standard: [16], high: [16], hasQuality: true,
        holdsGainMap: true)
    case .exr:
      ContainerDescriptor(
        "OpenEXR", ["exr"], by: "openexr", "exr", standard: [], high: [], floats: [16, 32])
    case .npy:
      ContainerDescriptor(
        "NPY", ["npy"], by: "rawdev", "npy", standard: [], high: [], floats: [16, 32])
    case .planes:
      ContainerDescriptor(
        "planes", ["planes"], by: "rawdev", "planes", standard: [], high: [], floats: [16, 32])
    case .dng:
      ContainerDescriptor("DNG", ["dng"], by: "rawdev", "dng", standard: [16], high: [])
    }
  }
}
