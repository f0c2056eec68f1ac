import ActionLog

/// The point in a value beyond which a path can't be resolved.
package struct UnresolvedPath: Equatable {
  /// The resolved prefix of the path.
  package var path: JSON.ValueLocation
  /// The value at the prefix.
  package let value: JSON
  /// The first token after the prefix, for which `value` has no member or element.
  let token: String
  /// A path of the log that contains the names of the unresolved path, or `nil` if there is none.
  ///
  /// The path is in Swift notation.
  package var exact: String?
  /// A path of the log with names similar to those of the unresolved path, or `nil` if there is none.
  ///
  /// The path is in Swift notation.
  package var similar: String?
}

extension UnresolvedPath {
  /// Resolves a path, and returns `nil` if the path leads to a value.
  ///
  /// - Parameters:
  ///   - path: The path to resolve.
  ///   - state: The value in which the path starts.
  ///   - isPattern: Whether the token `*` matches each member or element. If so, the longest resolved prefix is used.
  package init?(_ path: JSON.Pointer, in state: JSON, isPattern: Bool = false) {
    func end(of depth: Int, in value: JSON) -> UnresolvedPath? {
      guard depth < path.tokens.count else { return nil }
      let token = path.tokens[depth]
      if let error = value.valueOfError(before: token) { return end(of: depth, in: error) }
      let next =
        isPattern && token == "*"
        ? value.children
        : value[JSON.Pointer([value.object?.key(like: token) ?? token])].map { [$0] } ?? []
      var nearest: UnresolvedPath?
      for child in next {
        guard let end = end(of: depth + 1, in: child) else { return nil }
        nearest = Self.nearest(nearest, end)
      }
      let way = JSON.Pointer(Array(path.tokens.prefix(depth)))
      return nearest
        ?? UnresolvedPath(path: JSON.ValueLocation(way, in: state), value: value, token: token)
    }
    guard let end = end(of: 0, in: state) else { return nil }
    self = end
  }

  /// Resolves a path in Swift notation, and returns `nil` if the path leads to a value.
  package init?(_ place: ActionLog.ValuePath, in state: JSON) {
    guard case .missing(let path, let value, let step) = place.resolve(in: state) else {
      return nil
    }
    self.init(path: JSON.ValueLocation(path, in: state), value: value, token: step)
  }

  /// Returns the point with the longer resolved prefix.
  ///
  /// If both prefixes are equally long, returns the point whose value has members.
  package static func nearest(
    _ first: UnresolvedPath?,
    _ second: UnresolvedPath?
  ) -> UnresolvedPath? {
    guard let first, let second else { return first ?? second }
    return (first.path.steps.count, first.names.count.signum())
      < (second.path.steps.count, second.names.count.signum()) ? second : first
  }

  /// The names of the members at the resolved prefix.
  var names: [String] { value.object?.keys ?? [] }

  /// Whether this state is enough to conclude that no other state has the path.
  ///
  /// In other states, an optional may have a value, an array may have elements, and an enum may have another case.
  package var isCertain: Bool { names.count > 1 || meant != nil }

  /// The member name that the user probably meant, or `nil` if no name is similar to the token.
  package var meant: String? { SpellingSuggestion.closest(to: token, among: names) }
}

extension JSON {
  /// The values of an object's members, or the elements of an array.
  var children: [JSON] { object.map { Array($0.values) } ?? array ?? [] }
}
