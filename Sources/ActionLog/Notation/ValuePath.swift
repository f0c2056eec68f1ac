/// A place in a value as people type it: in Swift notation, or as a JSON Pointer (RFC 6901).
///
/// ```swift
/// try ValuePath(parsing: "todos[0].title")
/// try ValuePath(parsing: "path[#2].site.checks[*].note")  // of the element with the id 2, of all checks
/// try ValuePath(parsing: "todos[…AC1A].title")            // of the row whose id ends with these characters
/// try ValuePath(parsing: "/todos/0/title")
/// try ValuePath(parsing: "$.state.todos[0].title")        // as an expression names it
/// ```
///
/// The cases and wrappers that the notation leaves out are found in the value in which it is looked for.
package struct ValuePath: Sendable, Hashable, CustomStringConvertible {
  /// The path as it was written.
  package let description: String
  let form: PathSyntax
  /// Whether the last step is a key in brackets.
  private let isKeyed: Bool

  enum PathSyntax: Sendable, Hashable {
    case pointer(JSON.Pointer)
    case steps([PathComponent])
  }

  /// A step to a part of a value.
  enum PathComponent: Sendable, Hashable {
    case name(String)
    /// An element, counted from 0.
    case index(Int)
    /// The row with an id.
    ///
    /// A suffix is sufficient for a text.
    case id(String, isSuffix: Bool)
    /// All members or elements.
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

  /// Creates a path from a location, whose names and indexes can skip cases and wrappers.
  package init(_ location: JSON.Location) {
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
  /// - Throws: `NotationSyntaxError`.
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

  /// The prefixes of paths into the state in expressions.
  private static let roots = ["$.state."]

  /// Whether the path selects all members or elements of a value: `rows[*].title`, `/rows/*/title`.
  package var standsForMany: Bool {
    switch form {
    case .pointer(let pointer): pointer.tokens.contains("*")
    case .steps(let steps): steps.contains(.all)
    }
  }

  /// The pointer, if the path was written as one.
  package var pointer: JSON.Pointer? {
    if case .pointer(let pointer) = form { pointer } else { nil }
  }
}

// MARK: - Finding the place in a value

extension ValuePath {
  /// The result of looking up a path in a value.
  package enum Resolution: Equatable {
    /// The pointers to all selected values.
    ///
    /// `[*]` can select several.
    case found([JSON.Pointer])
    /// Several rows have ids with the given suffix.
    case ambiguous(step: String, ids: [String])
    /// The path doesn't exist.
    ///
    /// The associated values are the deepest existing pointer, the value there, and the missing step.
    case missing(JSON.Pointer, JSON, step: String)
  }

  /// Looks up the path in a value.
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

  /// Returns the pointers to the values that tokens select.
  ///
  /// `*` selects all members or elements.
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
    // For a path from a pointer, the key of a dictionary may have been taken for an index.
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

  /// The value inside an enum case, an optional, a stack element or an error, and the tokens that lead to it.
  ///
  /// `nil` if the value doesn't have exactly the form of one of these wrappers.
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

  /// The value inside an enum case, an optional, a stack element or an error.
  ///
  /// `nil` for other values.
  package var wrapped: JSON? { wrapper?.value }

  /// Whether the value has the form of a stack element.
  fileprivate var isStackElement: Bool {
    guard case .object(let object) = self, object.count == 2, object.keys == ["id", "element"]
    else { return false }
    return object.values[0].number != nil
  }
}

// MARK: - Keys that are not there

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

// MARK: - Without a value

extension ValuePath {
  /// The possible pointers to the path, with `*` for any token.
  ///
  /// `nil` for rows with an id, which need a value.
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

  /// The maximum number of patterns.
  ///
  /// The number doubles with each step that may skip a wrapper.
  private static let mostPatterns = 256

  /// The pointer to the value, or to a value that contains it.
  package var stem: JSON.Pointer {
    switch form {
    case .pointer(let pointer):
      return JSON.Pointer(Array(pointer.tokens.prefix { $0 != "*" }))
    case .steps(let steps):
      // Wrappers may be left out after the first step.
      guard case .name(let name) = steps.first else { return JSON.Pointer() }
      return JSON.Pointer([name])
    }
  }
}

// MARK: - Writing

extension Notation {
  /// Returns a path in the state, such as `path[#0].site.checks[3].note`.
  ///
  /// - Parameters:
  ///   - pointer: The path. The token `*` selects all members or elements.
  ///   - root: The value that contains the path, which determines the parts that can be left out. `nil` if unknown.
  /// - Returns: The path, or an empty string for the root.
  package func pathText(_ pointer: JSON.Pointer, in root: JSON? = nil) -> String {
    guard !isRaw else { return Self.visible(pointer.description) }
    var text = PathText(pointer.tokens)
    text.write(in: root)
    return text.text
  }

  /// Returns a path with `*` for each index.
  ///
  /// Tokens of digits are keys.
  package func pathText(ofAnyElement place: JSON.Pointer) -> String {
    self.pathText(JSON.Location(place.tokens.map { .name($0) }))
  }

  /// Returns a path whose indexes are known.
  package func pathText(_ location: JSON.Location) -> String {
    guard !isRaw else { return Self.visible(location.pointer.description) }
    var text = PathText(location.steps.map(\.token), location.steps)
    text.write(in: nil)
    return text.text
  }
}

private struct PathText {
  private(set) var text = ""
  private let tokens: [String]
  /// The position of the next token.
  private var position = 0
  private var isAfterIndex = false

  /// The kinds of the tokens, if they are known without a value.
  private let steps: [JSONPath.Node.Step]?

  init(_ tokens: [String], _ steps: [JSONPath.Node.Step]? = nil) {
    (self.tokens, self.steps) = (tokens, steps)
  }

  mutating func write(in root: JSON?) {
    var value = root
    while position < tokens.count {
      if position > 0 { value = passWrappers(value) }
      // A tagged value is shown as one value, so paths don't lead into it.
      if tokens[position].isTag { return }
      writeComponent(value)
      value = value?[JSON.Pointer([tokens[position]])]
      position += 1
    }
  }

  /// Skips wrappers that are left out before the next step, and returns the value in the innermost one.
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
      // If a wrapper has a member with the step's name, the step would select that member.
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

  /// Returns the number of tokens that are most likely a wrapper with further tokens inside.
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

  /// Whether a token is an index.
  ///
  /// Without further information, digits are an index.
  private func isIndex(_ position: Int) -> Bool {
    guard let steps else { return JSON.Pointer.index(tokens[position]) != nil }
    if case .index = steps[position] { return true }
    return false
  }

  /// Returns the id of a stack element, if no other element has it.
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
      text += "[\"\(VisibleText.of(token.dropFirst()))\"]"
    } else {
      text += "[\"\(VisibleText.of(token))\"]"
    }
  }
}

extension String {
  /// Whether the text is the name of a payload without a label, such as `_3`.
  package var isPlaceOfPayload: Bool {
    utf8.count > 1 && utf8.first == UInt8(ascii: "_")
      && JSON.Pointer.index(String(dropFirst())) != nil
  }
}
