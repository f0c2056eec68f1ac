/// A path into a value, as people type it: in Swift notation, or as a JSON Pointer (RFC 6901).
///
/// ```swift
/// try ValuePath(parsing: "todos[0].title")
/// try ValuePath(parsing: "path[#2].site.checks[*].note")  // of the element with the id 2, of all checks
/// try ValuePath(parsing: "todos[…AC1A].title")            // of the row whose id ends with these characters
/// try ValuePath(parsing: "/todos/0/title")
/// try ValuePath(parsing: "$.state.todos[0].title")        // as an expression names it
/// ```
///
/// The notation omits wrappers, such as the token `_0` for a case's payload. A lookup finds them in the value.
package struct ValuePath: Sendable, Hashable, CustomStringConvertible {
  /// The path as it was written.
  package let description: String
  let form: PathSyntax
  /// Whether the last component is a key in brackets.
  private let isKeyed: Bool

  enum PathSyntax: Sendable, Hashable {
    case pointer(JSON.Pointer)
    case steps([PathComponent])
  }

  /// A component that leads to a part of a value.
  enum PathComponent: Sendable, Hashable {
    case name(String)
    /// The element with an index, counted from 0.
    case index(Int)
    /// The row with the given id, or whose id ends with the given string if `isSuffix` is `true`.
    case id(String, isSuffix: Bool)
    /// All members of an object, or all elements of an array.
    case all
  }

  package init(_ pointer: JSON.Pointer) {
    description = pointer.description
    form = .pointer(pointer)
    isKeyed = false
  }

  private init(steps: [PathComponent]) {
    (description, form, isKeyed) = ("", .steps(steps), false)
  }

  /// Creates a path from a location, whose names and indexes can skip wrappers.
  package init(_ location: JSON.ValueLocation) {
    description = Notation().pathText(location)
    isKeyed = false
    form = .steps(
      location.steps.map { step in
        switch step {
        case .name(let name): .name(name)
        case .index(let index): .index(index)
        }
      }
    )
  }

  /// Parses a path.
  ///
  /// - Throws: A `NotationSyntaxError` with the position of the error.
  package init(parsing text: String) throws(NotationSyntaxError) {
    description = text
    isKeyed = text.hasSuffix("\"]")
    if text.isEmpty || text.utf8.first == UInt8(ascii: "/") {
      do { form = .pointer(try JSON.Pointer(parsing: text)) } catch {
        throw NotationSyntaxError(text: text, column: 1, found: nil, expected: error.problem)
      }
    } else {
      let root = Self.roots.first { text.hasPrefix($0) }
      var parser = NotationParser(root.map { String(text.dropFirst($0.count)) } ?? text)
      form = .steps(try parser.pathComponents())
    }
  }

  /// The prefixes that expressions use for paths in the state.
  private static let roots = ["$.state."]

  /// Whether the path selects all members or elements of a value, as `rows[*].title` and `/rows/*/title` do.
  package var standsForMany: Bool {
    switch form {
    case .pointer(let pointer): pointer.tokens.contains("*")
    case .steps(let steps): steps.contains(.all)
    }
  }

  /// The JSON Pointer, or `nil` if the path was written in Swift notation.
  package var pointer: JSON.Pointer? {
    if case .pointer(let pointer) = form { pointer } else { nil }
  }
}

// MARK: - Finding the path in a value

extension ValuePath {
  /// The result of looking up a path in a value.
  package enum Resolution: Equatable {
    /// The pointers to all selected values.
    ///
    /// There can be several if the path contains `[*]`.
    case found([JSON.Pointer])
    /// Several rows have the given id, or ids that end with the given suffix.
    case ambiguous(step: String, ids: [String])
    /// The value has no part at this path.
    ///
    /// The associated values are the deepest existing pointer, the value to which it leads, and the missing component.
    case missing(JSON.Pointer, JSON, step: String)
  }

  /// Looks up the path in the value `root`.
  package func resolve(in root: JSON) -> Resolution {
    switch form {
    case .pointer(let pointer):
      var path = JSON.Pointer()
      var value = root
      for typed in pointer.tokens {
        let token = value.object?.key(like: typed) ?? typed
        guard let next = value[JSON.Pointer([token])] else {
          let found = token == "*" ? Self.places(pointer.tokens[...], in: root) : []
          return found.isEmpty ? .missing(path, value, step: token) : .found(found)
        }
        (path, value) = (path.appending(token), next)
      }
      return .found([path])
    case .steps(let steps):
      var search = PathResolver()
      search.search(steps[...], in: root, at: [])
      if let ambiguous = search.ambiguous { return ambiguous }
      if !search.found.isEmpty { return .found(search.found.map { JSON.Pointer($0) }) }
      return search.missing ?? .missing(JSON.Pointer(), root, step: description)
    }
  }

