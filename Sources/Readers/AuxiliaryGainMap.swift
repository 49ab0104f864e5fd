package import Containers
public import HDRRender
public import ImageCore

/// A gain map as an auxiliary picture: its coded samples in rows, their layout and their metadata.
/// The counterpart of Apple's auxiliary dictionary (data, description, metadata), which has no
/// orientation since 2024: the map is oriented like the coded base.
///
/// Rows are padded to a multiple of four bytes. More than eight bits are stored in the upper bits
/// of little-endian words, red, green and blue with an alpha of all ones, as in Core Video.
public struct AuxiliaryGainMap: Sendable, Hashable {
  /// Core Video's names of the layouts.
  public enum PixelFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// One channel, a byte each.
    case oneComponent8 = "L008"
    /// One channel, ten bits in a word.
    case oneComponent10 = "L010"
    /// One channel, twelve bits in a word.
    case oneComponent12 = "L012"
    /// One channel, words.
    case oneComponent16 = "L016"
    /// Blue, green, red, alpha, a byte each.
    case bgra8 = "BGRA"
    /// Red, green, blue, alpha, words.
    case rgba16 = "l64r"

    /// Core Video's FourCC.
    public var code: UInt32 { rawValue.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
    /// Bytes of a pixel.
    public var bytesPerPixel: Int {
      switch self {
      case .oneComponent8: 1
      case .oneComponent10, .oneComponent12, .oneComponent16: 2
      case .bgra8: 4
      case .rgba16: 8
      }
    }
    /// 1 or 3.
    public var channels: Int { self == .bgra8 || self == .rgba16 ? 3 : 1 }

    init(channels: Int, bits: Int) {
      switch (channels, bits) {
      case (1, ...8): self = .oneComponent8
      case (1, 9...10): self = .oneComponent10
      case (1, 11...12): self = .oneComponent12
      case (1, _): self = .oneComponent16
      case (_, ...8): self = .bgra8
      default: self = .rgba16
      }
    }
  }

  /// The layout of the samples.
  public struct Description: Sendable, Hashable, Codable {
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Stride of the rows.
    public var bytesPerRow: Int
    /// Layout of a pixel.
    public var pixelFormat: PixelFormat

    init(_ size: PixelSize, _ format: PixelFormat) {
      (width, height, pixelFormat) = (size.width, size.height, format)
      bytesPerRow = (size.width * format.bytesPerPixel + 3) & ~3
    }
  }

  /// Rows of `description.bytesPerRow` bytes.
  public let data: [UInt8]
  /// Their layout.
  public let description: Description
  /// The parameters of the map.
  public var metadata: GainMapParameters
  /// Bits of a sample.
  public let bits: Int

  /// The samples of `image` with their parameters.
  public init(_ image: GainMapImage, metadata: GainMapParameters) {
    bits = UInt16.bitWidth - image.maximumCode.leadingZeroBitCount
    let format = PixelFormat(channels: image.channels, bits: bits)
    let layout = Description(image.size, format)
    self.metadata = metadata
    description = layout
    let (channels, bytes) = (image.channels, format.bytesPerPixel)
    let shift = UInt16(16 - bits)
    data = unsafe [UInt8](unsafeUninitializedCapacity: layout.bytesPerRow * image.size.height) {
      out, count in
      unsafe out.initialize(repeating: 0)
      count = out.count
      for y in 0..<image.size.height {
        for x in 0..<image.size.width {
          let at = y * layout.bytesPerRow + x * bytes
          for channel in 0..<channels {
            let code = image.codes[(y * image.size.width + x) * channels + channel]
            switch format {
            case .oneComponent8: unsafe out[at] = UInt8(truncatingIfNeeded: code)
            case .bgra8: unsafe out[at + 2 - channel] = UInt8(truncatingIfNeeded: code)
            default:
              let word = code << shift
              unsafe out[at + 2 * channel] = UInt8(truncatingIfNeeded: word)
              unsafe out[at + 2 * channel + 1] = UInt8(truncatingIfNeeded: word >> 8)
            }
          }
          if channels == 3 { for byte in bytes * 3 / 4..<bytes { unsafe out[at + byte] = 255 } }
        }
      }
    }
  }

