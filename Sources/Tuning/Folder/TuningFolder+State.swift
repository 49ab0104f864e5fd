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
    /// Of the files beside it when their rating was read; nil where it was not.
    var ratedStamp: Int?
    var descriptionStamp = 0
    /// The ratings beside it and in it; nil for none.
    var besideRating: Int?
    var embeddedRating: Int?

    /// Brings the entry in line with the rest.
    mutating func update() {
      entry.rating = besideRating ?? embeddedRating ?? 0
      entry.problem = refusal ?? failure
      entry.id = PictureID(relative, status)
    }
  }

  /// The raws and what is still to be done; every change of an entry is noted.
  struct State {
    var pictures: [Picture] = []
    var notes: [String] = []
    /// Whether an entry changed since the last refresh.
    var isChanged = false
    /// Indices by the half of an identity that identifies the path.
    private var indices: [UInt64: Int] = [:]
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
        let index = indices[PictureID.path(raw.relative)] ?? add(raw)
        seen.insert(index)
        change(index) { picture in
          picture.entry.hasSettings = raw.hasSettings
          picture.refusal = raw.problem
          picture.descriptionStamp = raw.descriptionStamp
          if let status = raw.status, let old = picture.status, status != old {
            (picture.failure, picture.embeddedRating, picture.ratedStamp) = (nil, nil, nil)
          }
          picture.status = raw.status ?? picture.status
          picture.entry.bytes = picture.status?.bytes
        }
      }
      for index in pictures.indices where !seen.contains(index) {
        change(index) { $0.refusal = "the file is no longer there; copy it back" }
      }
    }

    private mutating func add(_ raw: FolderScan.Raw) -> Int {
      let entry = Entry(
        id: PictureID(raw.relative, raw.status), name: raw.relative.shown, rating: 0,
        hasSettings: raw.hasSettings, problem: nil)
      pictures.append(Picture(relative: raw.relative, entry: entry, status: raw.status))
      indices[entry.id.path] = pictures.count - 1
      isChanged = true
      return pictures.count - 1
    }

    /// The index of the raw at the path of `id`, whatever file is there; nil if unknown.
    func index(_ id: PictureID) -> Int? { indices[id.path] }

    private mutating func change(_ index: Int, _ body: (inout Picture) -> Void) {
      guard pictures.indices.contains(index) else { return }
      let old = pictures[index].entry
      body(&pictures[index])
      pictures[index].update()
      if pictures[index].entry != old { isChanged = true }
    }

    /// From now on the raw is read again, with the file `status`.
    mutating func opened(_ index: Int, _ status: FileStatus) {
      change(index) { picture in
        if status != picture.status {
          (picture.failure, picture.embeddedRating, picture.ratedStamp) = (nil, nil, nil)
        }
        picture.status = status
      }
    }

    /// Why the raw could not be read as it was at `status`.
    mutating func fail(_ index: Int, _ message: String, of status: FileStatus) {
      change(index) { if $0.status == status { $0.failure = message } }
    }

    mutating func rate(_ index: Int, beside rating: Int?) {
      change(index) { $0.besideRating = rating }
    }

    mutating func rate(_ index: Int, embedded rating: Int?, of status: FileStatus) {
      change(index) { if $0.status == status { $0.embeddedRating = rating } }
    }

    /// Notes whose ratings are to be read, and returns whether reading has to be started.
    mutating func wantRatings(of range: Range<Int>) -> Bool {
      let new = range.reversed().filter { pictures[$0].ratedStamp != pictures[$0].descriptionStamp }
      guard !new.isEmpty else { return false }
      for index in new { pictures[index].ratedStamp = pictures[index].descriptionStamp }
      wanted += new
      defer { isRating = true }
      return !isRating
    }

    /// The next raw whose rating is to be read, and what that takes; nil where none is left.
    mutating func nextToRate(
      below root: FilePath
    ) -> (
      index: Int, relative: FilePath, name: [UInt8], folder: [UInt8], listing: FolderListing
    )? {
      while let index = wanted.popLast() {
        let relative = pictures[index].relative
        let path = root.pushing(relative)
        let folder = path.removingLastComponent()
        guard pictures[index].refusal == nil, let listing = listings[folder],
          let name = path.lastComponent
        else { continue }
        return (index, relative, name.bytes, folder.bytes, listing)
      }
      isRating = false
      return nil
    }
  }
}
