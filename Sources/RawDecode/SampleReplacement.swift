package import ImageCore

/// Samples that take the place of those in a file, such as those merged of several files, and what
/// is true of them.
package struct SampleReplacement: Sendable {
  /// The file's description, changed where that of the samples differs. Its size, layout and crop
  /// are the file's; opcode list 1 has been applied to the samples.
  package var info: RawInfo
  /// A UUID of all content that the samples are made of.
  package var contentUUID: String
  /// The files that the samples are made of.
  package var sources: Set<FileIdentity>
  /// Makes the samples of the active area, on a number of threads; may be called again.
  package var samples: @Sendable (_ workers: Int) throws(RAWError) -> SensorData

  package init(
    info: RawInfo, contentUUID: String, sources: Set<FileIdentity>,
    samples: @escaping @Sendable (_ workers: Int) throws(RAWError) -> SensorData
  ) {
    (self.info, self.contentUUID, self.samples) = (info, contentUUID, samples)
    self.sources = sources
    self.info.opcodes = info.opcodes.withoutStored
  }
}
