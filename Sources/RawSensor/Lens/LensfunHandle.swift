import CLensfun
import Foundation
import ImageCore
import Synchronization

/// The one owner of an `lfDatabase`: parses XML, returns plain values. Not synchronized: one thread
/// at a time. lensfun 0.3.3, LGPL-3.
///
/// lensfun and GLib report parse errors on standard error only; a log handler captures them while a
/// file is parsed.
final class LensfunHandle: @unchecked Sendable {
  /// Version of the headers, such as `0.3.3`.
  static let libraryVersion = "\(LF_VERSION_MAJOR).\(LF_VERSION_MINOR).\(LF_VERSION_MICRO)"

  /// A file that is not a lensfun database.
  struct Damage: Error {
    /// lensfun's message: file, line and reason; empty where it gave none.
    var reason: String
  }

  private let database: UnsafeMutablePointer<lfDatabase>

  /// An empty database; nil without memory.
  init?() {
    guard let made = lf_db_new() else { return nil }
    database = made
  }

  deinit { Self.lock.withLock { _ in lf_db_destroy(database) } }

  /// Held while lensfun makes or destroys lenses, whichever database they are in: it counts them
  /// without a lock, and with the last one frees regular expressions of the process. While it
  /// parses it also sets the process's locale to C.
  static let lock = Mutex(())

  /// Adds the mounts, cameras and lenses of one XML text called `name`.
  func load(_ text: UnsafeRawBufferPointer, name: String) throws(Damage) {
    let loaded = Self.lock.withLock { _ in
      GLibMessages.during {
        lf_db_load_data(
          database, name, text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count)
      }
    }
    guard loaded.result == LF_NO_ERROR else { throw Damage(reason: loaded.message) }
  }

  /// All cameras.
  var cameras: [LensCamera] {
    Self.list(lf_db_get_cameras(database)).map { camera in
      LensCamera(
        makers: Self.texts(camera.pointee.Maker), models: Self.texts(camera.pointee.Model),
        mount: camera.pointee.Mount.map { String(cString: $0) } ?? "",
        cropFactor: Double(camera.pointee.CropFactor))
    }
  }

  /// The mounts of all lenses.
  var lensMounts: Set<String> {
    Set(Self.list(lf_db_get_lenses(database)).flatMap { Self.strings($0.pointee.Mounts) })
  }

  /// `mount` and the mounts whose lenses fit it.
  func mounts(fitting mount: String) -> [String] {
    guard let found = lf_db_find_mount(database, mount) else { return [mount] }
    return [mount] + Self.strings(found.pointee.Compat)
  }

  /// The lenses that fit one of `mounts` and cover `focalLength` in millimeters, within 1 %.
  func lenses(fitting mounts: [String], focalLength: Double) -> [LensEntry] {
    let wanted = Set(mounts)
    return Self.list(lf_db_get_lenses(database)).enumerated().compactMap { index, lens in
      let (shortest, longest) = (Double(lens.pointee.MinFocal), Double(lens.pointee.MaxFocal))
      guard shortest > 0, focalLength >= shortest * 0.99,
        focalLength <= max(shortest, longest) * 1.01,
        !wanted.isDisjoint(with: Self.strings(lens.pointee.Mounts))
      else { return nil }
      return LensEntry(
        index: index, makers: Self.texts(lens.pointee.Maker),
        models: Self.texts(lens.pointee.Model),
        cropFactor: Double(lens.pointee.CropFactor), aspectRatio: Double(lens.pointee.AspectRatio),
        center: SIMD2(Double(lens.pointee.CenterX), Double(lens.pointee.CenterY)))
    }
  }

  /// The calibration of lens `index` at `shot`, interpolated by lensfun.
  func calibration(_ index: Int, at shot: LensShot) -> LensCalibration {
    let lenses = Self.list(lf_db_get_lenses(database))
    guard lenses.indices.contains(index) else { return LensCalibration() }
    let lens = lenses[index]
    let focal = Float(shot.focalLength)
    var result = LensCalibration()
    var distortion = lfLensCalibDistortion()
    if clensfun_distortion(lens, focal, &distortion) != 0 {
      let k = floats(distortion.Terms)
      result.distortion =
        switch distortion.Model {
        case LF_DIST_MODEL_POLY3: .poly3(k[0])
        case LF_DIST_MODEL_POLY5: .poly5(k[0], k[1])
        case LF_DIST_MODEL_PTLENS: .ptLens(a: k[0], b: k[1], c: k[2])
        default: nil
        }
    }
    var tca = lfLensCalibTCA()
    if clensfun_lateral_color(lens, focal, &tca) != 0 {
      // Red and blue alternate, the constant first.
      let k = floats(tca.Terms)
      result.lateralColor =
        switch tca.Model {
        case LF_TCA_MODEL_LINEAR: .init(red: SIMD3(k[0], 0, 0), blue: SIMD3(k[1], 0, 0))
        case LF_TCA_MODEL_POLY3:
          .init(red: SIMD3(k[0], k[2], k[4]), blue: SIMD3(k[1], k[3], k[5]))
        default: nil
        }
    }
    var vignetting = lfLensCalibVignetting()
    if let fNumber = shot.fNumber,
      clensfun_vignetting(
        lens, focal, Float(fNumber), Float(shot.distance), &vignetting) != 0,
      vignetting.Model == LF_VIGNETTING_MODEL_PA
    {
      let k = floats(vignetting.Terms)
      result.vignetting = SIMD3(k[0], k[1], k[2])
    }
    return result
  }

  /// The first position of `words` in the XML `text` from `start` on.
  static func position(
    of words: StaticString, in text: UnsafeRawBufferPointer, from start: Int = 0
  ) -> Int? {
    position(
      UnsafeRawBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount), text, start)
  }

  /// Whether the XML `text` contains `words`.
  static func contains(_ text: UnsafeRawBufferPointer, _ words: String) -> Bool {
    Array(words.utf8).withUnsafeBytes { position($0, text, 0) != nil }
  }

  private static func position(
    _ words: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ start: Int
  ) -> Int? {
    guard start <= text.count else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: text[start...])
    let found = clensfun_find(rest.baseAddress, rest.count, words.baseAddress, words.count)
    return found < 0 ? nil : start + found
  }

  /// The pointers up to the first null.
  private static func list<T>(
    _ first: UnsafePointer<UnsafePointer<T>?>?
  ) -> [UnsafePointer<T>] {
    var result: [UnsafePointer<T>] = []
    var next = first
    while let here = next, let value = here.pointee {
      result.append(value)
      next = here + 1
    }
    return result
  }

  private static func strings(
    _ first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) -> [String] {
    let texts = UnsafeRawPointer(first)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    return list(texts).map { String(cString: $0) }
  }

  /// The texts of a name in several languages: the text, then language and text alternating, and an
  /// empty one at the end.
  private static func texts(_ name: lfMLstr?) -> [String] {
    guard var here = name else { return [] }
    var parts: [String] = []
    while here.pointee != 0 {
      parts.append(String(cString: here))
      here += strlen(here) + 1
    }
    return parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }
}
