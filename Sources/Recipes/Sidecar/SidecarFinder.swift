import Containers
import Foundation

/// Finds the sidecars of the raws of one folder.
///
/// For `photo.CR2`, in this order; extensions match in any case, the name before them exactly:
/// 1. `photo.CR2.rawdev.yaml`, `.yml` or `.json`: rawdev's own sidecar; two of them are an error.
/// 2. `photo.CR2.xmp` with settings of Camera Raw.
/// 3. `photo.xmp` with settings of Camera Raw, if it belongs to this raw:
///      - photoshop:SidecarForExtension decides, where present;
///      - else, of several raws of that name, it belongs to the camera's own format, not to a DNG,
///        since Adobe's programs write into DNGs, as they do into JPEGs;
///      - else, between two such raws, crs:RawFileName or xmpMM:PreservedFileName decides;
///      - else it is not used for either, with a warning.
/// 4. The XMP in the file, with settings of Camera Raw.
/// 5. `photo.CR2.xmp`, or a `photo.xmp` that belongs to this raw, with only tiff:Orientation or
///     the history of darktable.
/// Only the first XMP that applies is used; XMPs are never merged. Its descriptive metadata, or
/// of the first of these files where none has settings, or of RawTherapee's
/// `photo.CR2.pp3`, are ``FoundSidecars/description``. A sidecar that cannot be read or is not XMP
/// is an error of this raw; damaged XMP in the file is a warning, as the camera may have written
/// it. `photo_01.CR2.xmp` is darktable's second version of the picture: a note.
public struct SidecarFinder: Sendable {
  private let folder: [UInt8]
  private let listing: FolderListing

  /// A finder for the raws in `folder`, whose listing is `listing`.
  public init(folder: [UInt8], listing: FolderListing) {
    self.folder = folder
    self.listing = listing
  }

  /// A finder for the raws in `folder`, whose names are read now.
  public init(folder: [UInt8]) throws(RecipeError) {
    self.init(folder: folder, listing: try FolderListing(folder: folder))
  }

  /// The sidecars of the raw `name` in the folder. `embedded` returns the XMP packet in the raw,
  /// and is called only where no sidecar applies.
  public func sidecars(
    of name: [UInt8], embedded: () -> [UInt8]? = { nil }
  ) throws(RecipeError) -> FoundSidecars {
    var found = FoundSidecars()
    found.own = try own(name)
    var rest: [FoundSidecars.XMP] = []
    let (stem, ending) = Self.parts(name)
    for file in listing.files(stem, ending + Array(".xmp".utf8), exact: ending.count) {
      try consider(file, for: name, shared: false, &found, &rest)
    }
    if !ending.isEmpty {
      for file in listing.files(stem, Array(".xmp".utf8)) {
        try consider(file, for: name, shared: true, &found, &rest)
      }
    }
    let files = [found.xmp].compactMap(\.self) + rest
    let described = files.lazy.compactMap { file in
      SidecarDescription.packet(file.bytes).map { (file: file, packet: $0) }
    }.first
    found.description = described?.packet
    if case .file(let path)? = (described?.file ?? files.first)?.origin {
      found.descriptionFile = path
    }
    if found.description == nil, !ending.isEmpty {
      for file in listing.files(stem, ending + Array(".pp3".utf8), exact: ending.count) {
        found.description = SidecarDescription.packet(
          profile: try Self.bytes(folder.joinedPath(file), atMost: RecipeLimits.documentBytes))
      }
    }
    if found.xmp == nil { considerEmbedded(embedded(), &found) }
    for xmp in rest {
      let isDarktable = DarktableSettings.isIn(xmp.packet)
      if found.xmp == nil, isDarktable || xmp.packet[.orientation] != nil {
        found.xmp = xmp
      } else {
        let writer = isDarktable ? "written by darktable, it" : "it"
        found.passedOver.append(
          .init(origin: xmp.origin, reason: "\(writer) holds no settings of Camera Raw"))
      }
    }
    for duplicate in listing.duplicates(of: name + Array(".xmp".utf8)) {
      found.notes.append(
        "\(RawNames.shown(duplicate)) is darktable's sidecar for a further version; not developed")
    }
    return found
  }

  /// `name` without its extension, and the extension with its dot; empty where it has none.
  private static func parts(_ name: [UInt8]) -> (stem: [UInt8], ending: [UInt8]) {
    RawNames.split(name).map { ($0.stem, Array(name[$0.stem.count...])) } ?? (name, [])
  }

  /// rawdev's own sidecar of the raw `name`; nil where it has none. Reads no file.
  package func own(_ name: [UInt8]) throws(RecipeError) -> [UInt8]? {
    let (stem, ending) = Self.parts(name)
    let files = ["yaml", "yml", "json"].flatMap {
      listing.files(stem, ending + Array(".rawdev.\($0)".utf8), exact: ending.count)
    }
    guard files.count < 2 else {
      throw RecipeError(
        .badSetting,
        "the raw has more than one sidecar: \(files.map(RawNames.shown).joined(separator: ", ")); "
          + "keep one of them",
        path: RawNames.shown(folder.joinedPath(name)))
    }
    return files.first.map(folder.joinedPath)
  }

