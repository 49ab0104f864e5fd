import HDRRender
import ImageCore

/// What a movie is: read by ffprobe, checked before anything is decoded.
struct MovieInfo: Sendable, Hashable {
  let size: PixelSize
  /// As stored, in the stream's own format.
  let pixelFormat: PixelFormat
  let rate: FrameRate
  /// Frames as the file counts them; nil where it does not.
  let frames: Int?
  let transfer: DynamicRangeMix.Transfer
  let primaries: Primaries
  /// MatrixCoefficients of H.273, of those that are read.
  let matrix: Matrix
  let isFullRange: Bool
  /// Mastering display and content light levels.
  let metadata: HDRMetadata
  let timecode: Timecode?
  /// Quarter turns clockwise by which it is shown.
  let turns: Int
  let notes: [String]

  enum Matrix: Sendable, Hashable {
    case rgb, bt601, bt709, bt2020
  }

  /// The planes of a frame.
  struct PixelFormat: Sendable, Hashable {
    let name: String
    let bits: Int
    /// Columns and rows of luma for each of chroma, as powers of two; nil for gray.
    let chroma: (x: Int, y: Int)?
    let isRGB: Bool

    static func == (a: Self, b: Self) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// yuv420p10le, yuvj422p, gbrp12le, gray10le and their like; nil for others, as packed ones.
    init?(_ name: String) {
      var stem = name
      if stem.hasSuffix("be") { return nil }
      if stem.hasSuffix("le") { stem.removeLast(2) }
      func bits(_ digits: Substring) -> Int? {
        digits.isEmpty ? 8 : Int(digits).flatMap { [9, 10, 12, 14, 16].contains($0) ? $0 : nil }
      }
      let shapes: [(String, (Int, Int)?, Bool)] = [
        ("yuvj420p", (1, 1), false), ("yuvj422p", (1, 0), false), ("yuvj444p", (0, 0), false),
        ("yuv420p", (1, 1), false), ("yuv422p", (1, 0), false), ("yuv444p", (0, 0), false),
        ("gbrp", (0, 0), true), ("gray", nil, false),
      ]
      guard let shape = shapes.first(where: { stem.hasPrefix($0.0) }),
        let found = bits(stem.dropFirst(shape.0.count))
      else { return nil }
      (self.name, self.bits, chroma, isRGB) = (name, found, shape.1, shape.2)
    }

    /// Columns and rows of a plane of chroma.
    func chromaSize(_ size: PixelSize) -> PixelSize {
      guard let chroma else { return PixelSize(width: 0, height: 0) }
      return PixelSize(
        width: (size.width + (1 << chroma.x) - 1) >> chroma.x,
        height: (size.height + (1 << chroma.y) - 1) >> chroma.y)
    }

    /// Bytes of a frame.
    func bytes(_ size: PixelSize) -> Int {
      (size.area + 2 * chromaSize(size).area) * (bits > 8 ? 2 : 1)
    }
  }

  /// The HDR kind for the rules of mixed sources.
  var range: DynamicRangeMix {
    let hasMetadata = metadata.masteringDisplay != nil || metadata.contentLight != nil
    return DynamicRangeMix(
      transfer, metadata: transfer == .pq && hasMetadata ? .fixed : .none)
  }

  /// The largest value, a ratio to white.
  var headroom: Double {
    switch transfer {
    case .standard: 1
    case .hlg: Double(ReferenceWhite.hlgHeadroom)
    case .pq:
      min(
        max(
          [metadata.contentLight?.maximumNits, metadata.masteringDisplay?.maximumNits]
            .compactMap { $0 }.first { $0 > 0 } ?? PQ.peakNits, ReferenceWhite.nits),
        PQ.peakNits) / ReferenceWhite.nits
    }
  }
}

