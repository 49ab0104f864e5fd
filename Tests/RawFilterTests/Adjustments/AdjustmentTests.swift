import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// What holds for every adjustable property, whichever it is.
@Suite struct AdjustmentTests {
  static let names = Adjustment.all.map(\.name)
  static let numbers = Adjustment.all.filter { $0.type is Float.Type }.map(\.name)

  /// Cloth, stripes, specks, strong colors and clipped pixels, with noise.
  static let file: Result<[UInt8], any Error> = Result {
    var sensor = SimulatedSensor()
    (sensor.shotNoise, sensor.readNoise, sensor.defectCount) = (2e-3, 2e-6, 0)
    let writer = sensor.expose(size: PixelSize(width: 128, height: 96)) { x, y in
      let luminance = exp2(Float(x) / 18 - 4)
      let cloth = 1 + 0.3 * sin(Float(x)) * sin(Float(y) * 0.9)
      let stripes = y > 78 ? 1 + 0.8 * sin(Float(x) * 2.9) : 1
      let speck: Float = x % 61 == 30 && y % 53 == 20 ? 4 : 1
      let tint =
        switch y / 24 {
        case 0: SIMD3<Float>(1, 0.05, 0.05)
        case 1: SIMD3<Float>(1, 0.8, 0.7)
        case 2: SIMD3<Float>(0.05, 0.3, 1)
        default: SIMD3<Float>(repeating: 0.8)
        }
      return luminance * tint * cloth * stripes * speck
    }
    return try writer.bytes
  }

  static func filter() throws -> RAWFilter { try RAWFilter(data: Data(file.get())) }

  static func adjustment(_ name: String) throws -> Adjustment {
    try #require(Adjustment.named(name))
  }

  /// Settings in which these keys, as documents write them, have these values; text stands for
  /// numbers that JSON does not have.
  static func settings(_ values: [String: Any]) throws -> RAWSettings {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(
      RAWSettings.self, from: JSONSerialization.data(withJSONObject: values))
  }

  /// The neutral value as documents write it; nil where it is what the file says.
  static func neutral(_ property: RAWProperty) -> Any? {
    switch property.kind {
    case .number: Double(property.neutral)
    case .toggle: property.neutral == "on"
    case .name: property.choices.contains(property.neutral) ? property.neutral : nil
    case .pair, .points: nil
    }
  }

  /// What a property that has no effect alone needs.
  static func companions(_ name: String, look: URL, raw: URL) -> [String: Any] {
    if name == "whitePatch" { return ["whiteFrom": raw.path] }
    // The picture says no shutter, so the neutral one has a patch as well.
    if name == "exposurePatch" { return ["exposureFrom": raw.path, name: "0,0,8,8"] }
    // Without it white is the brightest.
    if name == "extendedDynamicRangeAmount" { return ["isHighlightRecoveryEnabled": true] }
    if name.hasSuffix("Gray") { return ["isBlackAndWhiteEnabled": true] }
    for tones in ColorGrading.Tones.allCases where name == "\(tones.rawValue)Hue" {
      return ["\(tones.rawValue)Saturation": 0.5]
    }
    if name.hasPrefix("grading") { return ["shadowSaturation": 0.5] }
    if name.hasPrefix("vignette") && name != "vignetteAmount" { return ["vignetteAmount": -0.5] }
    if name.hasPrefix("grain") && name != "grainAmount" { return ["grainAmount": 0.5] }
    if name == "lutAmount" { return ["lutPath": look.path] }
    if name == "lutSpace" { return ["lutPath": look.path, "lutAmount": 1] }
    if name == "isCropConstrained" { return ["crop": "0%,0%,50%,100%", "straightenAngle": 10] }
    return [:]
  }

  /// Properties whose values are angles, or one of many patterns.
  static func hasNoOrder(_ property: RAWProperty) -> Bool {
    property.unit == "degrees" || property.name.hasPrefix("grain") && property.name != "grainAmount"
  }

  static var allNeutral: [String: Any] {
    Dictionary(
      uniqueKeysWithValues: RAWProperty.all.compactMap { p in neutral(p).map { (p.name, $0) } })
  }