  /// Returns the pointers to the values that tokens select, where `*` selects all members or elements.
  private static func places(
    _ tokens: ArraySlice<String>,
    in value: JSON,
    at path: JSON.Pointer = JSON.Pointer()
  ) -> [JSON.Pointer] {
    guard let token = tokens.first else { return [path] }
    let children: [(String, JSON)]
    switch (value[JSON.Pointer([token])], value) {
    case (let child?, _): children = [(token, child)]
    case (nil, .array(let elements)) where token == "*":
      children = elements.enumerated().map { (String($0.offset), $0.element) }
    case (nil, .object(let members)) where token == "*":
      children = members.map { ($0.key, $0.value) }
    default: return []
    }
    return children.flatMap { token, child in
      places(tokens.dropFirst(), in: child, at: path.appending(token))
    }
  }

  private struct PathResolver {
    var found: [[String]] = []
    var ambiguous: Resolution?
    var missing: Resolution?
    private var depth = -1

    mutating func search(_ steps: ArraySlice<PathComponent>, in value: JSON, at path: [String]) {
      guard let step = steps.first else { return found.append(path) }
      let children = step.children(of: value)
      if case .id(let id, _) = step, children.count > 1, ambiguous == nil {
        let ids = children.compactMap { $0.value["id"].map { $0.string ?? $0.description } }
        ambiguous = .ambiguous(step: id, ids: ids)
        return
      }
      for child in children {
        search(steps.dropFirst(), in: child.value, at: path + [child.token])
      }
      guard children.isEmpty else { return }
      if let wrapper = value.wrapper {
        search(steps, in: wrapper.value, at: path + wrapper.tokens)
      } else if path.count > depth {
        depth = path.count
        missing = .missing(JSON.Pointer(path), value, step: step.text)
      }
    }
  }
}

extension ValuePath.PathComponent {
  fileprivate func children(of value: JSON) -> [(token: String, value: JSON)] {
    switch (self, value) {
    case (.name(let name), .object(let object)):
      guard let key = object.key(like: name) else { return [] }
      return object[key].map { [(key, $0)] } ?? []
    case (.index(let index), .array(let elements)):
      return elements.indices.contains(index) ? [(String(index), elements[index])] : []
    // A dictionary key that consists of digits is parsed as an index if it has no quotes.
    case (.index(let index), .object(let object)):
      return object[String(index)].map { [(String(index), $0)] } ?? []
    case (.id(let id, let isSuffix), .array(let elements)):
      let rows = elements.enumerated().map { (String($0.offset), $0.element) }
      return rows.filter { $0.1["id"]?.isID(id, isSuffix: isSuffix) == true }
    case (.all, .array(let elements)):
      return elements.enumerated().map { (String($0.offset), $0.element) }
    case (.all, .object(let object)) where value.wrapper == nil:
      return object.map { ($0.key, $0.value) }
    default: return []
    }
  }

  fileprivate var text: String {
    switch self {
    case .name(let name): name
    case .index(let index): String(index)
    case .id(let id, let isSuffix): isSuffix ? "…\(id)" : "#\(id)"
    case .all: "*"
    }
  }
}

extension JSON {
  fileprivate func isID(_ id: String, isSuffix: Bool) -> Bool {
    switch self {
    case .number(let number): !isSuffix && number.literal == id
    case .string(let text):
      isSuffix ? text.uppercased().hasSuffix(id.uppercased()) : text == id
    default: false
    }
  }

  /// The value inside an enum case, an optional, a stack element, or an error, and the tokens that lead to that value.
  ///
  /// `nil` if this value doesn't have exactly the form of one of these wrappers.
  package var wrapper: (tokens: [String], value: JSON)? {
    guard case .object(let object) = self else { return nil }
    if object.count == 1 {
      for name in ["_0", "$some"] { if let value = object[name] { return ([name], value) } }
      if let error = object["$error"]?.object, error["type"] != nil, let value = error["value"] {
        return (["$error", "value"], value)
      }
    } else if isStackElement, let element = object["element"] {
      return (["element"], element)
    }
    return nil
  }

