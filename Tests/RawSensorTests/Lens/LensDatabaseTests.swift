import Dispatch
import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LensDatabaseTests {
  private typealias F = LensFixture
  private static let lens = F.Lens(calibration: [F.poly3, F.linear, F.vignetting])

  private func profile(
    _ metadata: CaptureMetadata, _ xml: String = F.xml([LensDatabaseTests.lens])
  ) throws -> LensProfile? {
    try F.withFolder(["a.xml": xml]) { folder in
      let database = try LensDatabase(folder, parsesAll: true)
      return try LensQuery(metadata).flatMap { try database.profile($0) }
    }
  }

  @Test func findsByName() throws {
    let found = try #require(try profile(F.metadata()))
    #expect(found.camera == "Acme Corporation Acme Q1" && found.lens == Self.lens.model)
    #expect(found.calibration.distortion == .poly3(Double(Float(-0.03))))
    #expect(found.calibration.lateralColor?.red.x == Double(Float(1.0006)))
    #expect(found.calibration.vignetting?.x == Double(Float(-0.5)))
    // A camera that writes its maker apart from its model.
    #expect(try profile(F.metadata(make: "Acme", model: "Q1")) == found)
  }

  /// Regular expressions of lensfun belong to the process and go with its last lens.
  @Test func databasesComeAndGoInParallel() {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<100 {
        #expect((try? profile(F.metadata())) != nil)
      }
    }
  }

  @Test func uncertainMatchesAreRefused() throws {
    for metadata in [
      F.metadata(model: "Acme Q2"), F.metadata(make: "Other"), F.metadata(lens: nil),
      F.metadata(lens: "QX10-100mm F2-4"), F.metadata(lens: "QX10-100mm F2-4 IS II"),
      F.metadata(lens: "10-100mm"), F.metadata(lens: "10-100mm F2-4"),
      F.metadata(focal: Rational(9, 1)), F.metadata(focal: Rational(102, 1)),
      F.metadata(focal: Rational(0, 1)), F.metadata(focal: Rational(1, 0)),
      CaptureMetadata(),
    ] {
      #expect(try profile(metadata) == nil)
    }
    #expect(try profile(F.metadata(focal: Rational(991, 100))) != nil)
    // A picture of part of the sensor: 20 mm are no 30 mm on a camera of crop factor 1.
    var part = F.metadata()
    part[.exif, 0xA405] = .shorts([30])
    #expect(try profile(part) == nil)
    part[.exif, 0xA405] = .shorts([20])
    #expect(try profile(part) != nil)
  }

  @Test func refusesOtherMountsAndSmallerSensors() throws {
    var lens = Self.lens
    lens.mount = "Other"
    #expect(try profile(F.metadata(), F.xml([lens])) == nil)
    lens.mount = "Acme Old"
    #expect(try profile(F.metadata(), F.xml([lens])) != nil)
    lens.crop = 1.5
    #expect(try profile(F.metadata(), F.xml([lens])) == nil)
    #expect(try profile(F.metadata(), F.xml([lens], cameraCrop: 1.6)) != nil)
  }

  @Test func takesTheCalibrationOfTheSensorMostAlike() throws {
    var (large, small) = (Self.lens, Self.lens)
    (large.crop, large.calibration) = (1, [F.ptLens])
    (small.crop, small.calibration) = (1.53, [F.poly3])
    for lenses in [[large, small], [small, large]] {
      let found = try profile(F.metadata(), F.xml(lenses, cameraCrop: 1.5))
      #expect(found?.calibrationCropFactor == Double(Float(1.53)))
      #expect(try profile(F.metadata(), F.xml(lenses))?.calibrationCropFactor == 1)
    }
  }

  @Test func refusesTwoLensesOfOneName() throws {
    var other = Self.lens
    (other.maker, other.model) = ("Bcme", "Bcme QX 10-100mm f/2-4 IS")
    #expect(try profile(F.metadata(), F.xml([Self.lens, other])) == nil)
    #expect(
      try profile(F.metadata(lens: "Acme QX10-100mm F2-4 IS"), F.xml([Self.lens, other])) != nil)
  }

  @Test func camerasWithFixedLenses() throws {
    let camera = """
      <camera><maker>Acme</maker><model>Pocket 7</model><mount>acmePocket7</mount>
      <cropfactor>4.6</cropfactor></camera>
      """
    var lens = F.Lens(calibration: [F.poly3])
    (lens.mount, lens.crop, lens.model) = (
      "acmePocket7", 4.6, "Pocket 7 &amp; compatibles (Standard)"
    )
    var wide = lens
    wide.model = "Pocket 7 &amp; compatibles, with WC-7"
    let xml = F.xml([wide, lens], cameras: camera)
    for name in [nil, "6.1-30.5mm"] {
      let metadata = F.metadata(make: "Acme", model: "Pocket 7", lens: name)
      #expect(try profile(metadata, xml)?.lens == "Pocket 7 & compatibles (Standard)")
    }
    let named = F.metadata(
      make: "Acme", model: "Pocket 7", lens: "Pocket 7 & compatibles, with WC-7")
    #expect(try profile(named, xml)?.lens == "Pocket 7 & compatibles, with WC-7")
    // Two that cannot be distinguished.
    var second = lens
    second.model = "Pocket 7 late"
    let metadata = F.metadata(make: "Acme", model: "Pocket 7", lens: nil)
    #expect(try profile(metadata, F.xml([lens, second], cameras: camera)) == nil)
  }

  @Test func withoutApertureNoVignetting() throws {
    for fNumber in [Rational(0, 1), Rational(1, 0), Rational(UInt32.max, 1)] {
      let found = try #require(try profile(F.metadata(fNumber: fNumber)))
      #expect(found.calibration.vignetting == nil && found.calibration.distortion != nil)
    }
  }

  @Test func hostileMetadata() throws {
    let long = String(repeating: "Acme Q1 ", count: 8000)
    for text in [long, "", " ", "\u{0}", "mm f/", "🙂", "<name>", "&amp;", "%s%n"] {
      _ = try profile(F.metadata(make: text, model: text, lens: text))
      var metadata = F.metadata(lens: text)
      metadata[.exif, 0xA433] = .ascii(text)
      metadata[.exif, 0x9206] = .rationals([Rational(UInt32.max, 1)])
      _ = try profile(metadata)
      metadata[.exif, 0x9206] = .rationals([])
      metadata[.exif, 0xA405] = .shorts([])
      _ = try profile(metadata)
    }
  }

  @Test(arguments: [
    #"<distortion model="poly3" focal="20" k1="nan"/>"#,
    #"<distortion model="poly3" focal="20" k1="1e30"/>"#,
    #"<distortion model="poly5" focal="20" k1="-0.5" k2="0"/>"#,
    #"<distortion model="ptlens" focal="20" a="-1" b="0" c="0"/>"#,
    #"<tca model="linear" focal="20" kr="1.2" kb="1"/>"#,
    #"<tca model="poly3" focal="20" br="inf" vr="1" vb="1"/>"#,
    #"<vignetting model="pa" focal="20" aperture="4" distance="10" k1="-2" k2="0" k3="0"/>"#,
    #"<vignetting model="pa" focal="20" aperture="4" distance="10" k1="inf" k2="0" k3="0"/>"#,
  ])
  func refusesWhatIsNoLens(_ calibration: String) throws {
    #expect(try profile(F.metadata(), F.xml([F.Lens(calibration: [calibration])])) == nil)
  }

  @Test func versionHoldsTheDateOfTheDatabase() throws {
    let xml = F.xml([Self.lens])
    try F.withFolder(["a.xml": xml, "timestamp.txt": "1645386247\n"]) { folder in
      let version = try LensDatabase(folder, parsesAll: true).version
      #expect(try /lensfun 0\.3\.\d+, database of 2022-02-20/.wholeMatch(in: version) != nil)
      let file = try LensDatabase(folder + "/a.xml", parsesAll: true)
      #expect(file.version.hasSuffix("2022-02-20"))
    }
    try F.withFolder(["a.xml": xml, "timestamp.txt": "99999999999999999999"]) { folder in
      let version = try LensDatabase(folder, parsesAll: true).version
      #expect(version.contains("database of 20"))
    }
  }

  @Test func errorsSayWhatToDo() throws {
    func error(_ path: String) -> RAWError? {
      do { _ = try LensDatabase(path, parsesAll: true) } catch { return error }
      return nil
    }
    let missing = error("/nowhere/db")
    #expect(missing?.code == .cannotRead && missing?.path == "/nowhere/db")
    #expect(missing?.message.contains("liblensfun-data-v1") == true)
    try F.withFolder(["readme.txt": "x"]) { folder in
      let found = error(folder)
      #expect(found?.code == .cannotRead)
    }
    let full = F.xml([Self.lens])
    for text in [
      "", "hello", String(full.dropLast(200)),
      full.replacingOccurrences(of: "</mount>", with: ""),
      full.replacingOccurrences(of: "version=\"1\"", with: "version=\"2\""),
      full.replacingOccurrences(of: "<cropfactor>1.0</cropfactor>", with: ""),
    ] {
      try F.withFolder(["a.xml": full, "b.xml": text]) { folder in
        let found = error(folder)
        #expect(found?.code == .damaged && found?.message.contains("b.xml") == true)
        #expect(found?.message.contains("\n") == false)
      }
    }
    try F.withFolder(["b.xml": "<lensdatabase version=\"2\"></lensdatabase>"]) { folder in
      let found = error(folder)
      #expect(found?.message.contains("newest supported is only 1") == true)
    }
  }

  /// Commented elements are ignored, and ends of elements in comments too.
  @Test func elementsAreFoundAsText() throws {
    let lens = Self.lens.xml
    let other = lens.replacingOccurrences(of: "QX10-100mm", with: "QX10-200mm")
    for (text, count) in [
      ("<!-- \(other) --> \(lens)", 1), ("\(other)\(lens)", 2),
      (lens.replacingOccurrences(of: "</mount>", with: "</mount><!-- </lens> -->"), 1),
    ] {
      let end = "</lensdatabase>"
      let xml = F.xml([]).replacingOccurrences(of: end, with: text + end)
      let lenses = Array(xml.utf8).withUnsafeBytes { LensElements($0).all(.lens).count }
      #expect(lenses == count)
      try F.withFolder(["a.xml": xml]) { folder in
        let query = try #require(LensQuery(F.metadata()))
        let found = try LensDatabase(folder, parsesAll: false).profile(query)
        #expect(found != nil)
        #expect(found == (try LensDatabase(folder, parsesAll: true).profile(query)))
      }
    }
  }

  /// Parsing only what concerns the camera finds the same.
  @Test func partsOfTheSystemsDatabaseSayTheSame() throws {
    guard let path = LensDatabaseFolders.system else {
      try Missing.skip("liblensfun-data-v1")
    }
    let (parts, full) = (
      try LensDatabase(path, parsesAll: false), try LensDatabase(path, parsesAll: true)
    )
    var found = 0
    for (make, model, lens, focal) in [
      ("Canon", "Canon EOS 30D", "EF-S18-55mm f/3.5-5.6", 55),
      ("Canon", "EOS 30D", "EF50mm f/1.8", 50),
      ("Canon", "Canon EOS 5D Mark II", "EF24-105mm f/4L IS USM", 24),
      ("SONY", "ILCE-7RM4", "FE 24-105mm F4 G OSS", 105),
      ("FUJIFILM", "X-T2", "XF18-55mmF2.8-4 R LM OIS", 18),
      ("NIKON CORPORATION", "NIKON D5000", "AF-S DX VR Zoom-Nikkor 18-55mm f/3.5-5.6G", 24),
      ("NIKON CORPORATION", "NIKON Z 6", "NIKKOR Z 24-70mm f/4 S", 24),
      ("Panasonic", "DMC-G3", "LUMIX G VARIO 14-42/F3.5-5.6 II", 14),
      ("OLYMPUS CORPORATION", "E-M5MarkII", "OLYMPUS M.12-40mm F2.8", 12),
      ("RICOH IMAGING COMPANY, LTD.", "PENTAX K-3", "smc PENTAX-DA 35mm F2.4 AL", 35),
      ("Canon", "Canon PowerShot G7 X", nil as String?, 9), ("GoPro", "HERO4 Black", nil, 3),
      ("Canon", "Canon EOS 30D", "Nothing 18-55mm f/3.5-5.6", 18),
    ] {
      let metadata = LensFixture.metadata(
        make: make, model: model, lens: lens, focal: Rational(UInt32(focal), 1))
      let query = try #require(LensQuery(metadata))
      let profile = try parts.profile(query)
      let other = try full.profile(query)
      #expect(other == profile)
      print("lens", model, lens ?? "-", "→", profile?.lens ?? "none")
      if profile != nil { found += 1 }
    }
    #expect(found >= 8)
  }
}
