package import Containers
package import ImageCore

/// The raw picture, levels, colors and crop declared by a DNG file (DNG 1.7.1, chapters 3–6). Tags
/// are looked up in the raw directory first, then in IFD 0, since writers differ in where they
/// store them.
package struct DNGTags: Sendable {
  /// Whether the file stores its samples big-endian.
  package let bigEndian: Bool
  package let storage: RawStorage
  /// Number of frames in the file.
  package let frameCount: Int
  /// DNGVersion, four numbers.
  package let version: [Int]
  /// DNGBackwardVersion, four numbers.
  package let backwardVersion: [Int]
  package let uniqueCameraModel: String?
  package let orientation: Orientation
  package let levels: DNGLevels
  /// Camera profiles: the primary one, then those of ExtraCameraProfiles.
  package let profiles: [DNGProfile]
  /// The profile that AsShotProfileName names, else the primary one.
  package let defaultProfileIndex: Int
  /// Camera values of a neutral as shot; empty for none.
  package let asShotNeutral: [Double]
  /// CFA pattern from the active area's corner; nil for pictures without a mosaic.
  package let cfa: CFA?
  /// CFALayout: 1 for a rectangular grid.
  package let cfaLayout: Int
  /// Part of the stored picture that is exposed to light.
  package let activeArea: PixelRect
  /// The default crop relative to `activeArea`, rounded as in the DNG SDK: DefaultCrop, and
  /// DefaultUserCrop within it.
  package let defaultCrop: PixelRect
  /// Width of a pixel over its height, from DefaultScale.
  package let pixelAspect: Double
  /// BaselineExposure in stops, without the offset of a profile; nil if absent.
  package let baselineExposure: Double?
  /// ShadowScale: 1 unless given.
  package let shadowScale: Double
  /// Fraction of full scale up to which the sensor is linear.
  package let linearResponseLimit: Double
  /// NoiseProfile: pairs (S, O) with variance S·x + O for x in 0…1.
  package let noiseProfile: [(scale: Double, offset: Double)]
  /// NoiseReductionApplied: fraction of the noise that has already been removed, 0…1; 0 if unknown.
  package let noiseReductionApplied: Double
  /// Ratio of the side length of a proxy to the original, 0…1, from OriginalDefaultFinalSize. 1 if
  /// it is no proxy.
  package let proxyScale: Double
  /// LinearizationTable; empty for none.
  package let linearizationTable: [UInt16]
  /// The three opcode lists as stored, empty for none.
  package let opcodeLists: [[UInt8]]
  /// Warnings about ignored damaged tags, one sentence each.
  package let warnings: [String]

  /// Limit of BaselineExposure and its offset in stops; larger values are invalid.
  static let maxStops = 32.0

  /// A version; nil for other counts.
  private static func fourNumbers(_ entry: TIFFEntry?) -> [Int]? {
    entry?.integers.flatMap { $0.count == 4 ? $0 : nil }
  }

  /// The DNG tags in `tiff` for frame `frame`, starting at 1; nil if the file is not a DNG. Throws
  /// if there is no such raw picture.
  package init?(_ tiff: TIFFFile, frame: Int = 1, path: String?) throws(RAWError) {
    let main = tiff.first
    guard let version = Self.fourNumbers(main[DNGTag.version]) else { return nil }
    self.version = version
    bigEndian = tiff.bigEndian
    backwardVersion =
      Self.fourNumbers(main[DNGTag.backwardVersion]) ?? [version[0], version[1], 0, 0]
    let frames = Self.rawDirectories(in: tiff)
    frameCount = frames.count
    guard let raw = frames.dropFirst(frame - 1).first, let storage = RawStorage(raw) else {
      throw RAWError(
        tiff.pointsOutside ? .damaged : .unsupported, .open,
        tiff.pointsOutside
          ? "the directory of its raw picture lies beyond the end of the file; copy the file again"
          : "this DNG has no raw picture, only previews; use the original raw", path: path)
    }
    func tag(_ number: UInt16) -> TIFFEntry? { raw[number] ?? main[number] }
    self.storage = storage
    uniqueCameraModel = tag(DNGTag.uniqueCameraModel)?.name
    orientation =
      (main[TIFFTag.orientation] ?? raw[TIFFTag.orientation])?.integer.flatMap(
        Orientation.init(rawValue:)) ?? .up
    linearizationTable = (tag(DNGTag.linearizationTable)?.integers ?? []).map {
      UInt16(clamping: $0)
    }
    opcodeLists = [DNGTag.opcodeList1, DNGTag.opcodeList2, DNGTag.opcodeList3].map {
      raw[$0]?.bytes ?? []
    }
    cfaLayout = raw[DNGTag.cfaLayout]?.integer ?? 1

    let storedArea = PixelRect(storage.size)
    var area = storedArea
    if let v = raw[DNGTag.activeArea]?.integers, v.count == 4,
      v.allSatisfy({ $0 >= 0 && $0 < 1 << 24 })
    {
      let given = PixelRect(x: v[1], y: v[0], width: v[3] - v[1], height: v[2] - v[0])
      // An empty area means the complete picture.
      if given.width != 0 || given.height != 0 { area = given }
    }
    guard !area.isEmpty, storedArea.contains(area) else {
      throw RAWError(
        .damaged, .open,
        "its ActiveArea lies outside its picture of \(storage.size); copy the file again",
        path: path)
    }
    activeArea = area
    defaultCrop = Self.userCrop(
      tag(DNGTag.defaultUserCrop)?.numbers,
      in: Self.crop(
        origin: raw[DNGTag.defaultCropOrigin]?.numbers, size: raw[DNGTag.defaultCropSize]?.numbers,
        in: area.size))
    let scale = raw[DNGTag.defaultScale]?.numbers ?? []
    pixelAspect = scale.count == 2 ? RawInfo.plausibleAspect(scale[0] / scale[1]) : 1
    let stops = tag(DNGTag.baselineExposure)?.number
    baselineExposure = stops.flatMap { abs($0) <= Self.maxStops ? $0 : nil }
    var warnings: [String] = []
    if stops != nil && baselineExposure == nil {
      warnings.append("its BaselineExposure is invalid and was ignored; copy the file again")
    }
    if raw[TIFFTag.newSubfileType]?.integer == Self.enhanced {
      warnings.append(
        "the enhanced picture is developed, not the mosaic that the file may also contain")
    }
    shadowScale = tag(DNGTag.shadowScale)?.number.flatMap { $0 > 0 ? $0 : nil } ?? 1
    linearResponseLimit = tag(DNGTag.linearResponseLimit)?.number ?? 1
    let noise = tag(DNGTag.noiseProfile)?.numbers ?? []
    noiseProfile = stride(from: 0, to: noise.count - 1, by: 2).map { (noise[$0], noise[$0 + 1]) }
    let applied = tag(DNGTag.noiseReductionApplied)?.number ?? 0
    noiseReductionApplied = applied.isFinite ? min(max(applied, 0), 1) : 0
    let original =
      (main[DNGTag.originalDefaultFinalSize] ?? raw[DNGTag.originalDefaultFinalSize])?.integers?
      .max() ?? 0
    let longest = max(defaultCrop.width, defaultCrop.height)
    proxyScale = original > longest ? Double(longest) / Double(original) : 1
    cfa = storage.photometric == TIFFTag.Photometric.colorFilterArray ? Self.pattern(raw) : nil
    levels = try DNGLevels(raw, storage: storage, active: area.size, path: path)
    if levels.hasBlackLeftOut {
      warnings.append(
        "its BlackLevel does not match its BlackLevelRepeatDim and was ignored; copy the file again"
      )
    }
    asShotNeutral = (main[DNGTag.asShotNeutral] ?? raw[DNGTag.asShotNeutral])?.numbers ?? []
    let list = try DNGProfileList(tiff, raw: raw)
    profiles = list.profiles
    self.warnings = warnings + list.warnings
    defaultProfileIndex = list.defaultIndex
  }

  /// The first of ``rawDirectories(in:)``.
  package static func rawDirectory(in tiff: TIFFFile) -> TIFFDirectory? {
    rawDirectories(in: tiff).first
  }

  /// NewSubFileType of a picture derived from the mosaic by Adobe's programs: denoised, demosaiced,
  /// or enlarged.
  private static let enhanced = 16

  /// The enhanced picture if there is one; else the largest with NewSubFileType 0 and a raw
  /// photometric interpretation, and others with the same storage: the frames.
  static func rawDirectories(in tiff: TIFFFile) -> [TIFFDirectory] {
    let made = tiff.directories.filter {
      $0[TIFFTag.newSubfileType]?.integer == enhanced
        && $0[TIFFTag.photometricInterpretation]?.integer == TIFFTag.Photometric.linearRaw
    }
    if let largest = made.max(by: {
      (RawStorage($0)?.size.area ?? 0) < (RawStorage($1)?.size.area ?? 0)
    }) {
      return [largest]
    }
    let all = tiff.directories
      .filter { directory in
        directory.role != .exif && directory.role != .gps
          && (directory[TIFFTag.newSubfileType]?.integer ?? 0) == 0
          && [TIFFTag.Photometric.colorFilterArray, TIFFTag.Photometric.linearRaw].contains(
            directory[TIFFTag.photometricInterpretation]?.integer)
      }
    let first = all.max { (RawStorage($0)?.size.area ?? 0) < (RawStorage($1)?.size.area ?? 0) }
    func kind(_ directory: TIFFDirectory?) -> [[Int]?] {
      ([
        TIFFTag.imageWidth, TIFFTag.imageLength, TIFFTag.bitsPerSample,
        TIFFTag.photometricInterpretation, TIFFTag.samplesPerPixel, DNGTag.cfaPattern,
        DNGTag.activeArea, DNGTag.defaultCropOrigin, DNGTag.defaultCropSize,
      ] as [UInt16]).map {
        directory?[$0]?.integers(atMost: 64)
      }
    }
    let wanted = kind(first)
    return all.filter { $0.role == first?.role && kind($0) == wanted }
  }

  /// Origin and size rounded separately and moved inside, as in the DNG SDK.
  private static func crop(origin: [Double]?, size: [Double]?, in area: PixelSize) -> PixelRect {
    guard let size, size.count == 2, size.allSatisfy({ $0 >= 1 && $0 < 1e7 }) else {
      return PixelRect(area)
    }
    let origin = origin.flatMap { $0.count == 2 ? $0 : nil } ?? [0, 0]
    func span(_ from: Double, _ length: Double, _ limit: Int) -> (Int, Int) {
      let extent = min(Int(length.rounded()), limit)
      let start = Int(min(max(from, 0), 1e7).rounded())
      return (min(start, limit - extent), extent)
    }
    let (x, width) = span(origin[0], size[0], area.width)
    let (y, height) = span(origin[1], size[1], area.height)
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  /// DefaultUserCrop: top, left, bottom and right as fractions of `crop`, edges rounded.
  private static func userCrop(_ edges: [Double]?, in crop: PixelRect) -> PixelRect {
    guard let edges, edges.count == 4, edges.allSatisfy({ (0...1).contains($0) }),
      edges[0] < edges[2], edges[1] < edges[3]
    else { return crop }
    func span(_ from: Double, _ to: Double, _ length: Int) -> (Int, Int) {
      let start = min(Int((from * Double(length)).rounded()), length - 1)
      return (start, max(Int((to * Double(length)).rounded()) - start, 1))
    }
    let (y, height) = span(edges[0], edges[2], crop.height)
    let (x, width) = span(edges[1], edges[3], crop.width)
    return PixelRect(x: crop.x + x, y: crop.y + y, width: width, height: height)
  }

  /// CFAPattern in plane order (CFAPlaneColor); nil if it is missing or invalid.
  private static func pattern(_ raw: TIFFDirectory) -> CFA? {
    guard let dimensions = raw[DNGTag.cfaRepeatPatternDim]?.integers, dimensions.count == 2,
      (1...32).contains(dimensions[0]), (1...32).contains(dimensions[1]),
      let colors = raw[DNGTag.cfaPattern]?.integers, colors.count == dimensions[0] * dimensions[1]
    else { return nil }
    let planes = raw[DNGTag.cfaPlaneColor]?.integers ?? [0, 1, 2]
    let channels = colors.compactMap { planes.firstIndex(of: $0) }.filter { $0 < 4 }
    guard channels.count == colors.count else { return nil }
    return CFA(
      width: dimensions[1], height: dimensions[0], channels: channels.map { UInt8($0) })
  }
}
