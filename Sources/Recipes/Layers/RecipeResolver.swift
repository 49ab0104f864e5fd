public import ImageCore
import Synchronization

/// Finds the recipe of each picture by merging all its layers, from the engine's defaults to the
/// command line. The documents of folders are read once until `forget()`. Thread-safe.
public final class RecipeResolver: Sendable {
  /// The layers that are looked for; all by default.
  public struct Sources: Sendable, Hashable {
    /// Defaults of folders and their rules.
    public var defaults = true
    /// `photo.ext.rawdev.yaml`.
    public var sidecars = true
    /// XMP of other programs, in sidecars and in the raw.
    public var xmp = true
    /// All layers.
    public init() {}
  }

  /// A picture to find the recipe of.
  public struct Picture: Sendable {
    /// Path of the raw; names need not be UTF-8.
    public var path: [UInt8]
    /// The metadata that rules and name templates depend on.
    public var info: PictureInfo
    /// The metadata that sidecars of other programs depend on.
    public var raw: RawTraits
    /// The XMP packet in the raw.
    public var embedded: [UInt8]?
    /// Layers for this picture only, between the named recipes and the XMP.
    public var layers: [RecipeLayer] = []

    /// A picture; without info no rule matches it.
    public init(
      path: [UInt8], info: PictureInfo = PictureInfo(), raw: RawTraits = RawTraits(),
      embedded: [UInt8]? = nil
    ) {
      (self.path, self.info, self.raw, self.embedded) = (path, info, raw, embedded)
    }
  }

  /// The recipe of a picture and its sources.
  public struct Resolved: Sendable {
    /// Every effective value with its origin.
    public let layered: LayeredRecipe
    /// The same as a typed value, to develop by.
    public let recipe: Recipe
    /// The sidecars that were found.
    public let sidecars: FoundSidecars
    /// The settings of the XMP in use; nil where none is.
    public let xmp: SidecarSettings?
    /// Descriptive metadata of another program's sidecar, with the rating of rawdev's own, as an
    /// XMP packet.
    public var description: [UInt8]? { sidecars.description }
    /// Settings of another program's sidecar that were not taken, for people.
    public package(set) var notes: [String]
    /// Warnings for people: unknown keys, sidecars that may belong to another raw.
    public let warnings: [String]
    /// What the warnings advise.
    public let remedies: [Remedy]
  }

  private let recipes: [RecipeLayer]
  private let commandLine: [RecipeLayer]
  private let sources: Sources
  private let defaults = FolderDefaults()

  private struct Cache {
    var listings: [[UInt8]: Result<FolderListing, RecipeError>] = [:]
    var recipes: [[RecipeLayer]: Result<Usable, RecipeError>] = [:]
  }
  /// A valid recipe, with its warnings.
  private struct Usable {
    var layered: LayeredRecipe
    var recipe: Recipe
    var warnings: [RecipeProblem]
  }
  private let cache = Mutex(Cache())

  /// A resolver with the named `recipes`, weakest first, and settings of the caller, which override
  /// all others. Throws where a recipe that they extend cannot be read.
  public init(
    recipes: [RecipeDocument] = [], commandLine: RecipeValue = .map([:]),
    sources: Sources = Sources()
  ) throws(RecipeError) {
    self.recipes = try RecipeLayer.recipes(recipes)
    self.commandLine =
      commandLine == .map([:])
      ? [] : [RecipeLayer(.commandLine, "command line", values: commandLine)]
    self.sources = sources
  }

  /// Reads folders and documents again when they are needed next.
  public func forget() {
    defaults.forget()
    cache.withLock { $0 = Cache() }
  }

  /// The layers of a picture before they are merged, and their sources.
  package struct Layers: Sendable {
    /// The layers, weakest first.
    package var layers: [RecipeLayer]
    /// The sidecars that were found.
    package var sidecars: FoundSidecars
    /// The settings of the XMP in use; nil where none is.
    package var xmp: SidecarSettings?
    /// Settings of another program's sidecar that were not taken, for people.
    package var notes: [String]
  }

  /// The recipe of `picture`. Throws where one of its documents or sidecars cannot be used.
  public func resolve(_ picture: Picture) throws(RecipeError) -> Resolved {
    let found = try layers(of: picture)
    let usable = try usable(found.layers)
    return Resolved(
      layered: usable.layered, recipe: usable.recipe, sidecars: found.sidecars, xmp: found.xmp,
      notes: found.notes,
      warnings: found.sidecars.warnings + usable.warnings.map(\.description),
      remedies: Remedy.each(usable.warnings.flatMap(\.remedies)))
  }

  /// The layers of `picture`. Throws where one of its documents or sidecars cannot be read.
  package func layers(of picture: Picture) throws(RecipeError) -> Layers {
    let folder = picture.path.folder ?? Array(".".utf8)
    var sidecars = try sidecars(of: picture, in: folder)
    var layers = sources.defaults ? try defaults.layers(folder: folder, info: picture.info) : []
    layers += recipes + picture.layers
    var notes: [String] = []
    var settings: SidecarSettings?
    if let xmp = sidecars.xmp {
      let found = SidecarSettings(xmp.packet, traits: picture.raw)
      layers.append(RecipeLayer(.xmp, xmp.origin.description, values: found.recipe))
      notes += Self.summary(found, of: xmp.origin)
      settings = found
    }
    if let own = sidecars.own {
      let document = try RecipeDocument(contentsOf: own)
      sidecars.description = document.described(over: sidecars.description)
      let chain = try RecipeChain.documents([document])
      layers += chain.map { RecipeLayer(.sidecar, "sidecar \($0.path ?? "")", $0) }
    }
    return Layers(
      layers: layers + commandLine, sidecars: sidecars, xmp: settings, notes: notes)
  }

  /// The notes of another program's sidecar, and one line on its settings that were not taken.
  private static func summary(
    _ settings: SidecarSettings, of origin: FoundSidecars.Origin
  ) -> [String] {
    guard !settings.ignored.isEmpty else { return settings.notes }
    let names = settings.ignored.map(\.field)
    return settings.notes + [
      "\(origin.description): taken \(settings.taken.count), not taken \(names.count): "
        + names.firstNames
    ]
  }

  private func sidecars(
    of picture: Picture, in folder: [UInt8]
  ) throws(RecipeError) -> FoundSidecars {
    guard sources.sidecars || sources.xmp else { return FoundSidecars() }
    let name = Array(picture.path.split(separator: UInt8(ascii: "/")).last ?? [])
    let listing = try cache.withLock { cache throws(RecipeError) in
      let known =
        cache.listings[folder]
        ?? Result { () throws(RecipeError) in try FolderListing(folder: folder) }
      cache.listings[folder] = known
      return try known.get()
    }
    var found = try SidecarFinder(folder: folder, listing: listing)
      .sidecars(of: name, embedded: { picture.embedded })
    if !sources.sidecars { found.own = nil }
    if !sources.xmp { (found.xmp, found.description) = (nil, nil) }
    return found
  }

  private func usable(_ layers: [RecipeLayer]) throws(RecipeError) -> Usable {
    if let known = cache.withLock({ $0.recipes[layers] }) { return try known.get() }
    let result = Result { () throws(RecipeError) in
      let layered = LayeredRecipe(layers)
      let recipe = try Recipe(layered)
      return Usable(
        layered: layered, recipe: recipe,
        warnings: layers.flatMap(\.warnings) + layered.problems)
    }
    cache.withLock { cache in
      // With sidecars there are as many recipes as pictures.
      if cache.recipes.count >= 256 { cache.recipes = [:] }
      cache.recipes[layers] = result
    }
    return try result.get()
  }
}