  /// The value inside an enum case, an optional, a stack element, or an error.
  ///
  /// `nil` if this value isn't one of these wrappers.
  package var wrapped: JSON? { wrapper?.value }

  /// Whether the value has the form of a stack element.
  fileprivate var isStackElement: Bool {
    guard case .object(let object) = self, object.count == 2, object.keys == ["id", "element"]
    else { return false }
    return object.values[0].number != nil
  }
}

// MARK: - Dictionary keys that don't exist

extension ValuePath {
  /// Returns the pointer for a dictionary key that the value doesn't have, or `nil` for other paths.
  ///
  /// A key in brackets belongs to a dictionary. A name after a dot is a member, which always exists.
  package func newKey(in root: JSON) -> JSON.Pointer? {
    guard isKeyed, case .missing(let path, .object, let step) = resolve(in: root),
      case .steps(let steps) = form, case .name(let key)? = steps.last, key == step
    else { return nil }
    let owner = ValuePath(steps: Array(steps.dropLast())).resolve(in: root)
    guard case .found(let owners) = owner, owners.count == 1 else { return nil }
    return path.tokens.starts(with: owners[0].tokens) ? path.appending(key) : nil
  }
}

// MARK: - Pointers without a value

extension ValuePath {
  /// The pointers to which the path can resolve, with `*` for any token.
  ///
  /// `nil` for paths that contain a row's id, because the row must be found in a value.
  package var patterns: [JSON.Pointer]? {
    switch form {
    case .pointer(let pointer): return [pointer]
    case .steps(let steps):
      var patterns: [[String]] = [[]]
      for (place, step) in steps.enumerated() {
        let token: String
        var wrapper: String?
        switch step {
        case .name(let name): (token, wrapper) = (name, "_0")
        case .index(let index): (token, wrapper) = (String(index), "element")
        case .all: (token, wrapper) = ("*", "element")
        case .id: return nil
        }
        patterns = patterns.map { $0 + [token] }
        if let wrapper, place < steps.count - 1, patterns.count < Self.mostPatterns {
          patterns += patterns.map { $0 + [wrapper] }
        }
      }
      return patterns.map { JSON.Pointer($0) }
    }
  }

  /// The maximum number of patterns for a path.
  ///
  /// The number doubles with each component that can skip a wrapper.
  private static let mostPatterns = 256

  /// A prefix that all possible pointers have in common.
  ///
  /// The prefix consists of the tokens before a `*` in a pointer, or of the first name of a path in Swift notation.
  package var stem: JSON.Pointer {
    switch form {
    case .pointer(let pointer):
      return JSON.Pointer(Array(pointer.tokens.prefix { $0 != "*" }))
    case .steps(let steps):
      // After the first name, the notation may have omitted wrappers.
      guard case .name(let name) = steps.first else { return JSON.Pointer() }
      return JSON.Pointer([name])
    }
  }
}

// MARK: - Writing paths

extension Notation {
  /// Returns a path in Swift notation, such as `path[#0].site.checks[3].note`.
  ///
  /// - Parameters:
  ///   - pointer: The path, in which the token `*` selects all members or elements.
  ///   - root: The value that contains the path. It determines which wrappers can be omitted. `nil` if unknown.
  /// - Returns: The path, or an empty string for the root.
  package func pathText(_ pointer: JSON.Pointer, in root: JSON? = nil) -> String {
    guard !isRaw else { return Self.visible(pointer.description) }
    var text = PathNotationWriter(pointer.tokens)
    text.write(in: root)
    return text.text
  }

  /// Returns a path in Swift notation, in which `*` stands for each index.
  ///
  /// Tokens of digits are dictionary keys.
  package func pathText(ofAnyElement place: JSON.Pointer) -> String {
    self.pathText(JSON.ValueLocation(place.tokens.map { .name($0) }))
  }

  /// Returns a location in Swift notation.
  package func pathText(_ location: JSON.ValueLocation) -> String {
    guard !isRaw else { return Self.visible(location.pointer.description) }
    var text = PathNotationWriter(location.steps.map(\.token), location.steps)
    text.write(in: nil)
    return text.text
  }
}

