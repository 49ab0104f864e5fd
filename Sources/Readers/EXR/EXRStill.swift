import Containers
import EXRCodec
import HDRRender
import ImageCore

/// OpenEXR: the first flat part, its scan lines or tiles of full size by ``EXRDecoder``, as linear
/// values with 1.0 at reference white. The picture is the display window; outside the data window
/// it is black, and transparent where the file has alpha.
///
/// Of several layers the unnamed one is read, else the first. Luminance with chroma (RY, BY)
/// becomes RGB by the weights of the chromaticities (OpenEXR's technical introduction): R = (RY +
/// 1) Y, B = (BY + 1) Y, and G from Y = w · RGB; chroma is interpolated linearly between its
/// samples, where OpenEXR's own reader takes a filter of 27 samples.
struct EXRStill: StillContainer {
  let info: StillInfo
  private let file: FileBytes
  private let policy: ReadPolicy
  private let decoder: EXRDecoder
  private let layer: EXRLayer
  private let weights: SIMD3<Double>

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    let decoder = try ReadError.translating { () throws(FormatError) in try EXRDecoder(file) }
    let size = decoder.displayWindow.size
    guard let layer = EXRLayer(decoder.channels) else {
      throw ReadError(
        .unsupported, "it has no color channels; name them R, G, B or Y", path: file.path)
    }
    guard size.width > 0, size.height > 0 else {
      throw ReadError(.damaged, "the picture has no pixels; copy it again", path: file.path)
    }
    (self.file, self.policy, self.decoder, self.layer) = (file, policy, decoder, layer)
    let color = Self.color(decoder.chromaticities)
    weights = color?.weights ?? SIMD3(Primaries.srgb.luminance)
    var info = StillInfo(
      storedSize: size, bitDepth: layer.isHalf(decoder.channels) ? 16 : 32,
      channels: layer.isGray ? 1 : 3, color: color?.description ?? Self.assumed)
    info.isFloat = true
    info.notes = layer.notes
    if decoder.chromaticities != nil, color == nil {
      info.notes.append("its chromaticities are invalid; sRGB is assumed")
    }
    if layer.alpha != nil { info.alpha = .premultiplied }
    if decoder.parts > 1 {
      info.notes.append("the file has \(decoder.parts) parts; the first picture is read")
    }
    if abs(decoder.pixelAspect - 1) > 1e-3 {
      info.notes.append("its pixels are not square; they are read as square")
    }
    if let header = EXRHeader(file) { info.metadata = CaptureMetadata(header) }
    self.info = info
  }

  private static let assumed = ColorDescription(
    primaries: .srgb, transfer: .linear, origin: .assumed, name: "linear sRGB (assumed)")

  /// The color space of these chromaticities and its luminance weights; nil where they are invalid.
  private static func color(
    _ values: [Double]?
  ) -> (description: ColorDescription, weights: SIMD3<Double>)? {
    guard let v = values, v.count == 8 else { return nil }
    let points = stride(from: 0, to: 8, by: 2).map { Chromaticity(x: v[$0], y: v[$0 + 1]) }
    let (red, green, blue, white) = (points[0], points[1], points[2], points[3])
    func description(_ primaries: Primaries, _ matrix: Matrix3, _ name: String) -> ColorDescription
    {
      ColorDescription(
        primaries: primaries, transfer: .linear, matrix: matrix, origin: .codePoints,
        name: "\(name), linear")
    }
    if v.prefix(6) == [1, 0, 0, 1, 0, 0], white.x > 0, white.y > 0, white.x + white.y < 1 {
      let toD65 = ChromaticAdaptation.bradford(from: white, to: .d65)
      let matrix = Primaries.bt2020.fromXYZ * toD65 * Matrix3(diagonal: white.xyz)
      return (description(.bt2020, matrix, "CIE XYZ"), SIMD3(0, 1, 0))
    }
    guard
      let space = ColorDescription.space(red: red, green: green, blue: blue, white: white),
      let toXYZ = Matrix3(red: red, green: green, blue: blue, white: white)
    else { return nil }
    return (description(space.0, space.1, ColorDescription.name(of: space)), toXYZ.rows[1])
  }

  func picture() throws(ReadError) -> DecodedSamples {
    let (display, data) = (decoder.displayWindow, decoder.dataWindow)
    let size = display.size
    let planes = layer.alpha == nil ? 0 : 1
    let chroma = layer.chroma == nil ? 0 : 2 * MemoryLayout<Float>.stride * data.size.area
    try file.limits.allow(
      size, channels: info.channels + planes, .floats, file: file, ratio: Int.max,
      beside: max(decoder.chunkBytes, 0) + chroma)
    // Allows a plate in a much larger frame; beyond that, a damaged frame would be gigabytes of
    // black.
    let isMostlyBlack = size.area > 1 << 26 && size.area / 16 > data.size.area
    guard data.size.area <= DecodeLimits.maxTiledPixels(size), !isMostlyBlack,
      decoder.chunkCount * 8 <= file.count, decoder.chunkSize.width > 0,
      decoder.chunkSize.height > 0
    else {
      throw ReadError(
        .damaged, "its data window does not match its picture; copy it again", path: file.path)
    }
    let alpha = try layer.alpha.map { (_) throws(ReadError) in
      try DecodedSamples(size: size, channels: 1, format: .floats) { (plane) throws(ReadError) in
        plane.clear()
      }
    }
    let picture = try DecodedSamples(size: size, channels: info.channels, format: .floats) {
      (picture) throws(ReadError) in
      picture.clear()
      let (top, bottom) = (max(data.y, display.y), min(data.endY, display.endY))
      guard top < bottom else { return }
      let rows = top..<bottom
      try ReadError.translating { () throws(FormatError) in
        try fill(picture, alpha, rows)
      }
    }
    if let alpha { picture.add(alpha: alpha, isPremultiplied: true) }
    return picture
  }

  private func fill(
    _ picture: DecodedSamples, _ alpha: DecodedSamples?, _ rows: Range<Int>
  ) throws(FormatError) {
    let (display, data) = (decoder.displayWindow, decoder.dataWindow)
    let wanted = layer.wanted
    var chroma = layer.chroma.map { EXRChroma(decoder.channels[$0.red], data.size) }
    let channels = info.channels
    let skips = policy.reads(.exrChunk)
    let chunks = try unsafe decoder.read(wanted, rows: rows, skipsDamage: skips) { block in
      let number = unsafe wanted[block.channel]
      let rect = unsafe block.rect
      if let found = layer.chroma, number == found.red || number == found.blue {
        for y in 0..<rect.height {
          for x in 0..<rect.width {
            chroma?.set(
              isBlue: number == found.blue, x: rect.x + x, y: rect.y + y, unsafe block.value(x, y))
          }
        }
        return
      }
      let plane = number == layer.alpha ? alpha : picture
      let slot = number == layer.alpha ? 0 : layer.slot(number)
      let step = number == layer.alpha ? 1 : channels
      let left = max(display.x - data.x - rect.x, 0)
      let right = min(display.endX - data.x - rect.x, rect.width)
      for y in 0..<rect.height {
        let line = data.y + rect.y + y - display.y
        guard let plane, (0..<display.height).contains(line), left < right else { continue }
        let row = unsafe plane.row(line).assumingMemoryBound(to: Float.self) + slot
        let first = data.x + rect.x - display.x
        for x in left..<right { unsafe row[(first + x) * step] = unsafe block.value(x, y) }
      }
    }
    if chunks.damaged > 0 {
      picture.add(note: StillInfo.partsNote(chunks.damaged, of: chunks.count, "chunks"))
    }
    guard let chroma else { return }
    for y in rows {
      let row = unsafe picture.row(y - display.y).assumingMemoryBound(to: Float.self)
      for x in max(data.x, display.x)..<max(min(data.endX, display.endX), data.x, display.x) {
        let pixel = unsafe row + 3 * (x - display.x)
        let luma = unsafe pixel[1]
        let (ry, by) = chroma.value(x: x - data.x, y: y - data.y)
        let (red, blue) = ((ry + 1) * luma, (by + 1) * luma)
        let w = SIMD3<Float>(weights)
        unsafe pixel[0] = red
        unsafe pixel[1] = (luma - w.x * red - w.z * blue) / w.y
        unsafe pixel[2] = blue
      }
    }
  }
}
