/// How the names of raws end.
package enum RawExtensions {
  /// Extensions of cameras' own raw formats and of DNG, in lower case.
  package static let all: Set<String> = [
    "3fr", "ari", "arw", "bay", "cap", "cr2", "cr3", "crw", "cs1", "dc2", "dcr", "dcs", "dng",
    "drf", "dsc", "eip", "erf", "fff", "gpr", "iiq", "k25", "kdc", "mdc", "mef", "mfw", "mos",
    "mrw", "nef", "nrw", "orf", "ori", "pef", "ptx", "pxn", "qtk", "r3d", "raf", "raw", "rdc",
    "rw2", "rwl", "rwz", "sr2", "srf", "srw", "sti", "x3f",
  ]
}
