import Containers
import ImageCore

/// Camera raws through LibRaw, and DNGs to compare our own decoders with: unpacks, copies the
/// active area, and releases LibRaw's memory before returning, so that at most two copies of the
/// mosaic exist.
enum RawDecoder {
  /// The stored samples of the file in `bytes`; levels of a DNG come from its `tags`, those of a
  /// camera raw from LibRaw. With `isWhole` the samples are those of the whole stored picture.
  static func decode(
    _ bytes: FileBytes, frame: Int = 1, tags: DNGTags?, layout: SensorData.Layout,
    isWhole: Bool
  ) throws(RAWError) -> SensorData {
    let handle = try LibRawHandle(bytes, frame: frame)
    // The picture is the handle's.
    defer { withExtendedLifetime(handle) {} }
    try handle.unpack()
    let facts = handle.facts
    guard !facts.isDiagonal else {
      throw RAWError(
        .unsupported, .decode,
        "Fujifilm's diagonal sensor layout is not supported; convert it with Adobe DNG Converter",
        path: bytes.path)
    }
    let area = tags?.activeArea ?? facts.visibleArea
    let stored = facts.storedArea
    let perPixel = layout == .linear ? 3 : 1
    guard let picture = handle.picture, (perPixel == 3) == (picture.samplesPerPixel > 1),
      !area.isEmpty, stored.contains(area)
    else {
      throw RAWError(
        .unsupported, .decode,
        "its storage format is not supported; convert it to DNG first",
        path: bytes.path)
    }
    let levels =
      if let tags {
        tags.levels.sensor
      } else {
        try CameraLevels.read(
          facts, picture.samplesPerPixel == 1 ? { picture.row($0) } : nil, layout: layout,
          area: area, path: bytes.path)
      }
    let kept = isWhole ? stored : area
    // Sony's ARQ, four exposures shifted by a photosite, has red, both greens and blue of each.
    let hasTwoGreens = facts.decoder.hasPrefix("sony_arq")
    func mean(_ a: UInt16, _ b: UInt16) -> UInt16 {
      UInt16(truncatingIfNeeded: (UInt32(a) &+ UInt32(b) &+ 1) &>> 1)
    }
    let samples = try RAWError.translating(.decode) { () throws(PixelError) in
      try RawSamples(
        of: UInt16.self, stride: kept.width * perPixel, rows: kept.height
      ) { target in
        for y in 0..<kept.height {
          let from = picture.row(kept.y + y).from(kept.x * picture.samplesPerPixel)
          let to = target.from(y * kept.width * perPixel)
          guard picture.samplesPerPixel == 4 else {
            to.update(from: from, count: kept.width * perPixel)
            continue
          }
          for x in 0..<kept.width {
            let green = from[4 &* x &+ 1]
            to[3 &* x] = from[4 &* x]
            to[3 &* x &+ 1] = hasTwoGreens ? mean(green, from[4 &* x &+ 3]) : green
            to[3 &* x &+ 2] = from[4 &* x &+ 2]
          }
        }
      }
    }
    return SensorData(size: kept.size, layout: layout, samples: samples, levels: levels)
  }
}