private struct PathNotationWriter {
  private(set) var text = ""
  private let tokens: [String]
  /// The index of the next token to write.
  private var position = 0
  private var isAfterIndex = false

  /// The kinds of the tokens, or `nil` if they follow only from the value.
  private let steps: [JSONPath.Node.Step]?

  init(_ tokens: [String], _ steps: [JSONPath.Node.Step]? = nil) {
    (self.tokens, self.steps) = (tokens, steps)
  }

  mutating func write(in root: JSON?) {
    var value = root
    while position < tokens.count {
      if position > 0 { value = passWrappers(value) }
      // A tagged value is shown as a single value, so paths end there.
      if tokens[position].isTag { return }
      writeComponent(value)
      value = value?[JSON.Pointer([tokens[position]])]
      position += 1
    }
  }

  /// Skips wrappers that the notation omits before the next component, and returns the value in the innermost one.
  private mutating func passWrappers(_ value: JSON?) -> JSON? {
    var (inner, place) = (value, position)
    var passed: [JSON] = []
    if var known = value {
      while let wrapper = known.wrapper, tokens[place...].starts(with: wrapper.tokens),
        place + wrapper.tokens.count < tokens.count
      {
        passed.append(known)
        (known, place) = (wrapper.value, place + wrapper.tokens.count)
      }
      inner = known
      // If a wrapper has a member with the component's name, a lookup would select that member.
      guard passed.allSatisfy({ $0.object?.position(of: tokens[place]) == nil }) else {
        return value
      }
    } else {
      place += wrapperWithoutValue(at: place)
    }
    if place > position { isAfterIndex = false }
    position = place
    return inner
  }

  /// Returns the number of tokens that most likely lead through a wrapper, for a path without a value.
  private func wrapperWithoutValue(at place: Int) -> Int {
    guard place + 1 < tokens.count else { return 0 }
    let next = tokens[place + 1]
    switch tokens[place] {
    case "_0": return isAfterIndex || next.isPlaceOfPayload ? 0 : 1
    case "element": return isAfterIndex && next != "id" && next != "element" ? 1 : 0
    case "$some": return 1
    case "$error": return next == "value" && place + 2 < tokens.count ? 2 : 0
    default: return 0
    }
  }

  private mutating func writeComponent(_ value: JSON?) {
    let token = tokens[position]
    isAfterIndex = false
    switch value {
    case .array(let elements)?:
      isAfterIndex = true
      if let index = JSON.Pointer.index(token), index < elements.count,
        let id = Self.stackID(index, elements)
      {
        text += "[#\(id)]"
      } else {
        text += "[\(token == "-" ? "end" : token)]"
      }
    case nil where token == "*":
      isAfterIndex = true
      text += "[*]"
    case nil where isIndex(position):
      isAfterIndex = true
      text += "[\(token)]"
    default: member(token)
    }
  }

  /// Whether the token at a position is an array index.
  ///
  /// Without a value or known kinds, a token of digits is an index.
  private func isIndex(_ position: Int) -> Bool {
    guard let steps else { return JSON.Pointer.index(tokens[position]) != nil }
    if case .index = steps[position] { return true }
    return false
  }

  /// Returns the id of the stack element at an index, or `nil` if a path can't use the id.
  ///
  /// The id must be unique. In an array of more than 64 elements, this is not checked, and the result is `nil`.
  private static func stackID(_ index: Int, _ elements: [JSON]) -> String? {
    guard elements[index].isStackElement, let id = elements[index]["id"],
      elements.count <= 64, elements.count(where: { $0["id"] == id }) == 1
    else { return nil }
    return id.number?.literal
  }

  private mutating func member(_ token: String) {
    if token.isPlaceOfPayload {
      text += (text.isEmpty ? "" : ".") + token.dropFirst()
    } else if token.isSwiftIdentifier {
      text += (text.isEmpty ? "" : ".") + token
    } else if token.hasPrefix("$$") {
      text += "[\"\(EscapedText.of(token.dropFirst()))\"]"
    } else {
      text += "[\"\(EscapedText.of(token))\"]"
    }
  }
}

extension String {
  /// Whether the string is the name of an associated value without a label, such as `_3`.
  package var isPlaceOfPayload: Bool {
    utf8.count > 1 && utf8.first == UInt8(ascii: "_")
      && JSON.Pointer.index(String(dropFirst())) != nil
  }
}
