import Containers
public import ImageCore

/// A one-channel picture in addition to the raw of a DNG: a semantic matte, a depth map or a
/// transparency mask (DNG 1.7.1, chapters 3 and 5). It covers the active area at any resolution.
/// Its properties are available without decoding. Known failure: opcodes that warp or trim the raw
/// are not applied to it.
public struct AuxiliaryPicture: Sendable {
  /// Columns and rows of ``image()``: the part shown in the output, upright.
  public let size: PixelSize
  /// Bits of a stored sample.
  public let bitsPerSample: Int
  /// Whether the stored samples are floating point.
  public let isFloat: Bool

  private let stored: StoredPicture
  private let subArea: AuxiliaryEntry.SubArea?
  private let isShared: Bool
  private let isBeyondLimit: Bool
  private let window: MattePlane.Window
  private let orientation: Orientation
  private let file: RawFile

  package init(_ entry: AuxiliaryEntry, in file: RawFile, orientation: Orientation) {
    stored = entry.stored
    subArea = entry.subArea
    (isShared, isBeyondLimit) = (entry.isShared, entry.isBeyondLimit)
    bitsPerSample = stored.storage.bitsPerSample
    isFloat = stored.storage.isFloat
    self.orientation = orientation
    self.file = file
    let frame = subArea?.frame ?? stored.storage.size
    let (area, crop) = (file.info.size, file.info.crop)
    func scaled(_ length: Int, _ from: Int, _ to: Int) -> Double {
      Double(length * to) / Double(from)
    }
    window = MattePlane.Window(
      x: scaled(crop.x, area.width, frame.width), y: scaled(crop.y, area.height, frame.height),
      width: scaled(crop.width, area.width, frame.width),
      height: scaled(crop.height, area.height, frame.height))
    size = orientation.upright(
      PixelSize(
        width: max(1, Int(window.width.rounded())), height: max(1, Int(window.height.rounded()))))
  }

  /// Decodes the picture, aligned with `RAWFilter.outputImage()`.
  ///
  /// Throws a ``RAWError``: `.damaged`, `.unsupported` or `.tooLarge`; the raw itself may be
  /// intact.
  public func image() throws(RAWError) -> MatteImage {
    let storage = stored.storage
    func refuse(_ code: RAWError.Code, _ what: String) -> RAWError {
      RAWError(code, .decode, what, path: file.bytes.path)
    }
    guard let subArea else {
      throw refuse(
        .damaged, "the MaskSubArea of a matte does not match its size; copy the file again")
    }
    guard !isShared else {
      throw refuse(.damaged, "its auxiliary pictures overlap in the file; copy the file again")
    }
    guard storage.samplesPerPixel == 1, isFloat || (1...16).contains(bitsPerSample) else {
      throw refuse(
        .unsupported,
        "a matte with \(storage.samplesPerPixel) samples of \(bitsPerSample) bits per pixel is not "
          + "supported; export the file again without it")
    }
    guard !isBeyondLimit else {
      throw refuse(
        .tooLarge,
        "with a matte of \(subArea.frame) pixels its auxiliary pictures exceed the limit of "
          + "\(file.maxAuxiliaryPixels) pixels together; export the file again without some")
    }
    guard storage.size.area * 12 + size.area * 8 <= file.limits.maxDecodeBytes else {
      throw refuse(
        .tooLarge, "a matte of \(storage.size) pixels exceeds the memory limit; raise the limit")
    }
    try storage.requireComplete(in: file.bytes)
    let samples = try stored.decode(file.bytes)
    guard samples.rows == storage.size.height, samples.stride == storage.size.width else {
      throw refuse(
        .damaged, "a matte does not have the size that its directory declares; copy the file again")
    }
    let area = PixelRect(
      x: subArea.left, y: subArea.top, width: storage.size.width, height: storage.size.height)
    return MatteImage(
      MattePlane(frame: subArea.frame, stored: area, samples: unit(samples), window: window),
      orientation: orientation, size: size)
  }

  /// The stored samples scaled to 0…1; NaN becomes 0.
  private func unit(_ samples: RawSamples) -> [Float] {
    let width = samples.stride
    let top = Float((1 << min(bitsPerSample, 16)) - 1)
    var values: [Float] = []
    values.reserveCapacity(width * samples.rows)
    for y in 0..<samples.rows {
      for x in 0..<width {
        let value: Float =
          switch samples.format {
          case .uint16: unsafe Float(samples.counts(row: y)[x]) / top
          case .float32: unsafe samples.floats(row: y)[x]
          }
        values.append(value > 0 ? min(value, 1) : 0)
      }
    }
    return values
  }
}
