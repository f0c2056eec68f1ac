import ActionLog

/// Where the way of a path into a value comes to its end too early.
package struct UnresolvedPath: Equatable {
  /// As far as the path leads.
  package var path: JSON.Pointer
  /// What stands there.
  package let value: JSON
  /// The token of the path that leads nowhere from there.
  package let token: String

  package init(
    path: JSON.Pointer,
    value: JSON,
    token: String
  ) {
    self.path = path
    self.value = value
    self.token = token
  }
}

extension UnresolvedPath {
  /// The end of a path; `nil` when the path leads to something.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - state: Where it starts.
  ///   - isPattern: Whether a token `*` stands for every member or element. Then it is the nearest of all ends.
  package init?(_ path: JSON.Pointer, in state: JSON, isPattern: Bool = false) {
    func end(of depth: Int, in value: JSON) -> UnresolvedPath? {
      guard depth < path.tokens.count else { return nil }
      let token = path.tokens[depth]
      let next =
        isPattern && token == "*"
        ? value.children : value[JSON.Pointer([token])].map { [$0] } ?? []
      var nearest: UnresolvedPath?
      for child in next {
        guard let end = end(of: depth + 1, in: child) else { return nil }
        nearest = Self.nearest(nearest, end)
      }
      let way = JSON.Pointer(Array(path.tokens.prefix(depth)))
      return nearest ?? UnresolvedPath(path: way, value: value, token: token)
    }
    guard let end = end(of: 0, in: state) else { return nil }
    self = end
  }

  /// The one of two ends of a path that is further on, of equal ones that where there are names to choose from.
  package static func nearest(_ first: UnresolvedPath?, _ second: UnresolvedPath?) -> UnresolvedPath? {
    guard let first, let second else { return first ?? second }
    return (first.path.tokens.count, first.names.count.signum())
      < (second.path.tokens.count, second.names.count.signum()) ? second : first
  }

  /// The names of the members that stand where the path ends.
  package var names: [String] { value.object?.keys ?? [] }

  /// Whether other states have nothing there either, as far as one can tell: an optional may have a value, a list elements
  /// and an enum another case.
  package var isCertain: Bool { names.count > 1 || meant != nil }

  /// The name that may have been meant.
  package var meant: String? { Suggestion.closest(to: token, among: names) }
}

extension JSON {
  /// The members' values or the elements.
  fileprivate var children: [JSON] { object.map { Array($0.values) } ?? array ?? [] }
}
