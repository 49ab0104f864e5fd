import Batch
import Foundation
import Synchronization
import SystemPackage
import Tuning

/// Detects changes of the documents of opened raws, and notifies pages.
final class DocumentWatch: Sendable {
  private let pages: Pages
  private let edits: EditKeeper
  /// What pages know of each raw.
  private let known = Mutex<[PictureID: Data]>([:])
  private let lists = Mutex<[PictureID: WatchList]>([:])

  init(_ pages: Pages, _ edits: EditKeeper) { (self.pages, self.edits) = (pages, edits) }

  /// A page already has `state` of the raw `id`, and needs no notification.
  func note(_ id: PictureID, _ state: TuningDocument.State) {
    let data = try? Answers.encoder.encode(state)
    known.withLock { $0[id] = data }
  }

  /// Checks the documents of `pictures` once. Only changed ones are read.
  func look(at pictures: [OpenPictures.Picture]) {
    let ids = Set(pictures.map(\.id))
    lists.withLock { lists in lists = lists.filter { ids.contains($0.key) } }
    known.withLock { known in known = known.filter { ids.contains($0.key) } }
    for picture in pictures where isChanged(picture) {
      guard let state = try? picture.document.state(), (try? edits.edit(picture.id)) != nil,
        let data = try? Answers.encoder.encode(state)
      else { continue }
      let former = known.withLock { $0.updateValue(data, forKey: picture.id) }
      if let former, former != data {
        pages.send(.document(id: picture.id))
      }
    }
  }

  /// Whether a document of the raw changed since the last time; true the first time.
  private func isChanged(_ picture: OpenPictures.Picture) -> Bool {
    lists.withLock { lists in
      var list =
        lists[picture.id]
        ?? WatchList(
          [picture.path], workingFolder: "/", except: nil, isFlat: false, settleSeconds: 0)
      defer { lists[picture.id] = list }
      // A missing raw is a change of the folder, not of documents.
      return (try? list.round()) != nil
    }
  }
}
