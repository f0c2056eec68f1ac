/// The stored parts of a type: the properties of a struct, the elements of a tuple, or the payloads of an enum.
///
/// The parts are read from the runtime's descriptions of types, whose layout is part of Swift's stable ABI. Types that
/// were compiled without these descriptions (`-disable-reflection-metadata`) are unknown.
enum StoredFields {
  /// The type of a stored part, and its offset in a value in bytes.
  struct Field {
    let type: Any.Type
    let offset: Int
  }

  /// A struct or a tuple with all its parts.
  case product([Field])
  /// An enum, with the payload types of its cases.
  case sum([Any.Type])
  /// A built-in integer, floating-point number, or vector.
  case number
  /// A metatype, whose values are immutable.
  case metatype
  /// Any other type: an object, an existential, a function, a pointer, or a type without a description.
  case unknown

  /// Looks up the stored parts of a type.
  init(of type: Any.Type) {
    let metadata = Metadata(type)
    switch metadata.kind {
    case Kind.structure: self = Self.structure(metadata) ?? .unknown
    case Kind.enumeration, Kind.optional: self = Self.enumeration(metadata) ?? .unknown
    case Kind.tuple: self = Self.tuple(metadata)
    case Kind.opaque: self = Self.isNumber(type) ? .number : .unknown
    case Kind.metatype, Kind.existentialMetatype: self = .metatype
    default: self = .unknown
    }
  }

  /// The kinds of metadata that this code distinguishes, as the ABI defines them.
  private enum Kind {
    static let structure: UInt = 0x200
    static let enumeration: UInt = 0x201
    static let optional: UInt = 0x202
    static let opaque: UInt = 0x300
    static let tuple: UInt = 0x301
    static let existential: UInt = 0x303
    static let metatype: UInt = 0x304
    static let existentialMetatype: UInt = 0x306
  }

  /// The runtime metadata of a type.
  ///
  /// Metadata consists of words. The first word is the kind.
  private struct Metadata {
    let address: UnsafeRawPointer

    init(_ type: Any.Type) { address = unsafeBitCast(type, to: UnsafeRawPointer.self) }

    var kind: UInt { word(0, as: UInt.self) }

    func word<Word>(_ index: Int, as type: Word.Type) -> Word {
      address.load(fromByteOffset: index * MemoryLayout<UInt>.size, as: type)
    }

    /// The description of a struct or enum, or `nil` if the metadata refers to none.
    ///
    /// Valid only for the metadata of a struct or enum. The getter removes the signature that some processors store in
    /// unused address bits.
    var description: TypeDescriptor? {
      #if _pointerBitWidth(_64)
      let bits = word(1, as: UInt.self) & 0x0000_7FFF_FFFF_FFFF
      #else
      let bits = word(1, as: UInt.self)
      #endif
      guard let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
      return TypeDescriptor(address: address)
    }

    var genericArguments: UnsafeRawPointer { address + 2 * MemoryLayout<UInt>.size }
  }

  /// The runtime's description of a struct or enum declaration.
  private struct TypeDescriptor {
    let address: UnsafeRawPointer

    /// The number of a struct's stored properties.
    var fieldCount: Int { Int(address.load(fromByteOffset: 20, as: UInt32.self)) }
    var offsets: Int { Int(address.load(fromByteOffset: 24, as: UInt32.self)) }

    var names: [String]? {
      guard let fields = (address + 16).relative else { return nil }
      let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
      let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
      guard size >= 12 else { return nil }
      var names: [String] = []
      for index in 0..<count {
        guard let name = (fields + 16 + index * size + 8).relative else { return nil }
        names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
      }
      return names
    }

    /// Returns the types of the declaration's fields, or `nil` if they are unknown.
    ///
    /// An element is `nil` for a case without a payload.
    func types(in metadata: Metadata) -> [Any.Type?]? {
      guard let fields = (address + 16).relative else { return nil }
      let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
      let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
      guard size >= 12 else { return nil }
      var types: [Any.Type?] = []
      for index in 0..<count {
        let record = fields + 16 + index * size
        guard let name = (record + 4).relative else {
          types.append(nil)
          continue
        }
        guard let type = type(named: name, in: metadata) else { return nil }
        types.append(type)
      }
      return types
    }

    private func type(named name: UnsafeRawPointer, in metadata: Metadata) -> Any.Type? {
      _getTypeByMangledNameInContext(
        name.assumingMemoryBound(to: UInt8.self),
        UInt(Self.length(of: name)),
        genericContext: address,
        genericArguments: metadata.genericArguments
      )
    }

