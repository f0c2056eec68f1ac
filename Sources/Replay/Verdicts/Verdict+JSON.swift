public import ActionLog

extension Verdict {
  /// The verdict as a JSON object: `{"verdict":"diverged","at":3,"cause":"state","paths":["/count"],...}`.
  public var json: JSON {
    var object: JSON.Object = ["verdict": .string(name)]
    object["at"] = at.map { .number(JSON.Number($0)) }
    switch self {
    case .identical, .cut, .trapGone: break
    case .trapReproduced(_, let signal), .trapped(_, let signal): object["signal"] = .string(signal)
    case .diverged(let divergence):
      object["cause"] = .string(divergence.cause.rawValue)
      if divergence.cause == .opaque { object["confidence"] = "low" }
      object["paths"] = .array(divergence.paths.map(JSON.string))
      object["differences"] = .array(divergence.differences.map(\.json))
      object["causes"] = .array(divergence.causes.map(\.json))
      if !divergence.reads.isEmpty {
        object["reads"] = .array(
          divergence.reads.map { ["key": .string($0.key), "value": $0.value] }
        )
      }
      if !divergence.effects.isEmpty {
        object["effects"] = .array(divergence.effects.map { JSON(logging: $0) })
      }
    case .undecodable(let value), .notReplayable(let value):
      object["path"] = .string(value.path)
      object["message"] = .string(value.message)
    }
    return .object(object)
  }

  /// Parses a verdict, or returns `nil` if the JSON is not a verdict.
  public init?(json: JSON) {
    let at = json["at"]?.int
    let signal = json["signal"]?.string
    switch (json["verdict"]?.string, at) {
    case ("identical", _): self = .identical
    case ("cut", let at?): self = .cut(at: at)
    case ("trapReproduced", let at?): self = .trapReproduced(at: at, signal: signal ?? "")
    case ("trapGone", let at?): self = .trapGone(at: at)
    case ("trapped", let at?): self = .trapped(at: at, signal: signal ?? "")
    case ("diverged", _):
      guard let divergence = Divergence(json: json) else { return nil }
      self = .diverged(divergence)
    case ("undecodable", let at?): self = .undecodable(UnusableValue(at: at, json: json))
    case ("notReplayable", let at?): self = .notReplayable(UnusableValue(at: at, json: json))
    default: return nil
    }
  }
}

extension Verdict.UnusableValue {
  fileprivate init(at: Int, json: JSON) {
    self.init(
      at: at,
      path: json["path"]?.string ?? "",
      message: json["message"]?.string ?? ""
    )
  }
}

extension Verdict.Divergence {
  fileprivate init?(json: JSON) {
    let differences = (json["differences"]?.array ?? []).compactMap(LogDifference.init(json:))
    let causes = (json["causes"]?.array ?? []).compactMap(Link.init(json:))
    self.init(differences, causes: causes)
    reads = (json["reads"]?.array ?? []).compactMap { read in
      guard let key = read["key"]?.string, let value = read["value"] else { return nil }
      return LogEvent.Read(seq: at, key: key, value: value)
    }
    effects = (json["effects"]?.array ?? []).compactMap { json in
      try? LogDecoder(json).value(EffectDescription.self)
    }
  }
}

extension Verdict.Divergence.Link {
  package var json: JSON {
    ["seq": .number(JSON.Number(seq)), "origin": origin.json, "action": action]
  }

  fileprivate init?(json: JSON) {
    guard let seq = json["seq"]?.int, let action = json["action"],
      let origin = json["origin"].flatMap(LogEvent.Origin.reading)
    else { return nil }
    self.init(seq: seq, origin: origin, action: action)
  }
}
