import Codecs
import Containers
import Formats
import ImageCore
import RawDecode

/// The content of a DNG made from a raw: its directories, with the metadata of the raw.
///
/// Entries of a DNG are copied unchanged, in their byte order, and so are all auxiliary pictures
/// (previews, mattes, masks, depth), without recompression. For other raws the tags are derived
/// from the camera's metadata, LibRaw or the camera table (``DNGCamera``). Samples are preserved as
/// stored, before LinearizationTable, which is copied, too; for raws other than DNGs they are
/// stored after the maker's own curve, which is part of the compression.
struct DNGContent {
  /// Information about the raw and its source supplied by the caller.
  struct SourceInfo {
    /// File name of the source, without folders.
    var name: String
    /// The source's MD5.
    var digest: [UInt8]
    /// Description of the rendition; empty if all samples are unchanged.
    var rendition = ""
    var previews: DNGPreviews
    /// The raw's metadata, with replacements from a sidecar.
    var metadata: CaptureMetadata
    /// BaselineExposure in stops for a raw that declares none.
    var baselineExposure: Double?
    /// NoiseProfile for a raw that declares none.
    var noise: [(scale: Double, offset: Double)] = []
  }

  let document: DNGDocument
  /// Index of the directory with the raw picture.
  let rawIndex: Int
  /// Warnings about lost data, one sentence each.
  let notes: [String]

  /// `linear` replaces the stored samples.
  init(
    _ raw: RawFile, _ chunks: RawChunks, _ sourceInfo: SourceInfo, linear: LinearPicture?,
    workers: Int
  ) throws(PixelError) {
    let info = linear?.info ?? raw.info
    let make = DNGFields(bigEndian: chunks.bigEndian)
    var (main, picture) = (DNGDirectory(), DNGDirectory())
    var notes: [String] = []
    if let tags = raw.tags, let tiff = raw.tiff {
      DNGSource(tiff, tags).copyEntries(to: &main, picture: &picture)
      if let linear {
        let camera = DNGCamera(info, chunks.data, make)
        if linear.kind == .merged {
          camera.replaceSamples(in: &picture, &main)
        } else {
          camera.replaceMosaic(in: &picture)
        }
        if linear.kind == .corrected {
          picture.fields.removeAll { DNGTag.ofCorrections.contains($0.tag) }
        }
      } else if chunks.shift > 0 {
        DNGCamera(info, chunks.data, make).replaceLevels(in: &picture)
      }
    } else {
      DNGCamera(info, chunks.data, make).add(to: &main, picture: &picture)
      if let stops = sourceInfo.baselineExposure {
        main.add(make.signedRationals(DNGTag.baselineExposure, [stops]))
      }
    }
    if linear?.kind == .corrected {
      picture.add(make.rationals(DNGTag.noiseReductionApplied, [1]))
    } else {
      picture.add(
        make.doubles(DNGTag.noiseProfile, sourceInfo.noise.flatMap { [$0.scale, $0.offset] }))
    }
    let metadata = DNGMetadata(
      raw, sourceInfo.metadata,
      XMPSourceReference(
        name: sourceInfo.name, md5: sourceInfo.digest, rendition: sourceInfo.rendition), make)
    main.fields.removeAll { metadata.replaced.contains($0.tag) }
    for field in metadata.image { main.add(field) }
    if linear?.kind == .merged {
      DNGMergedTags(info, sourceInfo, make).set(in: &main, keepsXMP: metadata.keepsXMP)
      if metadata.keepsXMP {
        notes.append("the noise of the brightest areas could not be stored and was dropped")
      }
    }
    main.set(make.short(TIFFTag.orientation, raw.info.orientation.rawValue))
    main.set(make.text(TIFFTag.software, Self.software(of: raw)))
    if !sourceInfo.name.isEmpty { main.add(make.text(DNGTag.originalRawFileName, sourceInfo.name)) }
    main.add(make.bytes(DNGTag.rawDataUniqueID, sourceInfo.digest))
    if !chunks.isLossy {
      let digest = try RawImageDigest.digest(
        chunks.data.samples, size: chunks.data.size, planes: chunks.planes, workers: workers)
      main.add(make.bytes(DNGTag.newRawImageDigest, digest))
    }
    Self.addVersions(raw.tags, chunks, make, to: &main)
    Self.addStorage(chunks, make, to: &picture)
    if linear == nil, chunks.shift == 0, let white = raw.tags?.levels.white {
      picture.add(
        white.allSatisfy { $0 == $0.rounded() && $0 >= 0 }
          ? make.longs(DNGTag.whiteLevel, white.map { Int($0) })
          : make.rationals(DNGTag.whiteLevel, white))
    }
    if raw.linearizationTable.isEmpty {
      picture.fields.removeAll { $0.tag == DNGTag.linearizationTable }
    }
    picture.chunks = .raw(chunks)
    picture.isTiled = chunks.isTiled

    var others: [DNGDirectory] = []
    if let tags = raw.tags, let tiff = raw.tiff {
      let source = DNGSource(tiff, tags)
      others = source.otherPictures(withPreviews: sourceInfo.previews.keepsOwn, notes: &notes)
      if sourceInfo.previews.keepsOwn { source.copyPreview(to: &main, notes: &notes) }
    }
    if case .none = main.chunks, let thumbnail = sourceInfo.previews.thumbnail {
      Self.add(thumbnail, make, to: &main)
    }
    if let jpeg = sourceInfo.previews.jpeg, var preview = Self.preview(jpeg, make) {
      if sourceInfo.previews.isDrawn {
        preview.add(make.text(DNGTag.previewApplicationName, RawdevVersion.name))
      }
      others.insert(preview, at: 0)
    }
    var document: DNGDocument
    if case .none = main.chunks {
      // The raw picture is in IFD 0, with its entries first.
      for field in main.fields { picture.add(field) }
      document = DNGDocument(bigEndian: chunks.bigEndian, directories: [picture] + others)
      rawIndex = 0
    } else {
      document = DNGDocument(bigEndian: chunks.bigEndian, directories: [main, picture] + others)
      rawIndex = 1
    }
    document.exif = metadata.exif
    document.gps = metadata.gps
    document.interoperability = metadata.interoperability
    document.note = metadata.note
    if let privateData = metadata.privateData {
      document.directories[0].add(privateData)
    }
    if let safety = metadata.safety { document.directories[0].add(safety) }
    if let tiff = raw.tiff, raw.tags != nil {
      document.profiles = DNGProfileCopy.profiles(in: tiff, notes: &notes)
    }
    self.document = document
    self.notes = notes + metadata.notes
  }