  /// The same map with an edited bitmap of the same layout: rows of `bytesPerRow` bytes, which hold
  /// all pixels and are a multiple of four. Throws when the bitmap does not fit.
  public func replacing(bitmap: [UInt8], bytesPerRow: Int) throws(GainMapError) -> AuxiliaryGainMap
  {
    let size = PixelSize(width: description.width, height: description.height)
    let format = description.pixelFormat
    guard bytesPerRow % 4 == 0, bytesPerRow <= bitmap.count + 3,
      bytesPerRow >= size.width * format.bytesPerPixel,
      bitmap.count - size.width * format.bytesPerPixel >= bytesPerRow * (size.height - 1)
    else {
      throw GainMapError(
        .badSetting,
        "the buffer is too short for \(size) in rows of \(bytesPerRow) bytes; "
          + "pad its rows to four bytes"
      )
    }
    return AuxiliaryGainMap(
      try Self.image(bitmap, size, bytesPerRow, format, bits: bits), metadata: metadata)
  }

  /// The samples.
  public func image() throws(GainMapError) -> GainMapImage {
    try Self.image(
      data, PixelSize(width: description.width, height: description.height),
      description.bytesPerRow, description.pixelFormat, bits: bits)
  }

  private static func image(
    _ data: [UInt8], _ size: PixelSize, _ stride: Int, _ format: PixelFormat, bits: Int
  ) throws(GainMapError) -> GainMapImage {
    var codes: [UInt16] = []
    codes.reserveCapacity(size.width * size.height * format.channels)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let at = y * stride + x * format.bytesPerPixel
        for channel in 0..<format.channels {
          switch format {
          case .oneComponent8: codes.append(UInt16(data[at]))
          case .bgra8: codes.append(UInt16(data[at + 2 - channel]))
          default:
            let offset = at + 2 * channel
            codes.append(
              (UInt16(data[offset]) | UInt16(data[offset + 1]) << 8) >> UInt16(16 - bits))
          }
        }
      }
    }
    return try GainMapImage(
      size: size, channels: format.channels, codes: codes,
      maximumCode: UInt16(truncatingIfNeeded: 1 << bits - 1))
  }
}

extension StillImage {
  /// The gain map as an auxiliary picture: its coded samples, neither rotated nor cropped; nil when
  /// there is no usable one. Decodes the map; throws when its pixels are damaged.
  public func auxiliaryGainMap() throws(ReadError) -> AuxiliaryGainMap? {
    guard gainMap != nil else { return nil }
    return AuxiliaryGainMap(try container.codedGainMap(), metadata: gainMapParameters)
  }

  /// All gain map parameters in the file; empty when there are none.
  public var gainMapParameters: GainMapParameters { container.gainMapParameters() }

  /// The stored samples of the primary picture as a gain map, for maps in separate files. Decodes
  /// the picture; throws for floating-point pictures.
  public func storedSamples() throws(ReadError) -> GainMapImage {
    let picture = try container.picture()
    guard case .codes = picture.format else {
      throw ReadError(
        .unsupported, "a gain map needs integers, this picture has floats; give a PNG or JPEG",
        path: path)
    }
    do { return try picture.gainMapImage() } catch {
      throw ReadError(.damaged, error.message, path: path)
    }
  }

  /// Columns and rows of the primary picture as coded, neither rotated nor cropped.
  package var codedSize: PixelSize { container.codedSize }

  /// The pictures of a JPEG file: the primary, and the one that declares itself a gain map, usable
  /// or not; nil for other files.
  package var jpegPictures: (primary: JPEGSegments, map: JPEGSegments?)? {
    (container as? JPEGStill).map { ($0.primary, $0.mapPicture) }
  }
}
