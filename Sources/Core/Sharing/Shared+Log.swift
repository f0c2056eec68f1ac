extension Shared: LogValue {
  /// Writes the value.
  public func encode(to encoder: inout LogEncoder) {
    reference.encode(to: &encoder)
  }

  /// Reads a value: into the reference of the template, else into one of its own.
  public static func decode(from decoder: LogDecoder, over template: Shared?) throws -> Shared {
    guard let template else {
      nonisolated(unsafe) let value = try decoder.value(Value.self)
      return Shared(value: value)
    }
    let value = try decoder.value(Value.self, over: template.reference.current)
    template.withLock { $0 = value }
    return template
  }
}

extension SharedReader: LogValue {
  /// Writes the value.
  public func encode(to encoder: inout LogEncoder) {
    reference.encode(to: &encoder)
  }

  /// Reads a value: into the reference of the template, else into one of its own.
  public static func decode(
    from decoder: LogDecoder,
    over template: SharedReader?
  ) throws -> SharedReader {
    guard let template else {
      nonisolated(unsafe) let value = try decoder.value(Value.self)
      return SharedReader(value: value)
    }
    let value = try decoder.value(Value.self, over: template.reference.current)
    guard let root = template.reference as? SharedRoot<Value> else { return template }
    root.replace(with: value)
    return template
  }
}

extension ReadableReference {
  fileprivate func encode(to encoder: inout LogEncoder) {
    encoder.value(current)
  }
}
