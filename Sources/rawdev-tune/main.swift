// Imported here, Foundation's static libraries are linked.
import Foundation
import TuneProgram

await RawdevTune.main()
