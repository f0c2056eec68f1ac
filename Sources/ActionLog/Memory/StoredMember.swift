/// A stored property of a struct, found by name, that can be read and set.
///
/// ```swift
/// let registrar = StoredMember<ObservationStateRegistrar>("_$observationRegistrar", of: State.self)
/// if let member = registrar?.value(in: old) { registrar?.set(member, in: &new) }
/// ```
///
/// The access is safe, because the offset comes from the runtime's description of the struct, for a property with this
/// name and type. No property is found if the code was compiled without these descriptions.
package struct StoredMember<Member>: Sendable {
  private let owner: ObjectIdentifier
  private let offset: Int

  /// Looks up a property, or returns `nil` if the struct has no such property or no description.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - owner: The type of the struct.
  package init?(_ name: String, of owner: Any.Type) {
    let properties = StoredFields.properties(of: owner) ?? []
    guard let found = properties.first(where: { $0.name == name }), found.field.type == Member.self
    else { return nil }
    self.owner = ObjectIdentifier(owner)
    offset = found.field.offset
  }

  /// Reads the property in a struct.
  ///
  /// - Returns: The property's value, or `nil` if `owner` has another type.
  package func value<Owner>(in owner: Owner) -> Member? {
    guard ObjectIdentifier(Owner.self) == self.owner else { return nil }
    return withUnsafeBytes(of: owner) { bytes in
      bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: Member.self).pointee }
    }
  }

  /// Sets the property in a struct.
  ///
  /// Does nothing if `owner` has another type.
  package func set<Owner>(_ member: Member, in owner: inout Owner) {
    guard ObjectIdentifier(Owner.self) == self.owner else { return }
    withUnsafeMutableBytes(of: &owner) { bytes in
      guard let base = bytes.baseAddress else { return }
      (base + offset).assumingMemoryBound(to: Member.self).pointee = member
    }
  }
}