  /// This program, followed by the software of the source, often the camera's.
  private static func software(of raw: RawFile) -> String {
    var own: String?
    if case .ascii(let text)? = raw.metadata[.image, TIFFTag.software] { own = text }
    guard let own, !own.isEmpty else { return RawdevVersion.software }
    return own.begins(with: RawdevVersion.name) ? own : RawdevVersion.software + "; " + own
  }

  /// DNG 1.4 or the version of the source, and the minimum reader version: 1.1 for lossless JPEG,
  /// 1.4 for floating point, 1.7 for JPEG XL, the source's for its opcodes and other tags.
  private static func addVersions(
    _ tags: DNGTags?, _ chunks: RawChunks, _ make: DNGFields, to main: inout DNGDirectory
  ) {
    func later(_ a: [Int], _ b: [Int]) -> [Int] { a.lexicographicallyPrecedes(b) ? b : a }
    var backward = chunks.sample == .uint16 ? [1, 1, 0, 0] : [1, 4, 0, 0]
    if chunks.compression == .jpegXL { backward = [1, 7, chunks.isInterleaved ? 1 : 0, 0] }
    if let tags, tags.storage.compression != TIFFTag.Compression.jpegXL {
      backward = later(backward, tags.backwardVersion)
    } else if tags != nil {
      // JPEG XL of the source required a reader of 1.7.
      backward = later(backward, [1, 4, 0, 0])
    }
    let version = later(later(tags?.version ?? [], [1, 4, 0, 0]), backward)
    main.set(make.bytes(DNGTag.version, version.map { UInt8(clamping: $0) }))
    main.set(make.bytes(DNGTag.backwardVersion, backward.map { UInt8(clamping: $0) }))
  }

