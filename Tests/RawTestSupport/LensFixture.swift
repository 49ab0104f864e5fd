import Foundation
package import ImageCore

/// Lens databases written for tests, and pictures that go with them.
package enum LensFixture {
  /// One lens of a database, as XML.
  package struct Lens {
    package var maker: String
    package var model: String
    package var mount: String
    package var crop: Double
    package var aspect: String
    package var center: (x: Double, y: Double)?
    /// Elements of `<calibration>`.
    package var calibration: [String]

    package init(
      maker: String = "Acme", model: String = "Acme QX 10-100mm f/2-4 IS",
      mount: String = "Acme Q", crop: Double = 1, aspect: String = "3:2",
      center: (x: Double, y: Double)? = nil, calibration: [String]
    ) {
      (self.maker, self.model, self.mount) = (maker, model, mount)
      (self.crop, self.aspect, self.center) = (crop, aspect, center)
      self.calibration = calibration
    }

    package var xml: String {
      let center = center.map { "<center x=\"\($0.x)\" y=\"\($0.y)\"/>" } ?? ""
      return """
        <lens><maker>\(maker)</maker><model>\(model)</model><mount>\(mount)</mount>\(center)
        <cropfactor>\(crop)</cropfactor><aspect-ratio>\(aspect)</aspect-ratio>
        <calibration>\(calibration.joined())</calibration></lens>
        """
    }
  }

  package static let poly3 = #"<distortion model="poly3" focal="20" k1="-0.03"/>"#
  package static let poly5 = #"<distortion model="poly5" focal="20" k1="0.02" k2="-0.006"/>"#
  package static let ptLens =
    #"<distortion model="ptlens" focal="20" a="0.012" b="-0.04" c="0.015"/>"#
  package static let pincushion = #"<distortion model="poly3" focal="20" k1="0.03"/>"#
  package static let linear = #"<tca model="linear" focal="20" kr="1.0006" kb="0.9991"/>"#
  package static let tca = #"""
    <tca model="poly3" focal="20" br="0.0004" cr="-0.0002" vr="1.0005" bb="-0.0003" cb="0.0001" \#
    vb="0.9992"/>
    """#
  package static let vignetting = #"""
    <vignetting model="pa" focal="20" aperture="4" distance="1000" k1="-0.5" k2="0.2" k3="-0.1"/>
    """#

  /// A database of `lenses` and a camera with `crop`, with mount definitions.
  package static func xml(_ lenses: [Lens], cameraCrop: Double = 1, cameras: String = "") -> String
  {
    """
    <lensdatabase version="1">
    <mount><name>Acme Q</name><compat>Acme Old</compat></mount>
    <mount><name>Acme Old</name></mount>
    <camera><maker>Acme Corporation</maker><model>Acme Q1</model><mount>Acme Q</mount>
    <cropfactor>\(cameraCrop)</cropfactor></camera>
    \(cameras)
    \(lenses.map(\.xml).joined(separator: "\n"))
    </lensdatabase>
    """
  }

  /// Calls `body` with the path of a folder that holds `files`, which is deleted afterwards.
  package static func withFolder<R>(_ files: [String: String], _ body: (String) throws -> R) throws
    -> R
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lens-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    return try body(folder.path)
  }

  package static func metadata(
    make: String = "ACME", model: String = "Acme Q1", lens: String? = "QX10-100mm F2-4 IS",
    focal: Rational = Rational(20, 1), fNumber: Rational = Rational(4, 1)
  ) -> CaptureMetadata {
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii(make)
    metadata[.image, 0x0110] = .ascii(model)
    metadata[.exif, 0x920A] = .rationals([focal])
    metadata[.exif, 0x829D] = .rationals([fNumber])
    if let lens { metadata[.exif, 0xA434] = .ascii(lens) }
    return metadata
  }
}