extension MovieInfo {
  /// The movie at `path`. Throws where it is none, or cannot be read as it is.
  init(path: String, _ tools: FilmTools, _ limits: DecodeLimits) throws(FilmError) {
    func refuse(_ message: String) -> FilmError { FilmError(.badInput, message, path: path) }
    let report: ProbeReport
    do throws(FilmError) {
      report = try ProbeReport.read(path, .pictures, ProbeReport.firstFrame, tools)
    } catch {
      if error.code == .cancelled || error.code == .noEncoder { throw error }
      throw refuse(
        "this is no movie, or is damaged: \(error.message); copy it again from its source")
    }
    guard let stream = report.streams?.first, let width = stream.width, let height = stream.height
    else { throw refuse("there is no picture in this movie; name another") }
    guard (1...FilmFraming.largestSide).contains(width),
      (1...FilmFraming.largestSide).contains(height), width * height <= limits.maxPixels
    else { throw refuse("its frames of \(width) x \(height) pixels are over the limit") }
    guard let format = stream.pixFmt.flatMap(PixelFormat.init) else {
      throw refuse(
        "its pixel format \(stream.pixFmt ?? "") is not supported; convert it by ffmpeg first")
    }
    guard
      let rate =
        (stream.avgFrameRate.flatMap(FrameRate.init)
          ?? stream.rFrameRate.flatMap(FrameRate.init))
    else { throw refuse("it has no frame rate; convert it by ffmpeg first") }
    (size, pixelFormat, self.rate) = (PixelSize(width: width, height: height), format, rate)
    frames = stream.nbFrames.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    var notes: [String] = []
    switch stream.colorTransfer {
    case "smpte2084": transfer = .pq
    case "arib-std-b67": transfer = .hlg
    case "bt709", "iec61966-2-1", "smpte170m", "bt2020-10", "bt2020-12", nil: transfer = .standard
    case let other?:
      transfer = .standard
      if other != "unknown" { notes.append("its transfer \(other) is read as that of BT.709") }
    }
    switch stream.colorPrimaries {
    case "bt2020": primaries = .bt2020
    case "smpte432": primaries = .displayP3
    case "bt709", "smpte170m", "bt470bg": primaries = .srgb
    default: primaries = transfer == .standard ? .srgb : .bt2020
    }
    switch stream.colorSpace {
    case "gbr": matrix = .rgb
    case "bt2020nc": matrix = .bt2020
    case "bt709": matrix = .bt709
    case "smpte170m", "bt470bg": matrix = .bt601
    case let other? where ["bt2020c", "ictcp", "ycgco", "smpte2085"].contains(other):
      throw refuse("its color matrix \(other) is not supported; convert it by ffmpeg first")
    default: matrix = format.isRGB ? .rgb : transfer == .standard ? .bt709 : .bt2020
    }
    isFullRange =
      stream.colorRange == "pc" || format.name.hasPrefix("yuvj")
      || format.isRGB && stream.colorRange != "tv"
    if let order = stream.fieldOrder, !["progressive", "unknown"].contains(order) {
      notes.append("it is interlaced, and its fields are taken as frames")
    }
    timecode = stream.tags?["timecode"].flatMap { Timecode($0) }
    let boxes = stream.sideDataList ?? []
    // Where box and message differ, the box counts, as for players.
    let all = boxes + (report.frames?.first?.sideDataList ?? [])
    turns = boxes.compactMap(\.rotation).first.map { ((-$0 / 90) % 4 + 4) % 4 } ?? 0
    metadata = Self.metadata(all)
    self.notes = notes
  }

  private static func metadata(_ all: [ProbeReport.SideData]) -> HDRMetadata {
    func number(_ text: String?) -> Double? {
      let parts = (text ?? "").split(separator: "/").compactMap { Double($0) }
      return parts.count == 2 && parts[1] != 0 ? parts[0] / parts[1] : parts.first
    }
    func point(_ x: String?, _ y: String?) -> Chromaticity? {
      if let x = number(x), let y = number(y) { Chromaticity(x: x, y: y) } else { nil }
    }
    var found = HDRMetadata()
    for data in all {
      if found.contentLight == nil, let maximum = data.maxContent, let mean = data.maxAverage {
        found.contentLight = .init(maximumNits: Double(maximum), averageNits: Double(mean))
      }
      if found.masteringDisplay == nil, let red = point(data.redX, data.redY),
        let green = point(data.greenX, data.greenY), let blue = point(data.blueX, data.blueY),
        let white = point(data.whitePointX, data.whitePointY),
        let maximum = number(data.maxLuminance), let minimum = number(data.minLuminance)
      {
        found.masteringDisplay = .init(
          red: red, green: green, blue: blue, white: white, maximumNits: maximum,
          minimumNits: minimum)
      }
    }
    return found
  }
}
