import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LensNameTests {
  /// Names written by cameras, and the names of the same lenses in lensfun's database.
  @Test(arguments: [
    ("EF-S18-55mm f/3.5-5.6", "Canon EF-S 18-55mm f/3.5-5.6", "Canon"),
    ("EF24-105mm f/4L IS USM", "Canon EF 24-105mm f/4L IS USM", "Canon"),
    ("EF50mm f/1.8 II", "Canon EF 50mm f/1.8 MkII", "Canon"),
    ("FE 24-105mm F4 G OSS", "FE 24-105mm f/4 G OSS", "Sony"),
    ("XF18-55mmF2.8-4 R LM OIS", "XF 18-55mm f/2.8-4 R LM OIS", "Fujifilm"),
    ("NIKKOR Z 24-70mm f/4 S", "Nikon NIKKOR Z 24-70mm f/4 S", "Nikon"),
    ("AF-S DX Zoom-Nikkor 12-24mm f/4G IF-ED", "Nikkor AF-S 12-24mm f/4G DX IF-ED", "Nikon"),
    ("smc PENTAX-DA 18-55mm F3.5-5.6 AL", "smc Pentax-DA 18-55mm f/3.5-5.6 AL", "Pentax"),
    ("LUMIX G VARIO 14-42/F3.5-5.6 II", "Lumix G Vario 14-42mm f/3.5-5.6 II", "Panasonic"),
    ("ZEISS Batis 2/25", "Batis 25mm f/2.0", "Zeiss"),
    ("OLYMPUS M.12-40mm F2.8", "Olympus M.Zuiko Digital ED 12-40mm f/2.8 Pro", "Olympus"),
    (
      "TAMRON SP 15-30mm F/2.8 Di VC USD G2 A041", "Tamron SP 15-30mm f/2.8 Di VC USD G2 (A041)",
      "Tamron"
    ),
    ("Pentax-F 35-105mm 1:4-5.6", "Pentax-F 35-105mm F4-5.6", "Pentax"),
    ("Voigtländer Nokton 58mm F1.4", "Voigtlander Nokton 58mm f/1.4", "Voigtlander"),
  ])
  func sameLens(_ file: String, _ database: String, _ maker: String) {
    let (a, b) = (LensName(file, makers: [maker]), LensName(database, makers: [maker]))
    #expect(a == b, "\(a) \(b)")
    #expect(a.isSpecific)
  }

  @Test(arguments: [
    ("EF-S18-55mm f/3.5-5.6", "Canon EF-S 18-55mm f/3.5-5.6 IS"),
    ("EF-S18-55mm f/3.5-5.6 IS", "Canon EF-S 18-55mm f/3.5-5.6 IS II"),
    ("EF50mm f/1.8", "Canon EF 50mm f/1.8 STM"),
    ("EF50mm f/1.8", "Canon EF 50mm f/1.4"),
    ("EF-S55mm f/2", "Canon EF 55mm f/2"),
    ("EF500mm f/4L IS II USM", "Canon EF 500mm f/4L IS II USM + EF 1.4x extender III"),
    ("EF70-200mm f/4L USM", "Canon EF 70-300mm f/4L USM"),
  ])
  func otherLens(_ file: String, _ database: String) {
    #expect(LensName(file, makers: ["Canon"]) != LensName(database, makers: ["Canon"]))
  }

  @Test func partsOfAName() {
    let name = LensName("Canon EF-S 18-55mm f/3.5-5.6 IS", makers: ["Canon"])
    #expect(name.focal == [18, 55] && name.fNumbers == [3.5, 5.6])
    #expect(name.words == ["ef", "is", "s"])
    #expect(!LensName("24-105mm").isSpecific && !LensName("").isSpecific)
  }

  @Test func hostileNames() {
    for text in [
      String(repeating: "9", count: 100_000), String(repeating: "f/", count: 5000),
      String(repeating: "1-", count: 5000), "mm", "f", "/", "1:", "-1mm", ".5mm f/.",
      "\u{0}\u{FFFD}𝟙",
      "1e999mm f/1e999",
    ] {
      _ = LensName(text, makers: [text])
    }
  }
}
