import Batch
import Develop
import Recipes
import SystemPackage

extension TuningFolder {
  /// What is known of a raw.
  struct Picture {
    /// Its path below the root.
    let relative: FilePath
    var entry: Entry
    /// The file as it was last seen.
    var status: FileStatus?
    /// Why the scan refuses it.
    var refusal: String?
    /// Why it could not be read; holds until the file changes.
    var failure: String?
    /// Whether the file was replaced since it was opened or listed.
    var isReplaced = false
    /// Of the files beside it when their rating was read; nil where it was not.
    var ratedStamp: Int?
    var descriptionStamp = 0
    /// The ratings beside it and in it; nil for none.
    var besideRating: Int?
    var embeddedRating: Int?

    /// Brings the entry in line with the rest.
    mutating func update() {
      entry.rating = besideRating ?? embeddedRating ?? 0
      entry.problem =
        refusal ?? failure
        ?? (isReplaced ? "the file changed meanwhile; open the picture again" : nil)
    }
  }

  /// The raws and what is still to be done; every change of an entry is noted.
  struct State {
    var pictures: [Picture] = []
    var notes: [String] = []
    /// Whether an entry changed since the last refresh.
    var isChanged = false
    private var ids: [FilePath: Int] = [:]
    private var listings: [FilePath: FolderListing] = [:]
    /// Raws whose rating is wanted; the last one comes first.
    private var wanted: [Int] = []
    private var isRating = false

    /// Takes what a scan found; nil for nothing.
    mutating func take(_ scan: FolderScan?) {
      listings = scan?.listings ?? [:]
      notes = scan?.notes ?? []
      var seen: Set<Int> = []
      for raw in scan?.raws ?? [] {
        let id = ids[raw.relative] ?? add(raw)
        seen.insert(id)
        change(id) { picture in
          picture.entry.hasSettings = raw.hasSettings
          picture.refusal = raw.problem
          picture.descriptionStamp = raw.descriptionStamp
          if let status = raw.status, let old = picture.status, status != old {
            picture.isReplaced = true
            (picture.failure, picture.embeddedRating, picture.ratedStamp) = (nil, nil, nil)
          }
          picture.status = raw.status ?? picture.status
        }
      }
      for id in pictures.indices where !seen.contains(id) {
        change(id) { $0.refusal = "the file is no longer there; copy it back" }
      }
    }

    private mutating func add(_ raw: FolderScan.Raw) -> Int {
      let id = pictures.count
      let entry = Entry(
        id: id, name: raw.relative.shown, rating: 0, hasSettings: raw.hasSettings, problem: nil)
      pictures.append(Picture(relative: raw.relative, entry: entry, status: raw.status))
      ids[raw.relative] = id
      isChanged = true
      return id
    }

    private mutating func change(_ id: Int, _ body: (inout Picture) -> Void) {
      guard pictures.indices.contains(id) else { return }
      let old = pictures[id].entry
      body(&pictures[id])
      pictures[id].update()
      if pictures[id].entry != old { isChanged = true }
    }

    /// The raw is read anew from now on, as it is at `status`.
    mutating func opened(_ id: Int, _ status: FileStatus?) {
      change(id) { picture in
        if status != picture.status {
          (picture.failure, picture.embeddedRating, picture.ratedStamp) = (nil, nil, nil)
        }
        (picture.status, picture.isReplaced) = (status, false)
      }
    }

    /// Why the raw could not be read as it was at `status`.
    mutating func fail(_ id: Int, _ message: String, of status: FileStatus) {
      change(id) { if $0.status == status { $0.failure = message } }
    }

    mutating func rate(_ id: Int, beside rating: Int?) { change(id) { $0.besideRating = rating } }

    mutating func rate(_ id: Int, embedded rating: Int?, of status: FileStatus) {
      change(id) { if $0.status == status { $0.embeddedRating = rating } }
    }

    /// Notes whose ratings are to be read, and returns whether reading has to be started.
    mutating func wantRatings(of ids: Range<Int>) -> Bool {
      let new = ids.reversed().filter { pictures[$0].ratedStamp != pictures[$0].descriptionStamp }
      guard !new.isEmpty else { return false }
      for id in new { pictures[id].ratedStamp = pictures[id].descriptionStamp }
      wanted += new
      defer { isRating = true }
      return !isRating
    }

    /// The next raw whose rating is to be read, and what that takes; nil where none is left.
    mutating func nextToRate(
      below root: FilePath
    ) -> (id: Int, name: [UInt8], folder: [UInt8], listing: FolderListing)? {
      while let id = wanted.popLast() {
        let path = root.pushing(pictures[id].relative)
        let folder = path.removingLastComponent()
        guard pictures[id].refusal == nil, let listing = listings[folder],
          let name = path.lastComponent
        else { continue }
        return (id, name.bytes, folder.bytes, listing)
      }
      isRating = false
      return nil
    }
  }
}
