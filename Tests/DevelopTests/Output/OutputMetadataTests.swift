import Containers
import Foundation
import ImageCore
import ImageFilters
import RawFilter
import Readers
import Recipes
import TestSupport
import Testing
import Writers

@testable import Develop

/// Metadata of a source and its sidecar, in the written files.
@Suite struct OutputMetadataTests {
  private let raw: SmallRaw
  init() throws { raw = try SmallRaw() }

  private static func packet(_ change: (inout XMPDescription) -> Void) -> [UInt8] {
    var description = XMPDescription()
    change(&description)
    return XMPWriter.packet(descriptions: [description.text])
  }

  private func developed(
    _ format: OutputFormat, sidecar: [UInt8]? = nil, _ change: (inout Recipe) -> Void = { _ in }
  ) throws -> StillImage {
    var recipe = Recipe()
    recipe.output.format = format
    change(&recipe)
    var developer = Developer(recipe: recipe, workers: 2)
    developer.sidecarDescription = sidecar
    let path = raw.file("out.\(format.pathExtension)")
    _ = try developer.develop(raw.path, to: .replacing(path))
    return try StillImage(contentsOf: URL(fileURLWithPath: path))
  }

  private func xmp(_ image: StillImage) throws -> XMPPacket {
    try XMPPacket(wellFormed: try #require(image.metadata.xmp))
  }

  @Test(arguments: [
    OutputFormat.jpeg, .jpegGainMap, .heifHLG, .heicGainMap, .avif, .png, .tiff, .tiffFloat, .jxl,
  ]) func sidecarsReachEveryFormat(format: OutputFormat) throws {
    let sidecar = Self.packet {
      $0.add(.basic, "Rating", "4")
      $0.add(.dublinCore, "creator", .sequence, ["Ada", "Bob"])
      $0.add(.dublinCore, "rights", .languages, ["© Ada"])
      $0.add(.dublinCore, "subject", .bag, ["one", "two"])
    }
    let image = try developed(format, sidecar: sidecar)
    let found = try xmp(image)
    #expect(found[.basic, "Rating"]?.text == "4")
    #expect(found.texts(.dublinCore, "subject") == ["one", "two"])
    #expect(image.metadata[.image, 0x8298] == .ascii("© Ada"))
    #expect(image.metadata[.image, 0x013B] == .ascii("Ada; Bob"))
    #expect(image.metadata[.image, 0x0131] == .ascii(RawdevVersion.software))
    #expect(found[.basic, "CreatorTool"]?.text == RawdevVersion.software)
  }

  /// The same source and settings give the same IDs, others different ones; the source's stays.
  @Test func documentIDs() throws {
    func ids(_ image: StillImage) throws -> [String] {
      let found = try xmp(image)
      let from = found[.media, "DerivedFrom"]
      return [
        found[.media, "OriginalDocumentID"]?.text ?? "",
        from?[XMPName(.reference, "documentID")]?.text ?? "",
        found[.media, "DocumentID"]?.text ?? "",
      ]
    }
    let first = try ids(try developed(.jpeg))
    #expect(Set(first).count == 2 && !first.contains(""))
    #expect(try ids(try developed(.jpeg)) == first)
    let others = [
      try ids(try developed(.png)), try ids(try developed(.jpeg) { $0.raw.exposure = 1 }),
      try ids(try developed(.jpeg, sidecar: Self.packet { $0.add(.basic, "Rating", "1") })),
    ]
    #expect(others.allSatisfy { $0[..<2] == first[..<2] && $0[2] != first[2] })
  }

  @Test func theRecipeOnRequest() throws {
    #expect(try xmp(try developed(.jpeg))[.rawdev, "Recipe"] == nil)
    let image = try developed(.jpeg) {
      $0.output.embedsRecipe = true
      $0.raw.exposure = 0.5
    }
    let text = try #require(try xmp(image)[.rawdev, "Recipe"]?.text)
    let document = try RecipeDocument(text: text, path: "embedded")
    #expect(document.problems().isEmpty)
    #expect(try JSONDecoder().decode(Recipe.self, from: Data(text.utf8)).raw.exposure == 0.5)
  }

  /// Rights, rating and keywords of an Ultra HDR file survive a conversion, its gain map's
  /// parameters do not; positions in it only while they are true.
  @Test func conversionKeepsWhatPeopleWrote() throws {
    let sidecar = Self.packet {
      $0.add(.basic, "Rating", "5")
      $0.add(.dublinCore, "rights", .languages, ["mine"])
      $0.add(.regions, "Regions", "face")
    }
    let image = try developed(.jpegGainMap, sidecar: sidecar)
    #expect(try xmp(image).fields(in: .hdrgm).isEmpty == false)
    func converted(_ edits: [any ImageFilter] = []) throws -> XMPPacket {
      var output = Recipe.Output()
      output.format = .png
      var converter = Converter(output: output, workers: 2)
      converter.edits = edits
      let path = raw.file("out.png")
      _ = try converter.convert(try #require(image.path), to: .replacing(path))
      return try xmp(try StillImage(contentsOf: URL(fileURLWithPath: path)))
    }
    let whole = try converted()
    #expect(whole[.basic, "Rating"]?.text == "5" && whole.texts(.dublinCore, "rights") == ["mine"])
    #expect(whole[.regions, "Regions"] != nil)
    #expect(whole.fields(in: .hdrgm).isEmpty && whole.fields(in: .container).isEmpty)
    #expect(
      whole[.media, "DerivedFrom"]?[XMPName(.reference, "documentID")]
        == (try xmp(image))[.media, "DocumentID"])
    let cut = try converted([CropFilter(PixelRect(x: 0, y: 0, width: 50, height: 40))])
    #expect(cut[.regions, "Regions"] == nil && cut[.basic, "Rating"]?.text == "5")
  }

  /// A grid has the metadata common to its pictures, pictures over each other the lowest one's.
  @Test func composites() throws {
    func picture(_ name: String, rating: String) throws -> String {
      let image = try developed(
        .png,
        sidecar: Self.packet {
          $0.add(.basic, "Rating", rating)
          $0.add(.dublinCore, "rights", .languages, ["mine"])
        })
      let path = raw.file(name)
      try FileManager.default.moveItem(atPath: try #require(image.path), toPath: path)
      return path
    }
    let inputs = [try picture("a.png", rating: "1"), try picture("b.png", rating: "2")]
    func composed(_ layout: Composer.Layout) throws -> (XMPPacket, CaptureMetadata) {
      var output = Recipe.Output()
      output.format = .png
      var composer = Composer(output: output, workers: 2)
      composer.layout = layout
      let path = raw.file("sheet.png")
      _ = try composer.compose(inputs, to: .replacing(path))
      let image = try StillImage(contentsOf: URL(fileURLWithPath: path))
      return (try xmp(image), image.metadata)
    }
    let (grid, shared) = try composed(.grid)
    #expect(grid.texts(.dublinCore, "rights") == ["mine"] && grid[.basic, "Rating"] == nil)
    #expect(shared.make == "rawdev" && shared[.image, 0x4746] == nil)
    let (over, _) = try composed(.over)
    #expect(over[.basic, "Rating"]?.text == "1")
    #expect(over[.media, "DocumentID"] != grid[.media, "DocumentID"])
  }

  /// Of several sources the entries that all have, with the same value and in the same directory;
  /// of as many as a file can list, too.
  @Test func entriesInCommon() {
    let many: [ExifEntry] = (UInt16(1)...60_000).map { ExifEntry(.exif, $0, .shorts([7])) }
    let make = ExifEntry(.image, 0x010F, .ascii("maker"))
    let first: [ExifEntry] = [make, ExifEntry(.image, 0x0110, .ascii("one"))] + many
    let second: [ExifEntry] =
      [make, ExifEntry(.image, 0x0110, .ascii("two"))] + Array(many.dropFirst(2))
    let third: [ExifEntry] =
      [make] + Array(many.dropLast()) + [ExifEntry(.gps, 60_000, .shorts([7]))]
    let common = CaptureMetadata.common(
      to: [first, second, third].map { CaptureMetadata(entries: $0) })
    let expected: [ExifEntry] = [make] + Array(many.dropFirst(2).dropLast())
    #expect(common.entries == expected)
  }

  /// Texts are the same where their bytes are.
  @Test func textsInCommonAreBytes() {
    func common(_ texts: String...) -> [ExifEntry] {
      CaptureMetadata.common(
        to: texts.map { CaptureMetadata(entries: [ExifEntry(.image, 0x013B, .ascii($0))]) }
      ).entries
    }
    #expect(common("\u{E9}", "\u{E9}").count == 1 && common("\u{E9}", "e\u{301}").isEmpty)
  }

  @Test func lensesFromXMP() {
    var metadata = CaptureMetadata(
      xmp: Self.packet {
        $0.add(.auxiliary, "Lens", "24-70mm f/2.8")
        $0.add(.auxiliary, "LensInfo", "24/1 70/1 28/10 0/0")
      })
    let found = metadata.withLensFromXMP
    #expect(found.lens == "24-70mm f/2.8")
    #expect(
      found[.exif, 0xA432]
        == .rationals([Rational(24, 1), Rational(70, 1), Rational(28, 10), Rational(0, 0)]))
    metadata[.exif, 0xA434] = .ascii("own")
    #expect(metadata.withLensFromXMP.lens == "own")
    let long = CaptureMetadata(
      xmp: Self.packet {
        $0.add(
          .auxiliary, "LensInfo", "24/1 70/1 28/10 0/0" + String(repeating: "\u{301}", count: 200))
      })
    #expect(long.withLensFromXMP[.exif, 0xA432] == nil)
    #expect(CaptureMetadata().withLensFromXMP == CaptureMetadata())
  }

  @Test func positionsFromSidecars() throws {
    var metadata = CaptureMetadata()
    metadata[.gps, 6] = .rationals([Rational(9, 1)])
    func described(_ latitude: String, _ longitude: String) -> CaptureMetadata {
      metadata.described(
        by: Self.packet {
          $0.add(.exif, "GPSLatitude", latitude)
          $0.add(.exif, "GPSLongitude", longitude)
        })
    }
    let found = described("47,4.5N", "15,26,30W")
    let location = try #require(found.location)
    #expect(abs(location.latitude - 47.075) < 1e-9 && abs(location.longitude + 15.441_666_7) < 1e-6)
    #expect(found[.gps, 6] == nil)
    for wrong in ["", "47,4.5E", "N", "47N", "nan,1N", "999,1N", "47,-4N"] {
      #expect(described(wrong, "15,26W").entries == metadata.entries)
    }
  }

  @Test func windowsTagsDoNotKeepTheOldValue() {
    var metadata = CaptureMetadata()
    metadata[.image, 0x9C9E] = .bytes([65, 0])
    metadata[.image, 0x4746] = .shorts([1])
    metadata[.image, 0x4749] = .shorts([1])
    let described = metadata.described(
      by: Self.packet {
        $0.add(.dublinCore, "subject", .bag, ["new"])
        $0.add(.basic, "Rating", "3")
      })
    #expect(described.entries == [ExifEntry(.image, 0x4746, .shorts([3]))])
    #expect(metadata.described(by: nil) == metadata)
  }
}
