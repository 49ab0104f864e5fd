import Testing

@testable import RawDecode

@Suite struct CameraKeyTests {
  @Test(arguments: [
    ("Canon", "EOS R5 Mark II", "Canon", "EOS R5m2"),
    ("Canon", "Canon EOS R5", "Canon", "EOS R5"),
    ("Nikon", "Z 6 II", "NIKON CORPORATION", "NIKON Z 6_2"),
    ("Nikon", "Z 50 II", "Nikon", "Z50_2"),
    ("Nikon", "Z 8", "Nikon", "Z8"),
    ("Sony", "A7 IV", "SONY", "ILCE-7M4"),
    ("Sony", "A7S II", "Sony", "ILCE-7SM2"),
    ("Sony", "DSC-RX100 VA", "Sony", "DSC-RX100M5A"),
    ("OM Digital Solutions", "OM-1 Mark II", "OM Digital Solutions", "OM-1MarkII"),
    ("Olympus", "E-M1 Mark III", "OLYMPUS CORPORATION", "E-M1MarkIII"),
    ("OM Digital Solutions", "TG-7", "Olympus", "TG-7"),
    ("Panasonic", "DC-S5 MkII", "Panasonic", "DC-S5M2"),
    ("Leica", "Leica SL3", "LEICA CAMERA AG", "LEICA SL3"),
    ("Fujifilm", "GFX 100S", "FUJIFILM", "GFX100S"),
    ("Fujifilm", "FinePix S100FS", "Fujifilm", "S100FS"),
    ("Pentax", "K-3 II", "Pentax", "PENTAX K-3 Mark II"),
  ])
  func namesOfOneCameraAreEqual(_ make: String, _ model: String, _ other: String, _ its: String) {
    #expect(CameraKey(make: make, model: model) == CameraKey(make: other, model: its))
  }

  @Test(arguments: [
    ("Canon", "EOS R", "EOS R5"), ("Canon", "EOS R5", "EOS R5 C"), ("Canon", "EOS R5", "EOS R50"),
    ("Sony", "ILCE-7", "ILCE-7M4"), ("Sony", "ILCE-7M4", "ILCE-7RM4"),
    ("Fujifilm", "X-S1", "X-S10"), ("Fujifilm", "X100V", "X100VI"), ("Nikon", "Z f", "Z fc"),
    ("Panasonic", "DC-G9", "DC-G9M2"), ("Panasonic", "DC-S5M2", "DC-S5M2X"),
    ("Leica", "Q3", "Q3 43"), ("Ricoh", "GR III", "GR IIIx"), ("Phase One", "P45", "P45+"),
  ])
  func relativesAreNot(_ make: String, _ model: String, _ other: String) {
    #expect(CameraKey(make: make, model: model) != CameraKey(make: make, model: other))
  }

  @Test(arguments: [
    ("Canon EOS 850D / Rebel T8i / Kiss X10i", ["EOS 850D", "EOS Rebel T8i", "EOS Kiss X10i"]),
    ("Sony ILCE-7M4 (A7 IV)", ["ILCE-7M4", "A7 IV"]),
    ("Nikon Z 8 (HE/HE* formats are not supported yet)", ["Z 8"]),
    ("Sony ILCE-7R (A7R", ["ILCE-7R"]),
    (
      "Panasonic DC-ZS200 / ZS220, DC-TZ200 / TZ202 / TZ220, DC-TX2",
      ["DC-ZS200", "DC-ZS220", "DC-TZ200", "DC-TZ202", "DC-TX2"]
    ),
    ("OM Digital Solutions OM-5", ["OM-5"]), ("Minolta Alpha/Dynax/Maxxum 5D", ["DYNAX 5D"]),
    ("Phase One IQ4 150MP", ["IQ4 150MP"]),
  ])
  func entriesOfTheListNameSeveral(_ entry: String, _ models: [String]) throws {
    let keys = CameraKey.listed(entry)
    let make = try #require(entry.split(separator: " ").first)
    for model in models {
      #expect(keys.contains(CameraKey(make: String(make), model: model)), "\(model) in \(keys)")
    }
  }

  /// A listed camera is found by its own name.
  @Test func theListContainsItself() throws {
    for entry in SupportedCameras.models {
      for key in CameraKey.listed(entry) { #expect(ListedCameras.entry([key]) != nil, "\(entry)") }
    }
    #expect(ListedCameras.entry([CameraKey(make: "Canon", model: "EOS 30D")]) != nil)
    #expect(ListedCameras.entry([CameraKey(make: "Canon", model: "EOS 30DX")]) == nil)
    #expect(ListedCameras.entry([CameraKey(make: "", model: "")]) == nil)
  }
}
