import CPNG
import Foundation
public import ImageCore

/// Writes grey or RGB pictures of 8 or 16 bits as PNG (ISO/IEC 15948), row by row. The numbers stand
/// for themselves: no gamma, no colour space is written. Owns libpng's handle for the time of a call.
public struct PNGWriter: Sendable {
  /// What a sample is.
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

  /// What a sample is.
  public var depth: Depth
  /// Samples of a pixel.
  public var layout: Layout

  /// A writer of such files.
  public init(depth: Depth, layout: Layout = .gray) {
    self.depth = depth
    self.layout = layout
  }

  /// The rows of one call, on their way to libpng.
  private final class Rows {
    let fill: (Int, inout [UInt16]) -> Void
    var samples: [UInt16]
    let bytes: UnsafeMutableBufferPointer<UInt8>
    let depth: Depth

    init(_ count: Int, _ depth: Depth, _ fill: @escaping (Int, inout [UInt16]) -> Void) {
      self.fill = fill
      self.depth = depth
      samples = [UInt16](repeating: 0, count: count)
      // Aligned, since libpng may swap 16-bit samples as such.
      let raw = UnsafeMutableRawBufferPointer.allocate(
        byteCount: count * depth.rawValue / 8, alignment: 16)
      bytes = raw.bindMemory(to: UInt8.self)
      bytes.initialize(repeating: 0)
    }

    deinit { bytes.deallocate() }

    func row(_ y: Int) -> UnsafePointer<UInt8>? {
      fill(y, &samples)
      for (x, value) in samples.prefix(bytes.count * 8 / depth.rawValue).enumerated() {
        switch depth {
        case .bits8: bytes[x] = UInt8(clamping: value)
        case .bits16:
          UnsafeMutableRawBufferPointer(bytes).storeBytes(
            of: value, toByteOffset: 2 * x, as: UInt16.self)
        }
      }
      return UnsafePointer(bytes.baseAddress)
    }
  }

  /// Writes a picture of `size` to `path`, whole or not at all; `fill` puts the samples of row y into
  /// its array, which has the right length. Returns the bytes of the file.
  ///
  /// Throws a ``WriteError``.
  @discardableResult
  public func write(
    size: PixelSize, to path: String, fill: @escaping (_ y: Int, _ samples: inout [UInt16]) -> Void
  ) throws(WriteError) -> Int {
    // libpng's own limit.
    guard (1...1_000_000).contains(size.width), (1...1_000_000).contains(size.height) else {
      throw WriteError(
        .unsupportedSize, "a PNG has sides of 1 to 1000000, not \(size)", path: path)
    }
    let rows = Rows(size.width * layout.rawValue, depth, fill)
    do {
      return try AtomicFile.write(to: path) { descriptor in
        var channel = cpng_channel()
        channel.descriptor = descriptor
        let failed = withExtendedLifetime(rows) {
          cpng_write(
            &channel, UInt32(size.width), UInt32(size.height), Int32(depth.rawValue),
            Int32(layout.rawValue),
            { user, y in
              user.flatMap { Unmanaged<Rows>.fromOpaque($0).takeUnretainedValue().row(Int(y)) }
            }, Unmanaged.passUnretained(rows).toOpaque())
        }
        if failed != 0, channel.system_error != 0 {
          errno = channel.system_error
          throw AtomicFile.failure("cannot write the file", path: path)
        }
        guard failed == 0 else {
          throw WriteError(.encoderFailed, "libpng: \(Self.text(channel))", path: path)
        }
        return Int(lseek(descriptor, 0, SEEK_END))
      }
    } catch let error as WriteError {
      throw error
    } catch {
      throw WriteError(.encoderFailed, "\(error)", path: path)
    }
  }

  private static func text(_ channel: cpng_channel) -> String {
    withUnsafeBytes(of: channel.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
