import CLibRaw
package import Containers
import ImageCore

/// Camera raws, and DNGs in plain strips or unusual JPEG, through LibRaw: unpacks, copies the
/// active area, and lets go of LibRaw before returning, so that at most two copies of the mosaic
/// exist.
enum RawDecoder {
  /// The stored samples of the file in `bytes`; levels of a DNG come from its `tags`, those of a
  /// camera raw from LibRaw.
  static func decode(
    _ bytes: FileBytes, limits: DecodeLimits, tags: DNGTags?, layout: SensorData.Layout
  ) throws(RAWError) -> SensorData {
    let handle = try LibRawHandle(bytes, limits: limits)
    try handle.unpack()
    let facts = LibRawFacts(handle)
    let raw = handle.data
    guard raw.pointee.rawdata.ioparams.fuji_width == 0 else {
      throw RAWError(
        .unsupported, .decode,
        "Fujifilm's diagonal sensor layout is not supported; convert it with Adobe DNG Converter",
        path: bytes.path)
    }
    let area =
      tags?.activeArea
      ?? PixelRect(x: facts.left, y: facts.top, width: facts.width, height: facts.height)
    let stored = PixelRect(x: 0, y: 0, width: facts.rawWidth, height: facts.rawHeight)
    let pitch = Int(raw.pointee.sizes.raw_pitch)
    let isLinear = layout == .linear
    // LibRaw's pictures: one, three or four 16-bit samples a pixel.
    let source: (start: UnsafePointer<UInt16>, samples: Int)? =
      if let mosaic = raw.pointee.rawdata.raw_image {
        (UnsafePointer(mosaic), 1)
      } else if let pixels = raw.pointee.rawdata.color3_image {
        (UnsafePointer(UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: UInt16.self)), 3)
      } else if let pixels = raw.pointee.rawdata.color4_image {
        (UnsafePointer(UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: UInt16.self)), 4)
      } else {
        nil
      }
    guard let source, isLinear == (source.samples > 1), !area.isEmpty, stored.contains(area),
      pitch >= stored.width * source.samples * 2, pitch % 2 == 0
    else {
      throw RAWError(
        .unsupported, .decode,
        "its pixels are stored in a way that is not supported; convert it to DNG first",
        path: bytes.path)
    }
    let levels: SensorLevels
    if let tags {
      levels = tags.levels.sensor
    } else {
      levels = try CameraLevels.read(handle, facts, layout: layout, area: area)
    }
    let perPixel = isLinear ? 3 : 1
    let samples = RawSamples(
      format: .uint16, stride: area.width * perPixel, rows: area.height
    ) { target in
      let target = target.assumingMemoryBound(to: UInt16.self)
      for y in 0..<area.height {
        let from = source.start + (area.y + y) * (pitch / 2) + area.x * source.samples
        let to = target + y * area.width * perPixel
        guard source.samples == 4 else {
          to.update(from: from, count: area.width * perPixel)
          continue
        }
        for x in 0..<area.width {
          to[3 &* x] = from[4 &* x]
          to[3 &* x &+ 1] = from[4 &* x &+ 1]
          to[3 &* x &+ 2] = from[4 &* x &+ 2]
        }
      }
    }
    return SensorData(size: area.size, layout: layout, samples: samples, levels: levels)
  }
}
