/// A namespace of XMP properties. What counts is its URI; a file's prefixes are its own choice.
public struct XMPNamespace: Sendable, Hashable {
  /// Identifies the namespace in every file.
  public let uri: String
  /// The customary prefix, used in packets written here.
  public let prefix: String

  private init(_ prefix: String, _ uri: String) {
    self.uri = uri
    self.prefix = prefix
  }

  /// XML's own attributes; needs no declaration.
  public static let xml = XMPNamespace("xml", "http://www.w3.org/XML/1998/namespace")
  /// RDF's vocabulary, in which XMP is written.
  public static let rdf = XMPNamespace("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
  /// The element around a packet's RDF.
  public static let meta = XMPNamespace("x", "adobe:ns:meta/")
  /// Dublin Core.
  public static let dublinCore = XMPNamespace("dc", "http://purl.org/dc/elements/1.1/")
  /// Basic properties of a file.
  public static let basic = XMPNamespace("xmp", "http://ns.adobe.com/xap/1.0/")
  /// Who may do what with a picture.
  public static let rights = XMPNamespace("xmpRights", "http://ns.adobe.com/xap/1.0/rights/")
  /// Media management.
  public static let media = XMPNamespace("xmpMM", "http://ns.adobe.com/xap/1.0/mm/")
  /// The fields of a reference to another resource.
  public static let reference = XMPNamespace(
    "stRef", "http://ns.adobe.com/xap/1.0/sType/ResourceRef#")
  /// The name of an extension (XMP specification part 3, 1.1.3.1).
  public static let note = XMPNamespace("xmpNote", "http://ns.adobe.com/xmp/note/")
  /// IPTC Core.
  public static let iptcCore = XMPNamespace(
    "Iptc4xmpCore", "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/")
  /// Licences by the PLUS coalition.
  public static let plus = XMPNamespace("plus", "http://ns.useplus.org/ldf/xmp/1.0/")
  /// Regions of a picture with what they show (Metadata Working Group).
  public static let regions = XMPNamespace(
    "mwg-rs", "http://www.metadataworkinggroup.com/schemas/regions/")
  /// TIFF's tags.
  public static let tiff = XMPNamespace("tiff", "http://ns.adobe.com/tiff/1.0/")
  /// Exif's tags.
  public static let exif = XMPNamespace("exif", "http://ns.adobe.com/exif/1.0/")
  /// Tags that Exif has since version 2.3.
  public static let exifEx = XMPNamespace("exifEX", "http://cipa.jp/exif/1.0/")
  /// Adobe's additions to Exif: lens, serial numbers.
  public static let auxiliary = XMPNamespace("aux", "http://ns.adobe.com/exif/1.0/aux/")
  /// Photoshop's properties.
  public static let photoshop = XMPNamespace("photoshop", "http://ns.adobe.com/photoshop/1.0/")
  /// Settings of Camera Raw and Lightroom.
  public static let cameraRaw = XMPNamespace("crs", "http://ns.adobe.com/camera-raw-settings/1.0/")
  /// Lightroom's properties.
  public static let lightroom = XMPNamespace("lr", "http://ns.adobe.com/lightroom/1.0/")
  /// Settings of darktable.
  public static let darktable = XMPNamespace("darktable", "http://darktable.sf.net/")
  /// Gain map parameters of Adobe and Android.
  public static let hdrgm = XMPNamespace("hdrgm", "http://ns.adobe.com/hdr-gain-map/1.0/")
  /// Apple's gain map.
  public static let appleGainMap = XMPNamespace("HDRGainMap", "http://ns.apple.com/HDRGainMap/1.0/")
  /// Apple's tone map.
  public static let appleToneMap = XMPNamespace("HDRToneMap", "http://ns.apple.com/HDRToneMap/1.0/")
  /// Storage of the samples of Apple's auxiliary pictures.
  public static let applePixelData = XMPNamespace("apdi", "http://ns.apple.com/pixeldatainfo/1.0/")
  /// Android's directory of the pictures in a file.
  public static let container = XMPNamespace(
    "Container", "http://ns.google.com/photos/1.0/container/")
  /// An item of that directory.
  public static let containerItem = XMPNamespace(
    "Item", "http://ns.google.com/photos/1.0/container/item/")
  /// What rawdev adds.
  public static let rawdev = XMPNamespace("rawdev", "urn:rawdev:xmp:1.0:")
}

/// The name of an XMP property.
public struct XMPName: Sendable, Hashable {
  /// URI of the namespace; empty if it has none, or its prefix is not declared.
  public let namespace: String
  /// Name within it.
  public let name: String

  /// The property `name` of the namespace with this URI.
  public init(_ namespace: String, _ name: String) {
    self.namespace = namespace
    self.name = name
  }

  /// The property `name` of `namespace`.
  public init(_ namespace: XMPNamespace, _ name: String) { self.init(namespace.uri, name) }

  /// Names are equal if their bytes are, as XML requires. Comparison by Unicode equivalence would
  /// make files with non-ASCII names take many times as long.
  public static func == (first: XMPName, second: XMPName) -> Bool {
    first.name.isSame(as: second.name) && first.namespace.isSame(as: second.namespace)
  }

  /// Hashes the bytes of both.
  public func hash(into hasher: inout Hasher) {
    name.hashBytes(into: &hasher)
    namespace.hashBytes(into: &hasher)
  }

  /// Whether it is a name of `namespace`.
  package func isIn(_ namespace: XMPNamespace) -> Bool {
    self.namespace.isSame(as: namespace.uri)
  }

  static let rdf = XMPName(.rdf, "RDF")
  static let description = XMPName(.rdf, "Description")
  static let about = XMPName(.rdf, "about")
  static let item = XMPName(.rdf, "li")
  static let value = XMPName(.rdf, "value")

  /// Orientation of the stored picture, Exif's 1…8.
  public static let orientation = XMPName(.tiff, "Orientation")
  /// 1…5 stars, 0 for none, −1 for rejected.
  package static let rating = XMPName(.basic, "Rating")
  /// The name of a color.
  package static let label = XMPName(.basic, "Label")
  /// Copyright, by language.
  package static let rights = XMPName(.dublinCore, "rights")
  /// The authors, in order.
  package static let creator = XMPName(.dublinCore, "creator")
  /// Of all versions and formats of a picture.
  package static let documentID = XMPName(.media, "DocumentID")
  /// Of one file of a document.
  package static let instanceID = XMPName(.media, "InstanceID")
  /// Of the document that all others were made of.
  package static let originalDocumentID = XMPName(.media, "OriginalDocumentID")
  /// MD5 of the packet's extension, 32 hexadecimal digits.
  static let hasExtendedXMP = XMPName(.note, "HasExtendedXMP")
}
