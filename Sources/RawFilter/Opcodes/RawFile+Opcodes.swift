import ImageCore
package import RawDecode
import RawSensor

extension RawFile {
  /// The numbers of the active area with opcode lists 1 and 2 applied as `opcodes` asks. Takes
  /// about twice their memory while it works.
  package func sensorData(
    opcodes: OpcodeSelection = OpcodeSelection(), workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let lists = info.opcodes
    let data = try storedData(opcodes: opcodes, workers: workers)
    return try MeasuredStage.sensorOpcodes.measure { () throws(RAWError) in
      try lists.trim(try lists.applyLinear(to: data, opcodes, limits: limits, workers: workers))
    }
  }

  /// The numbers of the active area with opcode list 1 alone applied, not trimmed.
  package func storedData(
    opcodes: OpcodeSelection = OpcodeSelection(), workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let lists = info.opcodes
    let changesStored = lists.changesStored(opcodes)
    let data = try decode(appliesTable: !changesStored, workers: workers)
    guard changesStored else { return data }
    return try MeasuredStage.sensorOpcodes.measure { () throws(RAWError) in
      try lists.applyStored(to: data, opcodes, table: linearizationTable, workers: workers)
    }
  }
}
