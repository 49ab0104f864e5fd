import Foundation
package import ImageCore
package import SyntheticRaw

/// A small linear DNG with further directories behind it: mattes, depth maps, previews, profiles.
package struct AuxiliaryDNG {
  /// One further directory, of LONG and ASCII fields, with one strip.
  package struct Directory {
    package var fields: [UInt16: [UInt32]] = [:]
    package var texts: [UInt16: String] = [:]
    package var pixels: [UInt8] = []

    package init(
      fields: [UInt16: [UInt32]] = [:], texts: [UInt16: String] = [:], pixels: [UInt8] = []
    ) {
      (self.fields, self.texts, self.pixels) = (fields, texts, pixels)
    }

    /// A plain one-channel picture; 16-bit numbers are little-endian.
    package static func plain(
      _ size: PixelSize, bits: Int = 8, subfile: UInt32, photometric: UInt32, _ pixels: [UInt8]
    ) -> Directory {
      Directory(
        fields: [
          254: [subfile], 256: [UInt32(size.width)], 257: [UInt32(size.height)],
          258: [UInt32(bits)], 259: [1], 262: [photometric], 277: [1],
          278: [UInt32(size.height)],
        ], pixels: pixels)
    }

    /// A semantic matte.
    package static func matte(_ size: PixelSize, _ name: String, _ pixels: [UInt8]) -> Directory {
      var directory = plain(size, subfile: 65540, photometric: 52527, pixels)
      directory.texts[52526] = name
      return directory
    }

    /// The directory at `start`, its long values and its strip.
    package func encoded(at start: Int) -> [UInt8] {
      func little(_ value: UInt32, _ bytes: Int = 4) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      var entries = fields.mapValues {
        (type: UInt32(4), count: $0.count, bytes: $0.flatMap { little($0) })
      }
      for (tag, text) in texts { entries[tag] = (2, text.utf8.count + 1, Array(text.utf8) + [0]) }
      let table = 2 + 12 * (entries.count + (pixels.isEmpty ? 0 : 2)) + 4
      let heap = entries.values.reduce(0) { $0 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
      if !pixels.isEmpty {
        // A hostile file may name its own.
        entries[273] = (4, 1, little(UInt32(start + table + heap)))
        entries[279] = (4, 1, little(UInt32(pixels.count)))
      }
      var (head, values) = (little(UInt32(entries.count), 2), [UInt8]())
      for (tag, entry) in entries.sorted(by: { $0.key < $1.key }) {
        head += little(UInt32(tag), 2) + little(entry.type, 2) + little(UInt32(entry.count))
        if entry.bytes.count <= 4 {
          head += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
        } else {
          head += little(UInt32(start + table + values.count))
          values += entry.bytes
        }
      }
      return head + [0, 0, 0, 0] + values + pixels
    }
  }

  package var size = PixelSize(width: 40, height: 24)
  package var activeArea: PixelRect?
  package var crop: PixelRect?
  package var orientation = Orientation.up
  /// Gray of the raw, 0…255, by column and row of the complete picture.
  package var gray: (Int, Int) -> Int = { x, y in 10 + 4 * x + 3 * y }
  package var directories: [Directory] = []
  /// Further fields of IFD 0, which is the raw directory.
  package var fields: [UInt16: TIFFValue] = [:]

  package init() {}

  package func bytes() throws -> [UInt8] {
    var samples: [UInt16] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        samples += [UInt16](repeating: UInt16(gray(x, y) * 200), count: 3)
      }
    }
    var writer = DNGWriter(size: size, layout: .linear, samples: samples)
    writer.white = [51_000]
    writer.activeArea = activeArea
    writer.defaultCrop = crop
    writer.orientation = orientation
    writer.additionalFields = fields
    guard !directories.isEmpty else { return try writer.bytes }
    // Offsets do not change the length of what precedes them.
    writer.additionalFields[330] = .longs(directories.map { _ in 0 })
    var position = try writer.bytes.count
    var (offsets, appendix): ([UInt32], [UInt8]) = ([], [])
    for directory in directories {
      offsets.append(UInt32(position))
      let encoded = directory.encoded(at: position)
      appendix += encoded
      position += encoded.count
    }
    writer.additionalFields[330] = .longs(offsets)
    return try writer.bytes + appendix
  }
}
