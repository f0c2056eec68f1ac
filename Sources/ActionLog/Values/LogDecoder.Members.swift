extension LogDecoder {
  /// The members of an object, each to be asked for once by the user's name.
  public struct Members {
    private let decoder: LogDecoder
    private let object: JSON.Object
    private let asked = Asked()

    /// The positions of the members that were asked for, as bits; beyond those that a word has, in a set.
    private final class Asked {
      private var bits: UInt64 = 0
      private var beyond: Set<Int> = []

      func insert(_ position: Int) {
        if position < UInt64.bitWidth {
          bits |= 1 << UInt64(position)
        } else {
          beyond.insert(position)
        }
      }

      func contains(_ position: Int) -> Bool {
        position < UInt64.bitWidth ? bits & 1 << UInt64(position) != 0 : beyond.contains(position)
      }
    }

    init(decoder: LogDecoder, object: JSON.Object) {
      self.decoder = decoder
      self.object = object
    }

    /// The user's names of all members, in order.
    public var names: [String] { object.keys.map(LogDecoder.unescaped) }

    /// Whether one of these members is not in the log.
    public func lackAny(of names: String...) -> Bool {
      names.contains { object.position(of: Self.key($0)) == nil }
    }

    /// Reads a member.
    ///
    /// What the log lacks comes from the template, which is noted as drift; without one it is what the member's
    /// declaration gives it, and an optional is `nil`.
    ///
    /// - Throws: `LogDecodingError` when the member is missing or is not of this type.
    public func value<Value>(
      _ name: String,
      _ type: Value.Type = Value.self,
      over template: Value? = nil,
      declared: Value? = nil
    ) throws -> Value {
      try value(name, over: template ?? declared) { try $0.value(type, over: template) }
    }

    /// Reads a member of a type that describes itself.
    ///
    /// - Throws: As for any type.
    public func value<Value: LogValue>(
      _ name: String,
      _ type: Value.Type = Value.self,
      over template: Value? = nil,
      declared: Value? = nil
    ) throws -> Value {
      try value(name, over: template ?? declared) { try $0.value(type, over: template) }
    }

    private func value<Value>(
      _ name: String,
      over fallback: Value?,
      _ read: (LogDecoder) throws -> Value
    ) throws -> Value {
      let key = Self.key(name)
      return try decoder.at(key) {
        if let position = object.position(of: key) {
          asked.insert(position)
          return try read(LogDecoder(object.values[position], context: decoder.context))
        }
        if let fallback {
          decoder.context.drift.append(SchemaDrift(path: decoder.context.path, kind: .missingInLog))
          return fallback
        }
        if let optional = Value.self as? any AnyOptional.Type, let none = optional.null as? Value {
          decoder.context.drift.append(SchemaDrift(path: decoder.context.path, kind: .missingInLog))
          return none
        }
        throw decoder.inside(.null).error(.missing, type: Value.self)
      }
    }

    /// The name under which a member is written: a dollar of the user's is written with one more.
    private static func key(_ name: String) -> String {
      name.hasPrefix("$") ? "$" + name : name
    }

    /// Notes the members that nobody asked for as drift.
    public func finish() {
      for (position, key) in object.keys.enumerated() where !asked.contains(position) {
        decoder.context.drift.append(
          SchemaDrift(path: decoder.path.appending(key), kind: .unknownToCode)
        )
      }
    }
  }
}

/// An optional type of which only the metatype is at hand.
protocol AnyOptional {
  static var null: Any { get }
}
extension Optional: AnyOptional {
  static var null: Any { Self.none as Any }
}
