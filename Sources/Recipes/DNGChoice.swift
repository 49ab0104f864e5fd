/// The contents and storage of a DNG; nil means the default. `DNGConverter` writes it.
public struct DNGChoice: Sendable, Hashable, Codable {
  /// Which samples the DNG holds. The raw value is the name in recipes and on the command line.
  public enum Samples: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every sample as it is stored. The default.
    case stored
    /// The camera's picture, demosaiced: black, opcode lists 1 and 2, defects and highlights are
    /// done; noise and lens are not.
    case linear
    /// The same with noise reduced and the lens corrected.
    case scene
  }

  /// How linear values are stored.
  public enum Bits: String, Sendable, Hashable, Codable, CaseIterable {
    /// Integers up to white.
    case integers = "16"
    /// Half precision: 11 significant bits, also above white. The default.
    case half = "16f"
    /// Single precision.
    case float = "32f"
  }

  /// How samples are stored. None of them loses anything, but JPEG XL of a ``distance``.
  public enum Compression: String, Sendable, Hashable, Codable, CaseIterable {
    /// Lossless JPEG, on all threads; of floating point Deflate. The default.
    case losslessJPEG = "lossless-jpeg"
    /// Deflate, which DNG has only for floating point.
    case deflate
    /// JPEG XL (DNG 1.7); of floating point Deflate.
    case jpegXL = "jpeg-xl"
    /// As they are.
    case none
  }

  /// The preview pictures of the DNG.
  public enum Preview: String, Sendable, Hashable, Codable, CaseIterable {
    /// None, but mattes, masks and depth of a DNG.
    case none
    /// 256 pixels.
    case small
    /// The raw's own as it is, and one of 256 pixels; of a raw without one a rendering of 1024.
    /// The default.
    case full
  }

  /// Which samples the DNG holds; nil for the stored samples.
  public var samples: Samples?
  /// How linear values are stored; nil for half precision.
  public var bits: Bits?
  /// How samples are stored; nil for lossless JPEG.
  public var compression: Compression?
  /// Loss of JPEG XL in just noticeable differences, 0…15; nil for none.
  public var distance: Float?
  /// Effort of JPEG XL, 1…9; nil for 3.
  public var effort: Int?
  /// The preview pictures; nil for all.
  public var preview: Preview?
  /// Whether the written file is read again and compared before it gets its name; nil for yes.
  public var verifies: Bool?

  /// The defaults.
  public init() {}

  /// Samples and compression, for people: `stored samples, lossless-jpeg`.
  var coding: String {
    let samples =
      switch samples ?? .stored {
      case .stored: "stored samples"
      case .linear: "linear, \((bits ?? .half).rawValue)"
      case .scene: "scene, \((bits ?? .half).rawValue)"
      }
    let isFloat = self.samples ?? .stored != .stored && bits != .integers
    let compression = compression ?? .losslessJPEG
    return "\(samples), "
      + (isFloat && compression != .none ? Compression.deflate : compression).rawValue
  }
}

extension DNGChoice.Samples: RecipeSettingValue {}
extension DNGChoice.Bits: RecipeSettingValue {}
extension DNGChoice.Compression: RecipeSettingValue {}
extension DNGChoice.Preview: RecipeSettingValue {}

extension DNGChoice {
  private static let ofDNG = RecipeSetting<Recipe.Output>.Option.Scope("dng") {
    !$0.format.isDeveloped
  }

  private static let keys = [
    RecipeKey(
      "samples", .text, choices: Samples.choices, standard: Samples.stored.rawValue,
      "Samples of a DNG: as they are stored, or demosaiced",
      "linear preserves noise and errors of the lens, scene does not."),
    RecipeKey(
      "bits", .text, choices: Bits.choices, standard: Bits.half.rawValue,
      "Linear values of a DNG: integers up to white, half or single precision"),
    RecipeKey(
      "compression", .text, choices: Compression.choices,
      standard: Compression.losslessJPEG.rawValue, "How samples of a DNG are stored",
      "deflate is only for floating point; jpeg-xl makes a DNG 1.7."),
    RecipeKey(
      "distance", .number, 0...15, standard: "0",
      "Loss of jpeg-xl in a DNG, in just noticeable differences", "0 loses nothing."),
    RecipeKey("effort", .integer, 1...9, standard: "3", "Effort of jpeg-xl in a DNG"),
    RecipeKey(
      "preview", .text, choices: Preview.choices, standard: Preview.full.rawValue,
      "The preview pictures in a DNG"),
    RecipeKey(
      "verifies", .toggle, standard: "yes",
      "Whether a DNG is read again and compared before it gets its name"),
  ]

  /// The row of the table of an output's settings.
  static let setting = RecipeSetting<Recipe.Output>(
    group: "dng", \.dng, keys: keys,
    options: [
      .init("dng-samples", \.dng.samples, keys[0], scope: ofDNG),
      .init("dng-bits", \.dng.bits, keys[1], scope: ofDNG),
      .init("dng-compression", \.dng.compression, keys[2], scope: ofDNG),
      .init("dng-distance", \.dng.distance, keys[3], scope: ofDNG),
      .init("dng-effort", \.dng.effort, keys[4], scope: ofDNG),
      .init("dng-preview", \.dng.preview, keys[5], scope: ofDNG),
    ], omitted: DNGChoice(),
    refusal: { dng, output in output.format.isDeveloped ? nil : dng.refusal })

  /// Why settings exclude each other; nil where they do not.
  private var refusal: String? {
    if let distance, !(0...15).contains(distance) {
      return "dng.distance is \(distance); it takes 0 to 15"
    }
    if let effort, !(1...9).contains(effort) {
      return "dng.effort is \(effort); it takes 1 to 9"
    }
    if distance ?? 0 > 0, compression != .jpegXL {
      return "dng.distance is for jpeg-xl; set dng.compression to jpeg-xl"
    }
    let isLinear = samples ?? .stored != .stored
    if distance ?? 0 > 0, isLinear, bits != .integers {
      return "dng.distance is for integers; set dng.bits to 16"
    }
    if samples == .scene, bits == .integers {
      return "integers cannot store the values of a scene above white; set dng.bits to 16f or 32f"
    }
    return nil
  }
}
