import Containers
import ImageCore
import RawDecode

/// The DNG tags of a raw that is not a DNG: levels, mosaic, crop and colors.
///
/// Matrices are those used for developing the raw: under D65, and under illuminant A if the camera
/// table has one, each with the ForwardMatrix that the reader derives
/// (``CameraProfile/Calibration``), so that a DNG renders like its source. A mosaic has one
/// WhiteLevel. If channels saturate at different values, the ratios are stored in AnalogBalance and
/// AsShotNeutral, which preserves colors.
struct DNGCamera {
  private let info: RawInfo
  private let data: SensorData
  private let make: DNGFields

  init(_ info: RawInfo, _ data: SensorData, _ make: DNGFields) {
    (self.info, self.data, self.make) = (info, data, make)
  }

  func add(to main: inout DNGDirectory, picture: inout DNGDirectory) {
    main.add(make.text(DNGTag.uniqueCameraModel, info.cameraName))
    addColors(to: &main)
    addLevels(to: &picture)
    if case .mosaic(let cfa) = data.layout {
      picture.fields += [
        make.shorts(DNGTag.cfaRepeatPatternDim, [cfa.height, cfa.width]),
        make.bytes(DNGTag.cfaPattern, cfa.channels.map { color(Int($0)) }),
        make.bytes(DNGTag.cfaPlaneColor, info.filterColors), make.short(DNGTag.cfaLayout, 1),
      ]
    }
    addAreas(to: &picture)
    picture.add(make.longs(DNGTag.maskedAreas, MaskedBorders(info, data).edges))
    picture.add(make.rationals(DNGTag.defaultScale, [info.pixelAspect, 1]))
  }

  /// Replaces areas and levels of the mosaic by those of a linear picture.
  func replaceMosaic(in picture: inout DNGDirectory) {
    picture.fields.removeAll { DNGTag.ofMosaic.contains($0.tag) }
    addLevels(to: &picture)
    addAreas(to: &picture)
  }

  /// Replaces areas and levels of the raw by those of merged samples.
  func replaceSamples(in picture: inout DNGDirectory, _ main: inout DNGDirectory) {
    for tags in [DNGTag.ofStoredSamples, DNGTag.ofOneExposure] {
      picture.fields.removeAll { tags.contains($0.tag) }
      main.fields.removeAll { tags.contains($0.tag) }
    }
    addLevels(to: &picture)
    let active = info.activeArea
    picture.add(make.longs(DNGTag.activeArea, [active.y, active.x, active.endY, active.endX]))
  }

  /// Replaces the copied levels.
  func replaceLevels(in picture: inout DNGDirectory) {
    let tags: Set<UInt16> = [
      DNGTag.blackLevelRepeatDim, DNGTag.blackLevel, DNGTag.whiteLevel, DNGTag.blackLevelDeltaH,
      DNGTag.blackLevelDeltaV,
    ]
    picture.fields.removeAll { tags.contains($0.tag) }
    addLevels(to: &picture)
    func add(_ tag: UInt16, _ deltas: [Float]) {
      picture.add(make.signedRationals(tag, deltas.map { Double($0) }))
    }
    add(DNGTag.blackLevelDeltaH, data.levels.deltaColumn)
    add(DNGTag.blackLevelDeltaV, data.levels.deltaRow)
  }

  private func addAreas(to picture: inout DNGDirectory) {
    let active = info.activeArea
    let crop = Self.crop(info)
    picture.fields += [
      make.longs(DNGTag.activeArea, [active.y, active.x, active.endY, active.endX]),
      make.longs(DNGTag.defaultCropOrigin, [crop.x, crop.y]),
      make.longs(DNGTag.defaultCropSize, [crop.width, crop.height]),
    ]
  }

  /// The default crop: the part that the camera delivers, if declared.
  static func crop(_ info: RawInfo) -> PixelRect { info.cameraFrame ?? info.crop }

  private func color(_ channel: Int) -> UInt8 {
    info.filterColors.indices.contains(channel) ? info.filterColors[channel] : 1
  }

  private var highestBlack: Double {
    Double(
      (data.levels.black.max() ?? 0) + (data.levels.deltaColumn.max() ?? 0)
        + (data.levels.deltaRow.max() ?? 0))
  }

  /// White level of each channel.
  private var whites: [Double] {
    (0..<channels).map { (highestBlack + 1 / Double(data.levels.scale[$0])).rounded() }
  }