    /// Returns the length of a mangled name in bytes.
    ///
    /// Zero bytes inside references don't end the name.
    private static func length(of name: UnsafeRawPointer) -> Int {
      var end = 0
      while true {
        switch name.load(fromByteOffset: end, as: UInt8.self) {
        case 0: return end
        case 0x01...0x17: end += 5
        case 0x18...0x1F: end += 1 + MemoryLayout<UInt>.size
        default: end += 1
        }
      }
    }
  }

  private static func structure(_ metadata: Metadata) -> Self? {
    guard let description = metadata.description, let types = description.types(in: metadata),
      types.count == description.fieldCount
    else { return nil }
    var fields: [Field] = []
    let offsets = metadata.address + description.offsets * MemoryLayout<UInt>.size
    for (index, type) in types.enumerated() {
      guard let type else { return nil }
      fields.append(
        Field(type: type, offset: Int(offsets.load(fromByteOffset: index * 4, as: UInt32.self)))
      )
    }
    return .product(fields)
  }

  private static func enumeration(_ metadata: Metadata) -> Self? {
    guard let types = metadata.description?.types(in: metadata) else { return nil }
    return .sum(types.compactMap { $0 })
  }

  private static func tuple(_ metadata: Metadata) -> Self {
    let count = metadata.word(1, as: Int.self)
    return .product(
      (0..<count).map { index in
        Field(
          type: metadata.word(3 + 2 * index, as: Any.Type.self),
          // Reads only 32 bits. The runtime always writes these, and other data can follow an offset of 32 bits.
          offset: Int(metadata.word(4 + 2 * index, as: UInt32.self))
        )
      }
    )
  }

  /// Returns the names, types, and offsets of a struct's stored properties.
  ///
  /// Returns `nil` for other types and for types without a description.
  static func properties(of type: Any.Type) -> [(name: String, field: Field)]? {
    let metadata = Metadata(type)
    guard metadata.kind == Kind.structure, let names = metadata.description?.names,
      case .product(let fields)? = structure(metadata), names.count == fields.count
    else { return nil }
    return zip(names, fields).map { ($0, $1) }
  }

  /// A case of an enum: its name, and the labels and types of its associated values.
  struct EnumCase {
    let name: String
    let payload: [(label: String?, type: Any.Type)]
  }

  /// Returns the cases of an enum, beginning with those that have associated values.
  ///
  /// Returns `nil` for other types and for types without a description.
  static func cases(of type: Any.Type) -> [EnumCase]? {
    let metadata = Metadata(type)
    guard metadata.kind == Kind.enumeration, let description = metadata.description,
      let names = description.names, let types = description.types(in: metadata),
      names.count == types.count
    else { return nil }
    return zip(names, types).map { name, type in
      EnumCase(name: name, payload: type.map(associatedValues) ?? [])
    }
  }

  /// Returns the associated values that a payload type represents.
  ///
  /// Several associated values, or a single one with a label, are stored as a tuple.
  private static func associatedValues(_ type: Any.Type) -> [(label: String?, type: Any.Type)] {
    let metadata = Metadata(type)
    guard metadata.kind == Kind.tuple, case .product(let fields) = tuple(metadata), !fields.isEmpty
    else { return [(nil, type)] }
    // A space follows each label, even an empty one.
    let labels = metadata.word(2, as: UnsafePointer<CChar>?.self)
      .map { String(cString: $0).split(separator: " ", omittingEmptySubsequences: false) }
    return fields.enumerated().map { index, field in
      let label = labels.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? ""
      return (label.isEmpty ? nil : String(label), field.type)
    }
  }

  /// Whether a type's values are boxes that contain values of other types, as those of `Any` and `any Error` are.
  static func isBox(_ type: Any.Type) -> Bool {
    Metadata(type).kind == Kind.existential || type == AnyHashable.self
  }

  static func isEnum(_ type: Any.Type) -> Bool { Metadata(type).kind == Kind.enumeration }

  static func isStruct(_ type: Any.Type) -> Bool { Metadata(type).kind == Kind.structure }

  /// Returns the size of a type's values in bytes.
  static func size(of type: Any.Type) -> Int {
    func size<Value>(_: Value.Type) -> Int { MemoryLayout<Value>.size }
    return size(type)
  }

  private static func isNumber(_ type: Any.Type) -> Bool {
    let name = _typeName(type)
    return ["Builtin.Int", "Builtin.FPIEEE", "Builtin.Vec"].contains { name.hasPrefix($0) }
  }
}

extension UnsafeRawPointer {
  /// The target of a relative reference at this address, or `nil` for a null reference.
  fileprivate var relative: UnsafeRawPointer? {
    let offset = load(as: Int32.self)
    return offset == 0 ? nil : self + Int(offset)
  }
}