  /// Values on the way from the neutral one to each end of the range, or the others that there are.
  static func ways(_ adjustment: Adjustment, _ filter: RAWFilter) throws -> [[Any]] {
    let property = adjustment.property
    // There is no chart in the picture.
    if property.name.hasSuffix("Patch") { return [["20,30,16,8"]] }
    switch property.kind {
    case .number where adjustment.type is Float.Type:
      let low = Double(try #require(property.minimum)),
        high = Double(try #require(property.maximum))
      let start = try Double(property.neutral) ?? Double(#require(adjustment.number(in: filter)))
      return [low, high].filter { abs($0 - start) > 1e-6 }.map { end in
        [0.25, 0.5, 0.75, 1].map { (fraction: Double) -> Any in start + fraction * (end - start) }
      }
    case .number: return [[6], [2], [8]]
    case .toggle: return [[property.neutral != "on"]]
    case .name:
      return (property.choices + [property.example]).filter {
        // The scene conflicts with others (RAWSettings+SceneTests), and the picture has no
        // preview (RAWFilter+CameraLookTests).
        ![
          "", property.neutral, RAWLook.scene.rawValue, RAWLook.camera.rawValue,
        ].contains($0)
      }
      .map { [$0] }
    case .points: return [[[0, 0.02, 0.5, 0.6, 1, 1]]]
    case .pair: return adjustment.type is NumberPair<Int>.Type ? [[[40, 36]]] : [[[0.4, 0.42]]]
    }
  }

  static func pixels(_ filter: inout RAWFilter, _ values: [String: Any]) throws
    -> Image<DisplayReferred>
  {
    filter.settings = try settings(values)
    return try filter.outputImage().image
  }

  static func isSame(_ a: Image<DisplayReferred>, _ b: Image<DisplayReferred>) -> Bool {
    a.size == b.size
      && (0..<a.size.area).allSatisfy {
        a[$0 % a.size.width, $0 / a.size.width] == b[$0 % a.size.width, $0 / a.size.width]
      }
  }

  /// Root of the mean squared change in stops; pixels that were taken away for pictures of other
  /// sizes.
  static func change(_ a: Image<DisplayReferred>, _ b: Image<DisplayReferred>) -> Double {
    guard a.size == b.size else { return Double(1 + abs(a.size.area - b.size.area)) }
    var sum = 0.0
    for index in 0..<a.size.area {
      let (x, y) = (index % a.size.width, index / a.size.width)
      for channel in 0..<3 {
        let stops =
          log2(Double(max(b[x, y][channel], 1e-4))) - log2(Double(max(a[x, y][channel], 1e-4)))
        sum += stops * stops
      }
    }
    return (sum / Double(3 * a.size.area)).squareRoot()
  }

  @Test(arguments: names) func theEffectGrowsAndNeutralIsBitIdentical(_ name: String) throws {
    let adjustment = try Self.adjustment(name)
    var filter = try Self.filter()
    filter.outputPrimaries = .srgb
    let isSupported = adjustment.isSupported(by: filter)
    #expect(filter.supportedAdjustments.contains(name) == isSupported)
    // There is no other version; this picture has no lateral color; all values are given.
    let others = [
      "decoderVersion", "isLateralColorCorrectionEnabled", "isAutomaticAdjustmentEnabled",
    ]
    guard isSupported, !others.contains(name) else { return }
    var values = Self.allNeutral
    // What belongs to the look is seen where there is one.
    if name == "outputSharpening" { values["scaleFactor"] = 0.6 }
    if [.tone, .curve].contains(adjustment.stage), name != "boostAmount" {
      values["boostAmount"] = 1
    }
    let look = try LookFixture.cube { $0 * $0 }
    let raw = look.appendingPathExtension("dng")
    try Data(Self.file.get()).write(to: raw)
    defer { LookFixture.remove(look) }
    values.merge(Self.companions(name, look: look, raw: raw)) { $1 }
    let neutral = try Self.pixels(&filter, values)
    for way in try Self.ways(adjustment, filter) {
      var last = 0.0
      for value in way {
        var changed = values
        changed[name] = value
        let change = try Self.change(neutral, Self.pixels(&filter, changed))
        let isOrdered = !Self.hasNoOrder(adjustment.property)
        #expect(!isOrdered || change >= last * 0.999, "\(name) at \(value)")
        last = max(change, last)
      }
      #expect(last > 1e-4, "\(name) to \(way)")
    }
    #expect(Self.isSame(neutral, try Self.pixels(&filter, values)))
  }

  @Test(arguments: names) func codingRoundTrips(_ name: String) throws {
    let adjustment = try Self.adjustment(name)
    var values: [Any] = try Self.ways(adjustment, Self.filter()).flatMap { $0 }
    if values.isEmpty { values = [adjustment.property.choices.first ?? "a name"] }
    for value in values {
      let settings = try Self.settings([name: value])
      let data = try JSONEncoder().encode(settings)
      #expect(try JSONDecoder().decode(RAWSettings.self, from: data) == settings)
      try settings.validate()
    }
    #expect(try Self.settings([name: NSNull()]) == RAWSettings())
    #expect(throws: DecodingError.self) { try Self.settings([name: ["a": 1]]) }
  }

  /// Complete settings, from documents and options, are rejected; the property of a filter clamps.
  @Test(arguments: numbers) func badValuesAreRefusedOrClamped(_ name: String) throws {
    let adjustment = try Self.adjustment(name)
    let low = try #require(adjustment.property.minimum)
    let high = try #require(adjustment.property.maximum)
    guard case .number(let path) = adjustment.accessor else {
      Issue.record("\(name) is no number of the filter")
      return
    }
    func stored(_ filter: RAWFilter) -> Float? {
      filter.settings[keyPath: adjustment.storage] as? Float
    }
    for (bad, nearest) in [(low - 1, low), (high + 1, high), (-1e30, low), (1e30, high)] {
      let settings = try Self.settings([name: Double(bad)])
      let error = #expect(throws: RAWError.self) { try settings.validate() }
      #expect(error?.code == .badSetting && error?.setting == name)
      var filter = try Self.filter()
      filter[keyPath: path] = bad
      #expect(stored(filter) == nearest, "\(name) set to \(bad)")
      try filter.settings.validate()
    }
    for bad in ["nan", "inf", "-inf"] {
      let settings = try Self.settings([name: bad])
      let error = #expect(throws: RAWError.self) { try settings.validate() }
      #expect(error?.code == .badSetting && error?.setting == name)
      var filter = try Self.filter()
      filter[keyPath: path] = high
      let before = filter.settings
      filter[keyPath: path] = try #require(Float(bad))
      #expect(filter.settings == before)
    }
  }

  /// As by setting each property of a new filter, to the bit; what is in range stays.
  @Test(arguments: [Float(-1e30), -1.5, -0.1, 0, 0.3, 1.5, 1e30, .nan, .infinity])
  func clampedIsAsSetOneByOne(value: Float) throws {
    var (wild, filter) = (RAWSettings(), try Self.filter())
    for adjustment in Adjustment.all where adjustment.white == nil {
      guard case .number(let path) = adjustment.accessor else { continue }
      filter[keyPath: path] = value
      if let stored = adjustment.storage as? WritableKeyPath<RAWSettings, Float> {
        wild[keyPath: stored] = value
      } else if let stored = adjustment.storage as? WritableKeyPath<RAWSettings, Float?> {
        wild[keyPath: stored] = value
      }
    }
    #expect(wild.clamped() == filter.settings)
    #expect(wild.clamped().clamped() == wild.clamped())
    try wild.clamped().validate()
    #expect(RAWSettings().clamped() == RAWSettings())
  }

  @Test func whitesAreClamped() throws {
    func clamped(_ white: WhiteBalance) -> WhiteBalance {
      var settings = RAWSettings()
      settings.neutral = white
      return settings.clamped().neutral
    }
    #expect(clamped(.temperature(kelvin: 1, tint: 900)) == .temperature(kelvin: 2000, tint: 150))
    #expect(clamped(.temperature(kelvin: .nan, tint: 5)) == .temperature(kelvin: nil, tint: 5))
    #expect(clamped(.temperature(kelvin: .infinity, tint: nil)) == .asShot)
    #expect(clamped(.location(PixelPoint(x: -3, y: 7))) == .location(PixelPoint(x: 0, y: 7)))
    #expect(clamped(.chromaticity(Chromaticity(x: .nan, y: 0.3))) == .asShot)
    for x in [-1.0, 0.3, 0.95, 7] {
      for y in [-1.0, 0.4, 0.95, 7] {
        let white = Chromaticity(x: x, y: y)
        var filter = try Self.filter()
        filter.neutralChromaticity = white
        #expect(clamped(.chromaticity(white)) == filter.settings.neutral)
        try filter.settings.validate()
      }
    }
  }

  /// What no number is for stays, and is refused.
  @Test func whatIsNoNumberIsNotClamped() {
    var settings = RAWSettings()
    settings.frameNumber = 999
    #expect(settings.clamped() == settings)
    let error = #expect(throws: RAWError.self) { try settings.clamped().validate() }
    #expect(error?.message == "frameNumber is 999; it takes 1 to 128")
  }

  /// Stages that are made of numbers refuse what documents refuse, in the same words.
  @Test func stagesRefuseWhatTheirRowRefuses() throws {
    var settings = RAWSettings()
    settings.detailAmount = 3.1
    let document = #expect(throws: RAWError.self) { try settings.validate() }
    let stage = #expect(throws: RAWError.self) { try FineDetail.Settings(amount: 3.1) }
    #expect(document?.message == stage?.message && stage?.setting == "detailAmount")
  }

  /// Of each property, reset by its row alone, the settings of a stage in front of it know nothing.
  @Test(arguments: names) func settingsEndAtTheirStage(_ name: String) throws {
    let adjustment = try Self.adjustment(name)
    for way in try Self.ways(adjustment, Self.filter()) {
      guard let last = way.last else { continue }
      let changed = try Self.settings([name: last])
      #expect(changed.upTo(adjustment.stage) == changed)
      #expect(changed.resetting { $0.name == name } == RAWSettings())
      guard let before = Adjustment.Stage(rawValue: adjustment.stage.rawValue - 1) else { continue }
      let left = changed.upTo(before)
      #expect(left == (adjustment.actsBefore ? changed : RAWSettings()))
    }
  }

  @Test func eachIsInEveryOrderOnce() {
    #expect(Set(Self.names).count == Self.names.count)
    #expect(Adjustment.declared.map(\.name).sorted() == Self.names.sorted())
    #expect(RAWProperty.all.map(\.name).sorted() == Self.names.sorted())
    #expect(Adjustment.whites.map { $0.map(\.name) }.joined().count == 7)
  }
}