  private var channels: Int {
    switch data.layout {
    case .mosaic(let cfa): max(cfa.channelCount, info.filterColors.count)
    case .monochrome: 1
    case .linear: 3
    }
  }

  private func addLevels(to picture: inout DNGDirectory) {
    let levels = data.levels
    let planes = data.samplesPerPixel
    let (width, height) = pattern(planes)
    var black: [Double] = []
    for y in 0..<height {
      for x in 0..<width {
        for plane in 0..<planes {
          black.append(Double(levels.black[(y * levels.patternWidth + x) * planes + plane]))
        }
      }
    }
    picture.fields += [
      make.shorts(DNGTag.blackLevelRepeatDim, [height, width]),
      black.allSatisfy { $0 >= 0 && $0 == $0.rounded() }
        ? make.longs(DNGTag.blackLevel, black.map { Int($0) })
        : make.rationals(DNGTag.blackLevel, black.map { max($0, 0) }),
    ]
    let white = whites
    let stored = planes == 3 ? white : [white.max() ?? 65535]
    picture.fields.append(make.longs(DNGTag.whiteLevel, stored.map { Int($0) }))
  }

  /// Smallest number of columns and rows after which black repeats.
  private func pattern(_ planes: Int) -> (width: Int, height: Int) {
    let levels = data.levels
    let (columns, rows) = (levels.patternWidth, levels.patternHeight)
    func black(_ x: Int, _ y: Int, _ plane: Int) -> Float {
      levels.black[(y * columns + x) * planes + plane]
    }
    func repeats(_ width: Int, _ height: Int) -> Bool {
      (0..<rows).allSatisfy { y in
        (0..<columns).allSatisfy { x in
          (0..<planes).allSatisfy { black(x, y, $0) == black(x % width, y % height, $0) }
        }
      }
    }
    let width = (1...columns).first { columns % $0 == 0 && repeats($0, rows) } ?? columns
    let height = (1...rows).first { rows % $0 == 0 && repeats(width, $0) } ?? rows
    return (width, height)
  }

  private func addColors(to main: inout DNGDirectory) {
    guard data.layout != .monochrome else { return }
    // Channels that saturate earlier have larger linear values.
    let scales = (0..<channels).map { Double(data.levels.scale[$0]) }
    let common = data.layout == .linear ? scales : scales.map { _ in scales.min() ?? 1 }
    let ratios = zip(common, scales).map { $0 / $1 }
    func scaled(_ values: [Double]) -> [Double] {
      zip(values, ratios + values.map { _ in 1 }).map { $0 * $1 }
    }
    let balance = info.capture.analogBalance
    if !balance.isEmpty || ratios.contains(where: { $0 != 1 }) {
      main.add(
        make.rationals(
          DNGTag.analogBalance, scaled(balance.isEmpty ? ratios.map { _ in 1 } : balance)))
    }
    if !info.capture.neutral.isEmpty {
      let neutral = scaled(info.capture.neutral)
      let largest = neutral.max() ?? 1
      main.add(make.rationals(DNGTag.asShotNeutral, neutral.map { $0 / largest }))
    }
    let matrices = info.cameraMatrices
    guard !matrices.daylight.isEmpty else { return }
    let warm = CameraProfile.Calibration.illuminantA(matrices.tungsten)
    let cold = CameraProfile.Calibration.daylight(matrices.daylight)
    // EXIF LightSource 17: illuminant A, 21: D65.
    var sets: [(illuminant: Int, matrix: [Double], forward: Matrix3?)] = [
      (21, matrices.daylight, cold?.forwardMatrix)
    ]
    if let warm { sets.insert((17, matrices.tungsten, warm.forwardMatrix), at: 0) }
    for (index, set) in sets.enumerated() {
      let first = index == 0
      main.add(
        make.signedRationals(first ? DNGTag.colorMatrix1 : DNGTag.colorMatrix2, set.matrix))
      main.add(
        make.short(
          first ? DNGTag.calibrationIlluminant1 : DNGTag.calibrationIlluminant2, set.illuminant))
      guard let forward = set.forward, channels == 3 else { continue }
      main.add(
        make.signedRationals(
          first ? DNGTag.forwardMatrix1 : DNGTag.forwardMatrix2,
          forward.rows.flatMap { row in
            (0..<3).map { (row[$0] * 10000).rounded(.toNearestOrAwayFromZero) / 10000 }
          }))
    }
  }
}
