import Synchronization

/// Finds the recipe of each picture: what all layers say of it, from the engine's defaults to the
/// command line. Reads the documents of folders once; for all threads.
public final class RecipeResolver: Sendable {
  /// Which of the layers are looked for.
  public struct Sources: Sendable, Hashable {
    /// Defaults of folders, with their rules.
    public var defaults = true
    /// `photo.ext.rawdev.yaml`.
    public var sidecars = true
    /// XMP of other programs, beside the raw and in it.
    public var xmp = true
    /// All of them.
    public init() {}
  }

  /// A picture whose recipe is asked for.
  public struct Picture: Sendable {
    /// Path of the raw; names need not be UTF-8.
    public var path: [UInt8]
    /// What rules and names ask of it.
    public var facts: PictureFacts
    /// What sidecars of other programs ask of it.
    public var raw: RawFacts
    /// The XMP packet in the raw.
    public var embedded: [UInt8]?
    /// Layers of this picture alone, between the named recipes and its sidecar.
    public var layers: [RecipeLayer] = []

    /// A picture of which this is known.
    public init(
      path: [UInt8], facts: PictureFacts = PictureFacts(), raw: RawFacts = RawFacts(),
      embedded: [UInt8]? = nil
    ) {
      (self.path, self.facts, self.raw, self.embedded) = (path, facts, raw, embedded)
    }
  }

  /// The recipe of a picture, and how it came to be.
  public struct Resolved: Sendable {
    /// Every effective value with its origin.
    public let layered: LayeredRecipe
    /// The same as a value to develop by.
    public let recipe: Recipe
    /// Sidecars that were found.
    public let sidecars: FoundSidecars
    /// What the XMP in use says; nil where none is.
    public let xmp: SidecarSettings?
    /// What of another program's sidecar was not taken, one line each.
    public let notes: [String]
    /// What is not as it should be: unknown keys, sidecars that may belong to another raw.
    public let warnings: [String]
  }

  private let recipes: [RecipeLayer]
  private let commandLine: [RecipeLayer]
  private let sources: Sources
  private let defaults = FolderDefaults()

  private struct Cache {
    var listings: [[UInt8]: Result<FolderListing, RecipeError>] = [:]
    var recipes: [[RecipeLayer]: Result<Usable, RecipeError>] = [:]
  }
  /// A recipe in order, with what of it is unknown.
  private struct Usable {
    var layered: LayeredRecipe
    var recipe: Recipe
    var notes: [String]
  }
  private let cache = Mutex(Cache())

  /// A resolver with these named recipes, weakest first, and what the caller sets above all.
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

  /// Reads folders and their documents anew from now on.
  public func forget() {
    defaults.forget()
    cache.withLock { $0 = Cache() }
  }

  /// The recipe of `picture`. Throws where a document or a sidecar of it cannot be used.
  public func resolve(_ picture: Picture) throws(RecipeError) -> Resolved {
    let folder = picture.path.folder ?? Array(".".utf8)
    let sidecars = try sidecars(of: picture, in: folder)
    var layers = sources.defaults ? try defaults.layers(folder: folder, facts: picture.facts) : []
    layers += recipes + picture.layers
    var notes: [String] = []
    var settings: SidecarSettings?
    if let xmp = sidecars.xmp {
      let found = SidecarSettings(xmp.packet, facts: picture.raw)
      layers.append(RecipeLayer(.xmp, xmp.origin.description, values: found.recipe))
      notes += Self.summary(found, of: xmp.origin)
      settings = found
    }
    if let own = sidecars.own {
      let chain = try RecipeChain.documents([RecipeDocument(contentsOf: own)])
      layers += chain.map { RecipeLayer(.sidecar, "sidecar \($0.path ?? "")", $0) }
    }
    let usable = try usable(layers + commandLine)
    return Resolved(
      layered: usable.layered, recipe: usable.recipe, sidecars: sidecars, xmp: settings,
      notes: notes, warnings: sidecars.warnings + usable.notes)
  }

  /// One line of what another program's sidecar sets and is not taken.
  private static func summary(
    _ settings: SidecarSettings, of origin: FoundSidecars.Origin
  ) -> [String] {
    guard !settings.ignored.isEmpty else { return settings.notes }
    let names = settings.ignored.map(\.field)
    let rest = names.count > 6 ? " and \(names.count - 6) more" : ""
    return settings.notes + [
      "\(origin.description): taken \(settings.taken.count), not taken \(names.count): "
        + names.prefix(6).joined(separator: ", ") + rest
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
    if !sources.xmp { found.xmp = nil }
    return found
  }

  private func usable(_ layers: [RecipeLayer]) throws(RecipeError) -> Usable {
    if let known = cache.withLock({ $0.recipes[layers] }) { return try known.get() }
    let result = Result { () throws(RecipeError) in
      let layered = LayeredRecipe(layers)
      let recipe = try Recipe(layered)
      let warnings = layers.flatMap(\.warnings) + layered.problems
      return Usable(layered: layered, recipe: recipe, notes: warnings.map(\.description))
    }
    cache.withLock { cache in
      // Sidecars of their own make as many recipes as pictures.
      if cache.recipes.count >= 256 { cache.recipes = [:] }
      cache.recipes[layers] = result
    }
    return try result.get()
  }
}
