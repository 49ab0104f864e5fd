import TuneProgram

await RawdevTune.main()
