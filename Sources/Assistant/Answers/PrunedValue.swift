import ActionLog
import ReplayEngine

/// A value that is cut to a depth and a number of elements.
///
/// Texts mark the omissions.
struct PrunedValue {
  let value: JSON
  private(set) var isCut = false

  /// Prunes a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - depth: The maximum depth of containers.
  ///   - most: The maximum number of elements and members of a container.
  init(_ value: JSON, depth: Int, most: Int) {
    var isCut = false
    self.value = Self.pruned(value, depth, most, &isCut)
    self.isCut = isCut
  }

  /// The maximum number of characters of a text.
  private static let longestText = 400

  private static func pruned(
    _ value: JSON,
    _ depth: Int,
    _ most: Int,
    _ isCut: inout Bool
  ) -> JSON {
    switch value {
    case .array(let elements):
      guard !elements.isEmpty else { return value }
      guard depth > 0 else {
        isCut = true
        return .string(Wording.elements(elements.count))
      }
      var kept = elements.prefix(most).map { pruned($0, depth - 1, most, &isCut) }
      if elements.count > most {
        isCut = true
        kept.append(.string(Wording.moreElements(elements.count - most)))
      }
      return .array(kept)
    case .object(let object):
      guard !object.isEmpty else { return value }
      // A tagged value is a leaf, because its members are not part of the state.
      let isTagged = object.firstKey?.hasPrefix("$") ?? false
      guard depth > 0 || isTagged else {
        isCut = true
        return .string(Wording.members(object.count))
      }
      var kept = JSON.Object()
      for (name, member) in object.prefix(most) {
        kept[name] = pruned(member, isTagged ? depth : depth - 1, most, &isCut)
      }
      if object.count > most {
        isCut = true
        kept["…"] = .string(Wording.moreMembers(object.count - most))
      }
      return .object(kept)
    case .string(let text):
      guard text.utf8.count > longestText else { return value }
      isCut = true
      return .string("\(text.prefix(longestText))…")
    case .null, .bool, .number: return value
    }
  }
}
