import Formats
public import RawFilter

/// How a raw is developed, how the picture is framed, and which files are written, as one value
/// that can be stored.
public struct Recipe: Sendable, Hashable, Codable {
  /// Adjustments of the development.
  public var raw = RAWSettings()
  /// Settings for the developed picture as a whole.
  public var render = Rendering()
  /// The files to write, by the name of the output.
  public var outputs: [String: Output]

  /// Name of the output of a recipe that names none.
  public static let onlyOutput = "main"

  /// The default rendering into one output.
  public init(_ output: Output = Output()) {
    outputs = [Self.onlyOutput: output]
  }

  /// Reads the recipe; absent keys keep their default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    raw = try values.decodeIfPresent(RAWSettings.self, forKey: .raw) ?? raw
    render = try values.decodeIfPresent(Rendering.self, forKey: .render) ?? render
    outputs =
      try values.decodeIfPresent([String: Output].self, forKey: .outputs)
      ?? [Self.onlyOutput: Output()]
  }

  /// The first output by name, which in most recipes is the only one.
  public var output: Output {
    get { outputs.min { $0.key < $1.key }?.value ?? Output() }
    set { outputs[outputs.keys.min() ?? Self.onlyOutput] = newValue }
  }

  /// Throws for the first setting with an invalid value; the error's key names it.
  public func validate() throws(RecipeError) { try validate(namesOutput: outputs.count > 1) }

  /// The same; `namesOutput`: whether messages begin with the name of the output.
  func validate(namesOutput: Bool) throws(RecipeError) {
    do { try raw.validate() } catch {
      throw RecipeError(
        .badSetting, error.message, key: error.setting.map { RecipePath(keys: "raw", $0) })
    }
    do { try render.validate() } catch { throw error.inside(RecipePath(keys: "render")) }
    let all = RecipePath(keys: "outputs")
    guard !outputs.isEmpty else {
      throw RecipeError(
        .badSetting, "outputs is empty; name at least one file to write", key: all)
    }
    for (name, output) in outputs.sorted(by: { $0.key < $1.key }) {
      do { try output.validate() } catch {
        throw error.inside(
          all.appending(name), message: (namesOutput ? "output \(name): " : "") + error.message)
      }
    }
  }

  /// Throws where the look `scene` is requested and an output is not scene-linear. Separate from
  /// ``validate()``, because options of the command line change outputs of a valid recipe.
  package func validateScene() throws(RecipeError) {
    if raw.isScene,
      let shown = outputs.sorted(by: { $0.key < $1.key }).first(where: {
        $0.value.format.isDeveloped && !$0.value.encoding.isFloat && !$0.value.encoding.isLinear
      })
    {
      throw RecipeError(
        .badSetting,
        "look scene is scene-linear, which \(shown.value.format.rawValue) is not; write exr, "
          + "tiff-float, npy or planes, or a tiff in a linear color space",
        key: RecipePath(keys: "raw", "look"))
    }
  }

  /// The adjustments for `output`: all headroom for HDR, none for SDR, unless set otherwise.
  public func settings(for output: Output) -> RAWSettings {
    var settings = raw.resolvedForScene
    settings.extendedDynamicRangeAmount =
      output.extendedDynamicRangeAmount ?? raw.extendedDynamicRangeAmount ?? (output.isHDR ? 1 : 0)
    return settings
  }

  /// The lowest limit on the luminance of `output`, as a multiple of reference white; nil for none.
  public func headroomLimit(for output: Output) -> Float? {
    [render.headroomLimit, output.headroomLimit].compactMap(\.self).min()
  }
}
