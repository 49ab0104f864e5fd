import Batch
import Develop
import Recipes
import SystemPackage

extension TuningFolder {
  /// What is known of a raw.
  struct Picture {
    /// Its path below the root.
    let relative: FilePath
    /// Whether the folder has it.
    var isListed = true
    /// The file as it was last seen.
    var status: FileStatus?
    /// Why the scan refuses it.
    var refusal: String?
    /// Why it could not be read; holds until the file changes.
    var failure: String?
    var sidecarStamp = 0
    var documentStamp = 0
    /// Of the files when their details were wanted; nil where they were not.
    var readStamp: Int?
    /// Rawdev's own sidecar; nil for none, or one that was not read yet.
    var sidecar: SidecarSummary?
    /// The marks of the XMP beside it; nil for none.
    var besideMarks: PictureMarks?
    /// Of the raw; nil as long as it was not read.
    var details: RawDetails?

    /// State of all files that the entry shows.
    var stamp: Int { [sidecarStamp, documentStamp, status?.hashValue ?? 0].hashValue }

    var id: PictureID { PictureID(relative, status) }

    /// The marks that the sidecar overrides.
    var weakerMarks: PictureMarks { besideMarks ?? details?.marks ?? PictureMarks() }

    /// The entry, where the values of properties are `own` instead of the sidecar's.
    func entry(_ own: [String: RecipeValue]? = nil) -> Entry {
      let marks = sidecar?.marks(over: weakerMarks) ?? weakerMarks
      let own = own ?? sidecar?.own
      let isUnread = sidecarStamp != 0 && sidecar == nil
      let isSet = isUnread || sidecar?.rest != nil || own?.isEmpty == false
      var hash = Hasher()
      hash.combine(status)
      hash.combine(documentStamp)
      hash.combine(sidecar?.rest)
      hash.combine(own ?? [:])
      let revision = UInt64(truncatingIfNeeded: hash.finalize())
      return Entry(
        id: id, name: relative.shown, rating: marks.rating, pick: marks.pick, hasSettings: isSet,
        bytes: status?.bytes, problem: refusal ?? failure ?? details?.problem, date: details?.date,
        revision: String(revision, radix: 36))
    }

    /// Forgets what was read of the file where it is another one now.
    mutating func see(_ new: FileStatus) {
      if let old = status, old != new { (failure, details) = (nil, nil) }
      status = new
    }
  }

  /// What is to be read of a raw for the list.
  struct Wanted {
    var key: UInt64
    var relative: FilePath
    var folder: FilePath
    var listing: FolderListing
    var hasSidecar: Bool
    var readsRaw: Bool
  }

  /// The raws and what is still to be done; every change of an entry is noted.
  struct State {
    /// All that ever were there, by the half of an identity that identifies the path.
    private(set) var pictures: [UInt64: Picture] = [:]
    /// The keys of the listed ones, in the order of names.
    private(set) var order: [UInt64] = []
    private(set) var notes: [String] = []
    /// What changed since somebody asked last.
    var change = Change.nothing
    /// The folders as they were scanned.
    private(set) var folders: [FilePath: FileStatus] = [:]
    private var listings: [FilePath: FolderListing] = [:]
    /// Raws whose details are wanted; the last one comes first.
    private var wanted: [UInt64] = []
    private(set) var isReading = false

    /// Takes what a scan found; nil for nothing. `keepsMissing`: whether raws that are gone stay in
    /// the list.
    mutating func take(_ scan: FolderScan?, keepsMissing: Bool) {
      listings = scan?.listings ?? [:]
      folders = scan?.folders ?? [:]
      notes = scan?.notes ?? []
      var order: [UInt64] = []
      for raw in scan?.raws ?? [] {
        let key = PictureID.path(raw.relative)
        order.append(key)
        if pictures[key] == nil {
          pictures[key] = Picture(relative: raw.relative, status: raw.status)
        }
        change(key) { picture in
          (picture.isListed, picture.refusal) = (true, raw.problem)
          if raw.sidecarStamp == 0 { picture.sidecar = nil }
          (picture.sidecarStamp, picture.documentStamp) = (raw.sidecarStamp, raw.documentStamp)
          if let status = raw.status { picture.see(status) }
        }
      }
      let present = Set(order)
      for key in self.order where !present.contains(key) {
        change(key) { picture in
          picture.refusal = "the file is no longer there; copy it back"
          picture.isListed = keepsMissing
        }
        if keepsMissing { order.append(key) }
      }
      if order != self.order { change = .list }
      self.order = order
    }

    /// The raw at the path of `id`, whatever file is there; nil if unknown.
    subscript(id: PictureID) -> Picture? { pictures[id.path] }

    private mutating func change(_ key: UInt64, _ body: (inout Picture) -> Void) {
      guard var picture = pictures[key] else { return }
      let old = picture.entry()
      body(&picture)
      pictures[key] = picture
      if picture.entry() != old, change == .nothing { change = .entries }
    }

    /// From now on the raw is read again, with the file `status`.
    mutating func opened(_ id: PictureID, _ status: FileStatus) {
      change(id.path) { $0.see(status) }
    }

    /// Why the raw could not be read as it was at `status`.
    mutating func fail(_ key: UInt64, _ message: String, of status: FileStatus) {
      change(key) { if $0.status == status { $0.failure = message } }
    }

    /// Takes the details of a raw.
    mutating func take(_ details: RawDetails, of key: UInt64) {
      change(key) { if $0.status == details.status { $0.details = details } }
    }

    /// Takes what is beside a raw.
    mutating func take(_ sidecar: SidecarSummary?, _ beside: PictureMarks?, of key: UInt64) {
      change(key) { ($0.sidecar, $0.besideMarks) = (sidecar, beside) }
    }

    /// Takes a sidecar that was just written.
    mutating func take(_ sidecar: SidecarSummary, of id: PictureID) {
      change(id.path) { $0.sidecar = sidecar }
    }

    /// Notes whose details are to be read, and returns whether reading has to be started.
    mutating func want(_ keys: some BidirectionalCollection<UInt64>) -> Bool {
      let new = keys.reversed().filter { key in
        pictures[key].map { $0.readStamp != $0.stamp } ?? false
      }
      guard !new.isEmpty else { return false }
      for key in new {
        guard let stamp = pictures[key]?.stamp else { continue }
        pictures[key]?.readStamp = stamp
      }
      wanted += new
      defer { isReading = true }
      return !isReading
    }

    /// The next raw whose details are to be read; nil where none is left.
    mutating func nextWanted(below root: FilePath) -> Wanted? {
      while let key = wanted.popLast() {
        guard let picture = pictures[key], picture.refusal == nil else { continue }
        let folder = root.pushing(picture.relative).removingLastComponent()
        guard let listing = listings[folder] else { continue }
        return Wanted(
          key: key, relative: picture.relative, folder: folder, listing: listing,
          hasSidecar: picture.sidecarStamp != 0, readsRaw: picture.details == nil)
      }
      isReading = false
      return nil
    }
  }
}