  /// The same for one raw of `folder`, whose names are read now; only names that begin like it are
  /// stored.
  package static func own(
    _ name: [UInt8], in folder: [UInt8]
  ) throws(RecipeError) -> [UInt8]? {
    let listing = try FolderListing(folder: folder, startingWith: parts(name).stem)
    return try SidecarFinder(folder: folder, listing: listing).own(name)
  }

  private func consider(
    _ file: [UInt8], for name: [UInt8], shared: Bool, _ found: inout FoundSidecars,
    _ rest: inout [FoundSidecars.XMP]
  ) throws(RecipeError) {
    let path = folder.joinedPath(file)
    let origin = FoundSidecars.Origin.file(path)
    guard found.xmp == nil else {
      found.passedOver.append(.init(origin: origin, reason: "a stronger XMP is used"))
      return
    }
    let bytes = try Self.bytes(path)
    let packet = try XMPPacket(bytes, path: RawNames.shown(path))
    if shared {
      switch owner(of: packet, for: name) {
      case .this: break
      case .other(let reason):
        found.passedOver.append(.init(origin: origin, reason: reason))
        return
      case .unknown(let names):
        let all = names.map(RawNames.shown).joined(separator: " or ")
        found.passedOver.append(.init(origin: origin, reason: "it may belong to \(all)"))
        found.warnings.append(
          "\(RawNames.shown(file)) may belong to \(all) and is not applied; rename it to "
            + "\(RawNames.shown(name)).xmp if it belongs to this one")
        return
      }
    }
    let xmp = FoundSidecars.XMP(origin: origin, packet: packet, bytes: bytes)
    if AdobeSettings.isIn(packet) {
      found.xmp = xmp
    } else {
      rest.append(xmp)
    }
  }

  /// The bytes of a sidecar. One that cannot be read is an error of its picture, which would
  /// silently be wrong without it.
  package static func bytes(
    _ path: [UInt8], atMost limit: Int = XMPPacket.maxBytes
  ) throws(RecipeError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try SmallFile.bytes(path, limit: limit) } catch {
      let reason =
        switch error {
        case .zeroByte: "its name holds a zero byte"
        case .notRegular: "it is no file"
        case .system(let number): unsafe String(cString: strerror(number))
        }
      throw RecipeError(
        .cannotRead,
        "the sidecar cannot be read: \(reason); make it readable or move it away",
        path: RawNames.shown(path))
    }
    guard bytes.count <= limit else {
      throw RecipeError(
        .cannotRead,
        "the sidecar has more than \(limit >> 20) MiB, which none has; move it away",
        path: RawNames.shown(path))
    }
    return bytes
  }

  private func considerEmbedded(_ bytes: [UInt8]?, _ found: inout FoundSidecars) {
    guard let bytes else { return }
    do {
      let packet = try XMPPacket(bytes)
      if AdobeSettings.isIn(packet) {
        found.xmp = .init(origin: .embedded, packet: packet, bytes: bytes)
      }
    } catch {
      found.warnings.append("the XMP in the file is not used: \(error.message)")
    }
  }

  private enum Owner {
    case this
    case other(String)
    case unknown([[UInt8]])
  }

  /// The raw that `photo.xmp` with this content belongs to, as seen from `name`.
  private func owner(of packet: XMPPacket, for name: [UInt8]) -> Owner {
    guard let (stem, ending) = RawNames.split(name) else { return .this }
    if let wanted = packet[.photoshop, "SidecarForExtension"]?.text, !wanted.isEmpty {
      let own = RawNames.lowered(wanted.utf8.drop { $0 == UInt8(ascii: ".") })
      let isThis = own == Array(ending.utf8)
      return isThis ? .this : .other("it declares a file with the ending \(wanted)")
    }
    let others = listing.raws(stem).filter { $0 != name }
    func isDNG(_ name: [UInt8]) -> Bool { RawNames.split(name)?.ending == "dng" }
    let rivals = others.filter { isDNG($0) == isDNG(name) }
    if isDNG(name), let other = others.first(where: { !isDNG($0) }) {
      return .other("it belongs to \(RawNames.shown(other)): Adobe's programs write into DNGs")
    }
    if rivals.isEmpty { return .this }
    let names = [
      packet[AdobeSettings.rawFileName], packet[.media, "PreservedFileName"],
    ]
    for original in names.compactMap({ $0?.text }).map({ Array($0.utf8) }) {
      // The case of letters counts where it tells the raws apart.
      let alike = ([name] + rivals).filter { RawNames.lowered($0) == RawNames.lowered(original) }
      let exact = alike.filter { $0 == original }
      guard let owner = exact.first ?? (alike.count == 1 ? alike.first : nil) else { continue }
      if owner == name { return .this }
      return .other("it declares \(RawNames.shown(owner))")
    }
    return .unknown(([name] + rivals).sorted { $0.lexicographicallyPrecedes($1) })
  }
}
