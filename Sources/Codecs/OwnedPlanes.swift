import Containers
import ImageCore

/// Planes of a picture in memory of their own: gray, or luma and chroma at full size, which are
/// green, blue and red of RGB. Filled once.
@safe final class OwnedPlanes {
  private let size: PixelSize
  private let bits: Int
  private let count: Int
  private let stride: Int
  private let storage: UnsafeMutableRawPointer

  init(_ still: CodedStill) throws(FormatError) {
    (size, bits, count) = (still.size, still.bits, still.isGray ? 1 : 3)
    stride = size.width * (bits > 8 ? 2 : 1)
    do throws(PixelError) {
      unsafe storage = try PixelMemory.allocate(bytes: stride * size.height * count)
    } catch { throw FormatError(error) }
  }

  deinit { unsafe PixelMemory.deallocate(storage, bytes: stride * size.height * count) }

  /// Row `y` of a plane, of bytes, or words of more than eight bits.
  func row(_ plane: Int, _ y: Int) -> UnsafeMutableRawPointer {
    precondition(plane < count && y >= 0 && y < size.height, "row outside the picture")
    return unsafe storage + (plane * size.height + y) * stride
  }

  /// In the form of a decoder's planes.
  var coded: CodedPlanes {
    func plane(_ index: Int) -> CodedPlanes.Plane {
      unsafe CodedPlanes.Plane(
        start: UnsafeRawPointer(row(index, 0)), stride: stride, size: size)
    }
    return CodedPlanes(
      bits: bits, luma: plane(0), chroma: count == 1 ? nil : (plane(1), plane(2)),
      chromaShift: (0, 0))
  }
}

extension OwnedPlanes {
  /// The samples of a JPEG, of 8 bits.
  func fill(jpeg data: [UInt8]) throws(FormatError) {
    guard let image = JPEGSegments(try FileBytes(data)), let decoder = TurboJPEG() else {
      throw StillDecoder.outOfMemory("libjpeg-turbo")
    }
    let bytes = size.area * count
    let buffer: UnsafeMutableRawPointer
    do throws(PixelError) { unsafe buffer = try PixelMemory.allocate(bytes: bytes) } catch {
      throw FormatError(error)
    }
    defer { unsafe PixelMemory.deallocate(buffer, bytes: bytes) }
    let samples = unsafe buffer.assumingMemoryBound(to: UInt8.self)
    let failure = try unsafe decoder.decode(
      image, size: size, components: count, stride: size.width * count, rows: samples)
    if let failure { throw StillDecoder.refusal("libjpeg-turbo", failure) }
    for plane in 0..<count {
      // Green, blue, red.
      let first = count == 1 ? 0 : (plane + 1) % 3
      for y in 0..<size.height {
        let row = unsafe row(plane, y).assumingMemoryBound(to: UInt8.self)
        let source = unsafe samples + y * size.width * count + first
        for x in 0..<size.width { unsafe row[x] = source[x &* count] }
      }
    }
  }

  /// The samples of `data`, which lie as `layout` says.
  func fill(_ data: [UInt8], _ layout: UncompressedLayout) throws(FormatError) {
    var data = data
    if layout.isDeflated {
      guard let found = ZlibStream.inflate(data[...], maxBytes: layout.byteCount) else {
        throw StillDecoder.refusal("libdeflate", "the stream is damaged")
      }
      data = found
    }
    guard data.count >= layout.byteCount else {
      throw .contradiction("an uncompressed picture is truncated")
    }
    let tile = layout.tile
    unsafe data.withUnsafeBytes { data in
      for (plane, component) in layout.planes.enumerated() {
        let format = layout.components[component]
        for number in 0..<layout.tiles.area {
          let (left, top) = (
            number % layout.tiles.width * tile.width, number / layout.tiles.width * tile.height
          )
          for y in 0..<tile.height {
            let position = layout.offset(component, tile: number, y: y)
            let row = unsafe row(plane, top + y)
            for x in 0..<tile.width {
              let code = unsafe Self.sample(
                data, position.start + x * position.step, format, layout.isLittleEndian)
              if bits > 8 {
                unsafe row.assumingMemoryBound(to: UInt16.self)[left + x] = code
              } else {
                unsafe row.assumingMemoryBound(to: UInt8.self)[left + x] = UInt8(
                  truncatingIfNeeded: code)
              }
            }
          }
        }
      }
    }
  }

  /// The sample at `bit`: bytes, of which the lowest bits count, or bits from the highest on.
  private static func sample(
    _ data: UnsafeRawBufferPointer, _ bit: Int, _ format: UncompressedLayout.Component,
    _ isLittleEndian: Bool
  ) -> UInt16 {
    let count = format.storedBits
    var value: UInt64 = 0
    if format.alignedBytes > 0, bit % 8 == 0 {
      for index in 0..<format.alignedBytes {
        let at = isLittleEndian ? format.alignedBytes - 1 - index : index
        value = unsafe value << 8 | UInt64(data[bit / 8 + at])
      }
    } else {
      for at in bit / 8...(bit + count - 1) / 8 { value = unsafe value << 8 | UInt64(data[at]) }
      value >>= UInt64(7 - (bit + count - 1) % 8)
    }
    return UInt16(truncatingIfNeeded: value & ((1 << UInt64(format.bits)) - 1))
  }
}
