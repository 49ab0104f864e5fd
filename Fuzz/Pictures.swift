import Foundation
import ImageCore
import Readers
import Remux

@testable import RawDecode
@testable import RawFilter

/// Whole paths: bytes to pixels, and bytes to bytes.
enum Pictures {
  /// Small for small files, so that a picture takes milliseconds and one that takes more than these
  /// is found; as many pixels as bytes for large ones.
  private static func limits(_ bytes: [UInt8]) -> DecodeLimits {
    let pixels = max(1 << 18, 2 * bytes.count)
    return DecodeLimits(maxFileBytes: 1 << 26, maxPixels: pixels, maxDecodeBytes: 512 * pixels)
  }
  private static let tile = PixelSize(width: 32, height: 32)

  private static func read(_ source: some PixelSource<DisplayReferred>) {
    let rect = PixelRect(
      x: 0, y: 0, width: min(tile.width, source.size.width),
      height: min(tile.height, source.size.height))
    source.read(rect, into: PlanarBuffer(size: rect.size))
  }

  static func raw(_ bytes: [UInt8]) {
    guard var filter = try? RAWFilter(data: Data(bytes), limits: limits(bytes)) else { return }
    filter.workers = 1
    _ = filter.previewImage
    if let rendition = try? filter.rendition() { read(rendition) }
  }

  static func still(_ bytes: [UInt8]) {
    guard let image = try? StillImage(bytes, limits: limits(bytes)) else { return }
    if let light = try? image.light(.high) { read(light) }
    if image.gainMap != nil { _ = try? image.gainMapImage() }
  }

  static func remux(_ bytes: [UInt8]) {
    guard let editor = try? GainMapEditor(bytes, limits: limits(bytes)) else { return }
    _ = try? editor.codedGainMap()
    _ = try? editor.removingHDR()
  }

  private static let sound = try? RAWFilter(
    data: Data(contentsOf: URL(fileURLWithPath: "Fixtures/sunset-bayer.dng")))

  static func cameraProfile(_ bytes: [UInt8]) {
    guard let raw = sound?.file else { fatalError("run this in the repository: no fixture") }
    ScratchFile.with(bytes) { _ = try? CameraProfileFile(path: $0, for: raw) }
  }

  static func look(_ bytes: [UInt8]) { ScratchFile.with(bytes) { _ = try? LookFile.read($0) } }
}
