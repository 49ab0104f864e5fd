extension BatchItem.Failure {
  /// What the loss of a worker means for its file.
  init(_ failure: WorkerFailure, _ options: BatchOptions) {
    switch failure {
    case .cancelled: self.init(code: "interrupted", message: "interrupted; run the batch again")
    case .timeout:
      let limit = Int(options.timeoutSeconds)
      self.init(
        code: "timeout",
        message: "took longer than \(limit) s; give --timeout more, or fewer --jobs")
    case .memory:
      self.init(
        code: "tooLarge",
        message: "takes more than \(options.memoryBytes >> 20) MiB; give --memory more")
    case .crash(let end, let message):
      self.init(
        code: "crashed",
        message: "the decoder crashed on this file (\(end)); it is most likely damaged"
          + (message.map { ": \($0)" } ?? ""))
    }
  }
}
