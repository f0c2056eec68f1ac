extension LogDecoder {
  /// Decodes a value of any type.
  ///
  /// Uses the type's `LogValue`, `Decodable`, or `RawRepresentable` conformance, or reads a logged error.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - template: A value that supplies the parts that the log lacks, or `nil` if there is none.
  /// - Returns: The decoded value.
  /// - Throws: A `LogDecodingError` with the path at which decoding failed.
  public func value<Value>(
    _ type: Value.Type = Value.self,
    over template: Value? = nil
  ) throws -> Value {
    if let known = type as? any LogValue.Type { return try self.known(known, over: template) }
    if let opaque = json["$opaque"]?.string { return try standIn(for: opaque, template) }
    if let template, earlier == json { return template }
    if let decodable = type as? any Decodable.Type {
      return try self.decodable(decodable, over: template)
    }
    if type == Void.self, let void = () as? Value { return void }
    if let raw = type as? any RawRepresentable.Type {
      if let value = try self.raw(raw) as? Value { return value }
      throw mismatch(type, expected: "a raw value of the type")
    }
    if let error = try loggedError(), let value = error as? Value { return value }
    guard StoredFields.isBox(type) else { throw error(.notDecodable, type: type) }
    // The log contains the value inside the box, but not its type. The template is used if it has the same logged form.
    guard let template, JSON(logging: template) == json else { throw error(.boxed, type: type) }
    return template
  }

  /// Decodes a value whose type conforms to `LogValue`.
  ///
  /// - Throws: A `LogDecodingError` with the path at which decoding failed.
  public func value<Value: LogValue>(
    _ type: Value.Type = Value.self,
    over template: Value? = nil
  ) throws -> Value {
    if let opaque = json["$opaque"]?.string { return try standIn(for: opaque, template) }
    guard let earlier, let template else { return try Value.decode(from: self, over: template) }
    return try inStep(with: template, earlier)
  }

  /// Decodes a value, and reuses the unchanged parts of an earlier value.
  private func inStep<Value: LogValue>(with template: Value, _ earlier: JSON) throws -> Value {
    if earlier == json { return template }
    let value = try Value.decode(from: self, over: template)
    guard let keeper = context.keeper, let old = earlier.object, let new = json.object else {
      return value
    }
    return keeper.keepIdentity(of: template, in: value) { names in
      new.hasEqualMembers(in: old) { names.contains(Self.unescaped($0)) }
    }
  }

  private func known<Known: LogValue, Value>(
    _ type: Known.Type,
    over template: Value?
  ) throws -> Value {
    guard let own = SameTypeProof<Value, Known>(), let given = SameTypeProof<Known, Value>() else {
      throw error(.notDecodable, type: type)
    }
    return given(try self.value(Known.self, over: template.map { own($0) }))
  }

  private func decodable<Known: Decodable, Value>(
    _ type: Known.Type,
    over template: Value?
  ) throws -> Value {
    // The template's logged form supplies the members that the log lacks.
    let overlaid =
      template.map {
        LogDecoder(json.overlaid(on: JSON(logging: $0), noting: self), context: context)
      }
      ?? self
    guard let given = SameTypeProof<Known, Value>() else { throw error(.notDecodable, type: type) }
    do {
      return given(try Known(from: CodableDecoder(overlaid, for: Known.self)))
    } catch let error as LogDecodingError {
      throw error
    } catch {
      throw self.error(.refused(CodableDecoder.describe(error)), type: type)
    }
  }

  private func raw<Raw: RawRepresentable>(_ type: Raw.Type) throws -> Raw {
    let rawValue = try value(Raw.RawValue.self)
    guard let value = Raw(rawValue: rawValue) else {
      throw mismatch(type, expected: "a raw value of the type")
    }
    return value
  }
}

extension JSON {
  /// Returns this value with the members that it lacks, at any depth, taken from `base`.
  ///
  /// Records drift in `decoder` for each of these members.
  fileprivate func overlaid(on base: JSON, noting decoder: LogDecoder) -> JSON {
    guard case .object(var object) = self, case .object(let base) = base, !isTagged else {
      return self
    }
    // Both objects are enum cases with different names, which are not missing members.
    if object.count == 1, base.count == 1, object.keys != base.keys { return self }
    for (key, value) in base {
      decoder.context.at(key) {
        if let slot = object.slot(of: key) {
          object.modify(in: slot) { $0 = $0.overlaid(on: value, noting: decoder) }
        } else {
          decoder.context.drift.append(SchemaDrift(path: decoder.path, kind: .missingInLog))
          object[key] = value
        }
      }
    }
    return .object(object)
  }
}
