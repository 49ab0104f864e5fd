import Tuning

/// The progress of a development, as reported to pages.
struct JobState: Encodable, Sendable {
  /// Its state.
  enum Stage: String, Encodable, Sendable {
    case running, done, failed, cancelled
  }

  /// A file that was written.
  struct File: Encodable, Sendable {
    /// Its number in the job, from 0.
    var n: Int
    /// Its path below the folder of the raws, for people.
    var name: String
    var bytes: Int
  }

  /// A picture that could not be developed.
  struct Failure: Encodable, Sendable {
    var id: PictureID
    var name: String
    /// What happened and what to do next, one line.
    var error: String
  }

  var job: Int
  var done = 0
  var total: Int
  var state = Stage.running
  var files: [File] = []
  var failed: [Failure] = []
  /// Why the job as a whole ended; nil where it did not fail.
  var error: String?
}
