import Containers
import ImageCore

/// Decodes camera raws with LibRaw, and DNGs for comparison with our own decoders: unpacks, copies
/// the active area, and releases LibRaw's memory before returning, so that at most two copies of
/// the mosaic exist.
enum RawDecoder {
  /// The stored samples of the file in `bytes`; levels of a DNG come from its `tags`, levels of a
  /// camera raw from LibRaw. `includesBorders` selects the complete stored picture.
  static func decode(
    _ bytes: FileBytes, frame: Int = 1, tags: DNGTags?, layout: SensorData.Layout,
    includesBorders: Bool
  ) throws(RAWError) -> SensorData {
    let handle = try LibRawHandle(bytes, frame: frame)
    // The picture belongs to the handle.
    defer { withExtendedLifetime(handle) {} }
    try handle.unpack()
    let metadata = handle.metadata
    guard !metadata.isDiagonal else {
      throw RAWError(
        .unsupported, .decode,
        "Fujifilm's diagonal sensor layout is not supported; convert it with Adobe DNG Converter",
        path: bytes.path)
    }
    let area = tags?.activeArea ?? metadata.visibleArea
    let stored = metadata.storedArea
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
          metadata, picture.samplesPerPixel == 1 ? { picture.row($0) } : nil, layout: layout,
          area: area, path: bytes.path)
      }
    let output = includesBorders ? stored : area
    // Sony's ARQ, four exposures shifted by one photosite, contains red, both greens and blue of
    // each.
    let hasTwoGreens = metadata.decoder.hasPrefix("sony_arq")
    func mean(_ a: UInt16, _ b: UInt16) -> UInt16 {
      UInt16(truncatingIfNeeded: (UInt32(a) &+ UInt32(b) &+ 1) &>> 1)
    }
    let samples = try RAWError.translating(.decode) { () throws(PixelError) in
      try RawSamples(
        of: UInt16.self, stride: output.width * perPixel, rows: output.height
      ) { target in
        for y in 0..<output.height {
          let from = picture.row(output.y + y).from(output.x * picture.samplesPerPixel)
          let to = target.from(y * output.width * perPixel)
          guard picture.samplesPerPixel == 4 else {
            to.update(from: from, count: output.width * perPixel)
            continue
          }
          for x in 0..<output.width {
            let green = from[4 &* x &+ 1]
            to[3 &* x] = from[4 &* x]
            to[3 &* x &+ 1] = hasTwoGreens ? mean(green, from[4 &* x &+ 3]) : green
            to[3 &* x &+ 2] = from[4 &* x &+ 2]
          }
        }
      }
    }
    return SensorData(size: output.size, layout: layout, samples: samples, levels: levels)
  }
}
