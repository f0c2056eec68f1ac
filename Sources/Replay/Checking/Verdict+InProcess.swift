public import ActionLog

extension Verdict {
  /// Replays the logs in a file within this process: what traps there ends this process.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - makeEngine: Makes the engine for the log with this header.
  /// - Returns: The verdict on each log of the file, of which there is mostly one.
  /// - Throws: `LogReadError` when a log cannot be read, `ReplayError` and what `makeEngine` throws when it cannot be
  ///   replayed.
  public static func ofReplay(
    logAt path: String,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> [Verdict] {
    try LogSlice.slices(of: path, name: path).map { log in
      try LogCheck(log: log).run(makeEngine: makeEngine).verdict
    }
  }
}
