import ImageCore
package import RawDecode
import RawSensor

extension RawFile {
  /// The samples of the active area after opcode lists 1 and 2, as selected by `opcodes`. Needs
  /// about twice their memory meanwhile.
  package func sensorData(
    opcodes: OpcodeSelection = OpcodeSelection(), workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let lists = info.opcodes
    let data = try storedData(opcodes: opcodes, workers: workers)
    return try MeasuredStage.sensorOpcodes.measure { () throws(RAWError) in
      try lists.trim(try lists.applyLinear(to: data, opcodes, limits: limits, workers: workers))
    }
  }

  /// The samples of the active area after opcode list 1 only, not trimmed.
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
