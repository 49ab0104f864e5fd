import Containers
import Foundation
import ImageCore
import RawFilter

/// A camera profile as a file of its own (.dcp; DNG 1.7.1 chapter 6, "Camera Profiles"): a
/// little-endian TIFF with magic number 0x4352 and one directory with the profile's tags and the
/// name of the camera. Values are copied and converted to that byte order.
struct CameraProfileFile {
  /// The file.
  let bytes: [UInt8]
  /// Tags that were left out because their type, and so their byte order, is unknown.
  let omitted: [String]

  init(_ profile: StoredProfile, cameraModel: String) {
    var fields: [TIFFField] = []
    var omitted: [String] = []
    for (tag, entry) in profile.entries {
      if let bytes = entry.littleEndianBytes {
        fields.append(TIFFField(tag, type: entry.type, count: entry.count, payload: bytes))
      } else {
        omitted.append("tag \(tag)")
      }
    }
    if !fields.contains(where: { $0.tag == DNGTag.uniqueCameraModel }) {
      fields.append(TIFFField(DNGTag.uniqueCameraModel, .ascii(cameraModel)))
    }
    bytes = Self.file(fields)
    self.omitted = omitted.sorted()
  }

  /// The profile of one calibration, by `colorMatrix` from XYZ to camera values and `forwardMatrix`
  /// from white-balanced ones to XYZ under D50; `illuminant` is an Exif LightSource.
  init(
    name: String, cameraModel: String, colorMatrix: Matrix3, forwardMatrix: Matrix3,
    illuminant: UInt16
  ) {
    omitted = []
    bytes = Self.file([
      TIFFField(DNGTag.uniqueCameraModel, .ascii(cameraModel)),
      Self.matrix(DNGTag.colorMatrix1, colorMatrix),
      TIFFField(DNGTag.calibrationIlluminant1, .shorts([illuminant])),
      TIFFField(DNGTag.profileName, .ascii(name)),
      // May be copied.
      TIFFField(DNGTag.profileEmbedPolicy, .longs([0])),
      Self.matrix(DNGTag.forwardMatrix1, forwardMatrix),
      // No black subtraction: it was measured.
      TIFFField(DNGTag.defaultBlackRender, .longs([1])),
    ])
  }

  /// The profile of a camera's look over its matrices from XYZ to camera values, nine numbers for
  /// D65 and, where they are known, for illuminant A.
  init(
    name: String, cameraModel: String, daylight: [Double], tungsten: [Double],
    look: CameraLookProfile
  ) {
    func floats(_ tag: UInt16, _ values: [Float]) -> TIFFField {
      TIFFField(
        tag, type: 11, count: values.count,
        payload: values.flatMap { $0.bitPattern.bytes(bigEndian: false) })
    }
    omitted = []
    let sets = [
      (CameraProfile.Calibration.illuminantA(tungsten), tungsten, UInt16(17)),
      (.daylight(daylight), daylight, 21),
    ].compactMap { set, matrix, illuminant in set.map { ($0, matrix, illuminant) } }
    let tags: [(color: UInt16, illuminant: UInt16, forward: UInt16)] = [
      (DNGTag.colorMatrix1, DNGTag.calibrationIlluminant1, DNGTag.forwardMatrix1),
      (DNGTag.colorMatrix2, DNGTag.calibrationIlluminant2, DNGTag.forwardMatrix2),
    ]
    bytes = Self.file(
      zip(tags, sets).flatMap { tags, set in
        [Self.matrix(tags.color, Matrix3(set.1)), TIFFField(tags.illuminant, .shorts([set.2]))]
          + (set.0.forwardMatrix.map { [Self.matrix(tags.forward, $0)] } ?? [])
      } + [
        TIFFField(DNGTag.uniqueCameraModel, .ascii(cameraModel)),
        TIFFField(DNGTag.profileName, .ascii(name)),
        floats(DNGTag.profileToneCurve, look.toneCurve.flatMap { [Float($0.x), Float($0.y)] }),
        // May be copied.
        TIFFField(DNGTag.profileEmbedPolicy, .longs([0])),
        TIFFField(
          DNGTag.profileLookTableDims,
          .longs(
            [CameraLookProfile.hues, CameraLookProfile.saturations, CameraLookProfile.values].map {
              UInt32($0)
            })),
        floats(DNGTag.profileLookTableData, look.lookTable.flatMap { [$0.x, $0.y, $0.z] }),
        // Values on sRGB's curve.
        TIFFField(DNGTag.profileLookTableEncoding, .longs([1])),
        TIFFField(
          DNGTag.baselineExposureOffset,
          .signedRationals([SignedRational(.nearest(CameraLookProfile.stops * 100), 100)])),
        // No black subtraction, as in our own rendering.
        TIFFField(DNGTag.defaultBlackRender, .longs([1])),
      ])
  }

  /// Signed fractions of 1/10000, to which readers round.
  private static func matrix(_ tag: UInt16, _ matrix: Matrix3) -> TIFFField {
    let values = matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
    return TIFFField(
      tag,
      .signedRationals(
        values.map { SignedRational(.nearest($0 * 10_000), 10_000) }))
  }

  /// The file of these tags.
  private static func file(_ fields: [TIFFField]) -> [UInt8] {
    let header: [UInt8] = [0x49, 0x49, 0x52, 0x43, 8, 0, 0, 0]
    return header
      + TIFFDirectoryWriter().bytes(fields.sorted { $0.tag < $1.tag }, at: header.count)
  }
}