  private static func addStorage(
    _ chunks: RawChunks, _ make: DNGFields, to picture: inout DNGDirectory
  ) {
    let (size, tile, planes) = (chunks.data.size, chunks.tile, chunks.planes)
    let compression =
      switch chunks.compression {
      case .none: TIFFTag.Compression.none
      case .deflate: TIFFTag.Compression.deflate
      case .losslessJPEG: TIFFTag.Compression.jpeg
      case .jpegXL: TIFFTag.Compression.jpegXL
      }
    var isMosaic = false
    if case .mosaic = chunks.data.layout { isMosaic = true }
    picture.fields += [
      make.long(TIFFTag.newSubfileType, 0), make.long(TIFFTag.imageWidth, size.width),
      make.long(TIFFTag.imageLength, size.height),
      make.shorts(
        TIFFTag.bitsPerSample, [Int](repeating: chunks.bitsPerSample, count: planes)),
      make.short(TIFFTag.compression, compression),
      make.short(
        TIFFTag.photometricInterpretation,
        isMosaic ? TIFFTag.Photometric.colorFilterArray : TIFFTag.Photometric.linearRaw),
      make.short(TIFFTag.samplesPerPixel, planes), make.short(TIFFTag.planarConfiguration, 1),
    ]
    if chunks.isTiled {
      picture.fields += [
        make.long(TIFFTag.tileWidth, tile.width), make.long(TIFFTag.tileLength, tile.height),
      ]
    } else {
      picture.fields.append(make.long(TIFFTag.rowsPerStrip, tile.height))
    }
    if chunks.predictor != TIFFTag.Predictor.none {
      picture.fields.append(make.short(TIFFTag.predictor, chunks.predictor))
    }
    if chunks.isInterleaved {
      picture.fields += [
        make.short(DNGTag.rowInterleaveFactor, 2), make.short(DNGTag.columnInterleaveFactor, 2),
      ]
    }
    if chunks.compression == .jpegXL {
      picture.fields += [
        make.float(DNGTag.jxlDistance, chunks.distance),
        make.long(DNGTag.jxlEffort, chunks.effort), make.long(DNGTag.jxlDecodeSpeed, 0),
      ]
    }
    if chunks.sample != .uint16 {
      picture.fields.append(
        make.shorts(TIFFTag.sampleFormat, [Int](repeating: 3, count: planes)))
    }
  }

  private static func add(
    _ thumbnail: DNGPreviews.Thumbnail, _ make: DNGFields, to main: inout DNGDirectory
  ) {
    main.fields += [
      make.long(TIFFTag.newSubfileType, 1), make.long(TIFFTag.imageWidth, thumbnail.width),
      make.long(TIFFTag.imageLength, thumbnail.height),
      make.shorts(TIFFTag.bitsPerSample, [8, 8, 8]),
      make.short(TIFFTag.compression, TIFFTag.Compression.none),
      make.short(TIFFTag.photometricInterpretation, TIFFTag.Photometric.rgb),
      make.short(TIFFTag.samplesPerPixel, 3),
      make.short(TIFFTag.planarConfiguration, 1),
      make.long(TIFFTag.rowsPerStrip, thumbnail.height),
    ]
    main.chunks = .bytes([thumbnail.rgb])
  }

  /// The directory of a JPEG; nil unless it has three components.
  static func preview(_ jpeg: [UInt8], _ make: DNGFields) -> DNGDirectory? {
    guard let file = try? FileBytes(jpeg), let segments = JPEGSegments(file),
      let frame = segments.frame, frame.components == 3, frame.bitDepth == 8
    else { return nil }
    let luma = frame.sampling[0]
    let chroma = frame.sampling[1]
    return DNGDirectory(
      fields: [
        make.long(TIFFTag.newSubfileType, 1), make.long(TIFFTag.imageWidth, frame.size.width),
        make.long(TIFFTag.imageLength, frame.size.height),
        make.shorts(TIFFTag.bitsPerSample, [8, 8, 8]),
        make.short(TIFFTag.compression, TIFFTag.Compression.jpeg),
        make.short(TIFFTag.photometricInterpretation, TIFFTag.Photometric.ycbcr),
        make.short(TIFFTag.samplesPerPixel, 3), make.short(TIFFTag.planarConfiguration, 1),
        make.long(TIFFTag.rowsPerStrip, frame.size.height),
        make.shorts(
          TIFFTag.ycbcrSubSampling,
          [luma.width / max(chroma.width, 1), luma.height / max(chroma.height, 1)]),
        make.short(TIFFTag.ycbcrPositioning, 1),
        make.rationals(TIFFTag.referenceBlackWhite, [0, 255, 128, 255, 128, 255]),
        // PreviewColorSpace: sRGB.
        make.long(DNGTag.previewColorSpace, 2),
      ], chunks: .bytes([jpeg]))
  }
}
