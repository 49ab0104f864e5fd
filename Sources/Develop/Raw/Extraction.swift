import Containers
import Formats
import Foundation
import ImageCore
import RawFilter
import Writers

/// The extraction of the parts of one raw; see ``Extractor``.
struct Extraction {
  let input: String
  let folder: String
  let stem: String
  let existing: ExistingFiles
  /// Files that are not replaced in any case.
  let protected: Set<FileIdentity>
  let written: (Extractor.Item) -> Void
  var report = Extractor.Report()
  private var taken: Set<String> = []

  init(
    input: String, folder: String, stem: String, existing: ExistingFiles,
    keeping protected: Set<FileIdentity>, written: @escaping (Extractor.Item) -> Void
  ) {
    self.input = input
    self.folder = folder
    self.stem = stem
    self.existing = existing
    self.protected = protected
    self.written = written
  }

  /// Writes a preview, turned by `missing`.
  mutating func extract(_ preview: EmbeddedPreview, _ missing: Orientation) throws {
    try write(
      preview.jpeg(declaring: missing), .preview, "preview", "jpg", size: preview.size)
  }

  mutating func extract(_ part: Extractor.Part, of filter: RAWFilter) throws {
    switch part {
    case .preview:
      guard let preview = filter.previewImage else { return }
      try extract(preview, filter.previewOrientation)
    case .mattes:
      for matte in filter.semanticMattes {
        try write(matte.picture, .mattes, "matte-\(matte.kind.label)", name: matte.kind.label)
      }
      if let mask = filter.transparencyMask {
        try write(mask, .mattes, "transparency", name: "transparency")
      }
    case .depth:
      if let depth = filter.depthMap { try write(depth.picture, .depth, "depth", name: "") }
    case .gainTableMap: try writeGainTableMaps(of: filter)
    case .profiles: try writeProfiles(of: filter)
    case .xmp:
      guard let packet = filter.properties.xmp else { return }
      try write(packet, .xmp, "embedded", "xmp")
    }
  }

  private mutating func writeGainTableMaps(of filter: RAWFilter) throws {
    for map in filter.storedGainTableMaps {
      let name = "gain-table-map"
      let target = try target(name, "json")
      var bytes = 0
      _ = try target.write(OutputContent("JSON", ["json"])) { descriptor in
        try GainTableMapFile(map).write { chunk in
          try AtomicFile.append(chunk, to: descriptor, path: target.name)
          bytes += chunk.count
        }
      }
      add(.gainTableMap, target.name, "", bytes: bytes, nil)
      try write(map.entry.bytes, .gainTableMap, name, "bin")
    }
  }

  private mutating func writeProfiles(of filter: RAWFilter) throws {
    for (index, profile) in filter.storedProfiles.enumerated() {
      let name = profile.name ?? (index == 0 ? "main" : "\(index)")
      let file = CameraProfileFile(profile, cameraModel: filter.cameraName)
      if let policy = profile[DNGTag.profileEmbedPolicy]?.integer, policy == 1 || policy == 2 {
        report.notes.append(
          "profile \"\(name)\" is licensed only for its own file")
      }
      if !file.omitted.isEmpty {
        report.notes.append(
          "profile \"\(name)\" lacks \(file.omitted.joined(separator: ", ")), which it "
            + "describes in an unknown form")
      }
      try write(file.bytes, .profiles, "profile-\(name)", "dcp", name: name)
    }
  }

  private mutating func write(
    _ picture: AuxiliaryPicture, _ part: Extractor.Part, _ suffix: String, name: String
  ) throws {
    let image: MatteImage
    do {
      image = try picture.image()
    } catch {
      var failure = error
      (failure.message, failure.path) = ("\(suffix): \(error.message)", input)
      report.failures.append(failure)
      return
    }
    let isByte = picture.bitsPerSample <= 8 && !picture.isFloat
    let top: Float = isByte ? 255 : 65535
    let target = try target(suffix, "png")
    let width = image.size.width
    let (bytes, _) = try PNGWriter(depth: isByte ? .bits8 : .bits16).write(
      size: image.size, to: target
    ) { y, samples in
      for x in 0..<width {
        samples[x] = UInt16((image.samples[y * width + x] * top).rounded())
      }
    }
    add(part, target.name, name, bytes: bytes, image.size)
  }

  private mutating func write(
    _ bytes: [UInt8], _ part: Extractor.Part, _ suffix: String, _ pathExtension: String,
    name: String = "", size: PixelSize? = nil
  ) throws {
    let target = try target(suffix, pathExtension)
    _ = try target.write(OutputContent(part.rawValue, [pathExtension]), chunks: [bytes])
    add(part, target.name, name, bytes: bytes.count, size)
  }

  private mutating func add(
    _ part: Extractor.Part, _ path: String, _ name: String, bytes: Int, _ size: PixelSize?
  ) {
    let item = Extractor.Item(
      part: part, path: path, name: name, bytes: bytes, width: size?.width, height: size?.height)
    report.items.append(item)
    written(item)
  }

  /// A file in the folder, which is made.
  private mutating func target(
    _ suffix: String, _ pathExtension: String
  ) throws -> OutputDestination {
    try makeFolder()
    return .file(path: path(suffix, pathExtension), existing: existing, followsLinks: false)
      .keeping(protected)
  }

  private func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw WriteError(
        .cannotWrite, "cannot make the folder; name one that is there or can be made", path: folder)
    }
  }

  /// A path that is not used yet. As `suffix` comes from the raw, only its letters, digits, `-` and
  /// `_` are used.
  private mutating func path(_ suffix: String, _ pathExtension: String) -> String {
    let plain = suffix.unicodeScalars.map { scalar -> Character in
      let isPlain =
        scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || scalar == "_"
      return isPlain ? Character(scalar) : "-"
    }
    let base = "\(stem)-\(String(plain).prefix(80))"
    var (name, number) = ("\(base).\(pathExtension)", 1)
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(base)-\(number).\(pathExtension)"
    }
    return URL(fileURLWithPath: folder).appendingPathComponent(name).path
  }
}
