package import ImageCore

/// Samples that replace those of a file, such as a merge of several files, with their metadata.
package struct SampleReplacement: Sendable {
  /// The file's metadata, changed where the samples differ. Size, layout and crop are unchanged;
  /// opcode list 1 has been applied to the samples.
  package var info: RawInfo
  /// A UUID of all source content.
  package var contentUUID: String
  /// The source files of the samples.
  package var sources: Set<FileIdentity>
  /// Produces the samples of the active area on a number of threads; may be called repeatedly.
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
