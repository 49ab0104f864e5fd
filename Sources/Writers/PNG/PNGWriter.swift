import Codecs
public import Formats
import Foundation
public import ImageCore

/// Writes gray or RGB samples of 8 or 16 bits as PNG (ISO/IEC 15948), row by row, without gamma or
/// color space, and names rawdev in its Exif. For rendered pictures see ``PNGPictureWriter``.
public struct PNGWriter: Sendable {
  /// Bits of a sample.
  public enum Depth: Int, Sendable {
    /// 0…255.
    case bits8 = 8
    /// 0…65535.
    case bits16 = 16
  }

  /// Samples of a pixel.
  public enum Layout: Int, Sendable {
    /// One.
    case gray = 1
    /// Red, green, blue.
    case rgb = 3
  }

  /// Bits of a sample.
  public var depth: Depth
  /// Samples of a pixel.
  public var layout: Layout
  /// zlib's own default.
  private static let level: Int32 = 6

  /// A writer of such files.
  public init(depth: Depth, layout: Layout = .gray) {
    self.depth = depth
    self.layout = layout
  }

  /// Writes a picture of `size` to `destination`, completely or not at all; `fill` sets the samples
  /// of row y in its array, which has the right length. Returns the length of the file in bytes,
  /// and the file itself where the destination is memory.
  ///
  /// `sources`: the files that it is made of, which it must not replace. Throws a `WriteError`.
  @discardableResult
  public func write(
    size: PixelSize, to destination: OutputDestination, of sources: Set<FileIdentity> = [],
    fill: (_ y: Int, _ samples: inout [UInt16]) -> Void
  ) throws(WriteError) -> (byteCount: Int, contents: [UInt8]?) {
    let path = destination.name
    do {
      let (byteCount, contents) = try destination.write(
        OutputContent(.png, of: sources)
      ) { descriptor in
        try Self.check(size, path: path)
        return try WriteError.encoding(to: path) {
          var extras = PNGEncoder.Extras()
          extras.exif = EXIF.block(CaptureMetadata(), size: size).bytes
          let file = try PNGEncoder(
            descriptor: descriptor, size: size, bits: depth.rawValue, channels: layout.rawValue,
            level: Self.level, extras)
          var samples = [UInt16](repeating: 0, count: size.width * layout.rawValue)
          var bytes = [UInt8](repeating: 0, count: samples.count)
          for y in 0..<size.height {
            fill(y, &samples)
            switch depth {
            case .bits8:
              for i in bytes.indices { bytes[i] = UInt8(clamping: samples[i]) }
              try write(bytes, to: file)
            case .bits16:
              try unsafe samples.withUnsafeBytes { try unsafe write(Array($0), to: file) }
            }
          }
          try file.finish()
          return Int(lseek(descriptor, 0, SEEK_END))
        }
      }
      return (byteCount, contents)
    } catch let error as WriteError {
      throw error
    } catch {
      throw WriteError(.encoderFailed, "\(error)", path: path)
    }
  }

  /// Throws unless a PNG of this size can be written.
  static func check(_ size: PixelSize, path: String) throws(WriteError) {
    guard PNGEncoder.sides.contains(size.width), PNGEncoder.sides.contains(size.height) else {
      throw WriteError(
        .unsupportedSize, "a PNG has sides of 1 to 1000000, not \(size)", path: path)
    }
  }

  private func write(_ row: [UInt8], to file: PNGEncoder) throws(CodecError) {
    try unsafe row.withUnsafeBufferPointer { bytes throws(CodecError) in
      guard let start = bytes.baseAddress else { return }
      try unsafe file.write(start, stride: bytes.count, count: 1)
    }
  }
}
