import ImageCore

/// As recipes store it: one key for each property, under the name that it has in ``RAWProperty``. An
/// absent key has its default; so has one whose value is null. At most one way of naming the white may
/// be there.
extension RAWSettings: Codable {
  private enum Key: String, CodingKey {
    case exposure, baselineExposure, shadowBias, boostAmount, boostShadowAmount
    case localToneMapAmount, isLensCorrectionEnabled, profileName, profilePath
    case demosaicMethod, luminanceNoiseReductionAmount, colorNoiseReductionAmount, despeckleAmount
    case moireReductionAmount, sharpnessAmount, detailAmount, contrastAmount
    case isHighlightRecoveryEnabled, isGamutMappingEnabled, extendedDynamicRangeAmount
    case orientation, scaleFactor, isDraftModeEnabled, decoderVersion
    case neutralTemperature, neutralTint, neutralChromaticity, neutralLocation
    case isAutomaticWhiteBalanceEnabled
  }

  /// A stored property that is coded as it is.
  private struct Field: Sendable {
    let read: @Sendable (KeyedDecodingContainer<Key>, inout RAWSettings) throws -> Void
    let write: @Sendable (RAWSettings, inout KeyedEncodingContainer<Key>) throws -> Void

    init<T: Codable & Sendable>(
      _ key: Key, _ path: any WritableKeyPath<RAWSettings, T> & Sendable
    ) {
      read = { values, settings in
        if let value = try values.decodeIfPresent(T.self, forKey: key) {
          settings[keyPath: path] = value
        }
      }
      write = { settings, values in try values.encode(settings[keyPath: path], forKey: key) }
    }

    init<T: Codable & Sendable>(
      _ key: Key, _ path: any WritableKeyPath<RAWSettings, T?> & Sendable
    ) {
      read = { values, settings in
        settings[keyPath: path] = try values.decodeIfPresent(T.self, forKey: key)
      }
      write = { settings, values in
        try values.encodeIfPresent(settings[keyPath: path], forKey: key)
      }
    }
  }

  private static let fields = [
    Field(.exposure, \.exposure), Field(.baselineExposure, \.baselineExposure),
    Field(.shadowBias, \.shadowBias), Field(.boostAmount, \.boostAmount),
    Field(.boostShadowAmount, \.boostShadowAmount),
    Field(.localToneMapAmount, \.localToneMapAmount),
    Field(.demosaicMethod, \.demosaicMethod),
    Field(.luminanceNoiseReductionAmount, \.luminanceNoiseReductionAmount),
    Field(.colorNoiseReductionAmount, \.colorNoiseReductionAmount),
    Field(.despeckleAmount, \.despeckleAmount),
    Field(.moireReductionAmount, \.moireReductionAmount),
    Field(.sharpnessAmount, \.sharpnessAmount), Field(.detailAmount, \.detailAmount),
    Field(.contrastAmount, \.contrastAmount),
    Field(.isLensCorrectionEnabled, \.isLensCorrectionEnabled),
    Field(.profileName, \.profileName), Field(.profilePath, \.profilePath),
    Field(.isHighlightRecoveryEnabled, \.isHighlightRecoveryEnabled),
    Field(.isGamutMappingEnabled, \.isGamutMappingEnabled),
    Field(.extendedDynamicRangeAmount, \.extendedDynamicRangeAmount),
    Field(.orientation, \.orientation), Field(.scaleFactor, \.scaleFactor),
    Field(.isDraftModeEnabled, \.isDraftModeEnabled), Field(.decoderVersion, \.decoderVersion),
  ]

  /// Reads the settings; absent keys keep their default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init()
    for field in Self.fields { try field.read(values, &self) }
    neutral = try Self.neutral(values)
  }

  /// Writes the settings; those that follow the file are left out.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    for field in Self.fields { try field.write(self, &values) }
    switch neutral {
    case .asShot: break
    case .automatic: try values.encode(true, forKey: .isAutomaticWhiteBalanceEnabled)
    case .temperature(let kelvin, let tint):
      try values.encodeIfPresent(kelvin, forKey: .neutralTemperature)
      try values.encodeIfPresent(tint, forKey: .neutralTint)
    case .chromaticity(let xy): try values.encode([xy.x, xy.y], forKey: .neutralChromaticity)
    case .location(let point): try values.encode([point.x, point.y], forKey: .neutralLocation)
    }
  }

  private static func neutral(_ values: KeyedDecodingContainer<Key>) throws -> NeutralSetting {
    var found: [NeutralSetting] = []
    let kelvin = try values.decodeIfPresent(Float.self, forKey: .neutralTemperature)
    let tint = try values.decodeIfPresent(Float.self, forKey: .neutralTint)
    if kelvin != nil || tint != nil { found.append(.temperature(kelvin: kelvin, tint: tint)) }
    func pair<T: Decodable>(_ key: Key, of type: T.Type) throws -> (T, T)? {
      guard let pair = try values.decodeIfPresent([T].self, forKey: key) else { return nil }
      guard pair.count == 2 else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values, debugDescription: "\(key.rawValue) takes two numbers")
      }
      return (pair[0], pair[1])
    }
    if let (x, y) = try pair(.neutralChromaticity, of: Double.self) {
      found.append(.chromaticity(Chromaticity(x: x, y: y)))
    }
    if let (x, y) = try pair(.neutralLocation, of: Int.self) {
      found.append(.location(PixelPoint(x: x, y: y)))
    }
    if try values.decodeIfPresent(Bool.self, forKey: .isAutomaticWhiteBalanceEnabled) ?? false {
      found.append(.automatic)
    }
    guard found.count <= 1 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: values.codingPath,
          debugDescription: """
            give one of neutralTemperature with neutralTint, neutralChromaticity, neutralLocation, \
            isAutomaticWhiteBalanceEnabled
            """))
    }
    return found.first ?? .asShot
  }
}
