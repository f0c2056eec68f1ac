import ActionLog

/// The point at which a path into a value ends too early.
package struct UnresolvedPath: Equatable {
  /// The part of the path that leads somewhere.
  package var path: JSON.Location
  /// The value there.
  package let value: JSON
  /// The next token of the path, which that value does not have.
  let token: String
  /// The place of the log that has the same names, in Swift notation.
  package var exact: String?
  /// The place of the log with similar names, in Swift notation.
  package var similar: String?
}

extension UnresolvedPath {
  /// The end of a path; `nil` when the path leads to a value.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - state: The value in which it starts.
  ///   - isPattern: Whether a token `*` stands for every member or element. Then it is the furthest of all ends.
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
        ?? UnresolvedPath(path: JSON.Location(way, in: state), value: value, token: token)
    }
    guard let end = end(of: 0, in: state) else { return nil }
    self = end
  }

  /// The end of a place as it was typed; `nil` when it leads to a value.
  package init?(_ place: ActionLog.ValuePath, in state: JSON) {
    guard case .missing(let path, let value, let step) = place.resolve(in: state) else {
      return nil
    }
    self.init(path: JSON.Location(path, in: state), value: value, token: step)
  }

  /// The further of two ends of a path; of equal ones, the one where there are names to choose from.
  package static func nearest(
    _ first: UnresolvedPath?,
    _ second: UnresolvedPath?
  ) -> UnresolvedPath? {
    guard let first, let second else { return first ?? second }
    return (first.path.steps.count, first.names.count.signum())
      < (second.path.steps.count, second.names.count.signum()) ? second : first
  }

  /// The names of the members where the path ends.
  var names: [String] { value.object?.keys ?? [] }

  /// Whether other states have nothing there either, as far as this one shows: an optional may have a value, a list
  /// elements and an enum another case.
  package var isCertain: Bool { names.count > 1 || meant != nil }

  /// The name that may have been meant.
  package var meant: String? { Suggestion.closest(to: token, among: names) }
}

extension JSON {
  /// The members' values or the elements.
  var children: [JSON] { object.map { Array($0.values) } ?? array ?? [] }
}
