import Foundation

/// An array whose elements have ids.
public struct IdentifiedArray<ID: Hashable, Element> {
  /// The elements in order.
  public private(set) var elements: [Element] = []
  private var positions: [ID: Int] = [:]
  /// The key path to an element's id.
  public let id: KeyPath<Element, ID>

  /// Creates an empty array of elements with ids at a key path.
  public init(id: KeyPath<Element, ID>) { self.id = id }

  /// The ids.
  public var ids: [ID] { elements.map { $0[keyPath: id] } }

  /// The element with an id.
  public subscript(id id: ID) -> Element? {
    get { positions[id].map { elements[$0] } }
    _modify {
      let index = positions[id]
      var element = index.map { elements[$0] }
      yield &element
      switch (index, element) {
      case (let index?, let element?): elements[index] = element
      case (nil, let element?): append(element)
      case (.some, nil): remove(id: id)
      case (nil, nil): break
      }
    }
  }

  /// Appends an element, unless its id already exists.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    if let index = positions[element[keyPath: id]] { return (false, index) }
    positions[element[keyPath: id]] = elements.count
    elements.append(element)
    return (true, elements.count - 1)
  }

  /// Removes an element.
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    guard let index = positions[id] else { return nil }
    let element = elements.remove(at: index)
    positions = [:]
    for (index, element) in elements.enumerated() { positions[element[keyPath: self.id]] = index }
    return element
  }

  /// Removes the element at a position.
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    let element = elements[position]
    remove(id: element[keyPath: id])
    return element
  }

  /// Inserts an element at a position, unless its id already exists.
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> (inserted: Bool, index: Int)
  {
    if let index = positions[element[keyPath: id]] { return (false, index) }
    elements.insert(element, at: position)
    positions = [:]
    for (index, element) in elements.enumerated() { positions[element[keyPath: id]] = index }
    return (true, position)
  }

  /// Removes all elements.
  public mutating func removeAll() {
    elements = []
    positions = [:]
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an empty array.
  public init() { self.init(id: \.id) }

  /// Creates an array of elements with different ids.
  public init(uniqueElements: some Sequence<Element>) {
    self.init()
    for element in uniqueElements { append(element) }
  }
}

extension IdentifiedArray: RandomAccessCollection {
  /// The first position.
  public var startIndex: Int { 0 }
  /// The position after the last.
  public var endIndex: Int { elements.count }
  /// The element at a position.
  ///
  /// A new element must have the same id.
  public subscript(position: Int) -> Element {
    get { elements[position] }
    set { elements[position] = newValue }
  }
}

/// Collections whose elements have ids.
public protocol _MutableIdentifiedCollection<ID, Element>: MutableCollection {
  /// The type of the ids.
  associatedtype ID: Hashable
  /// The type of all ids.
  associatedtype IDs: Collection<ID>
  /// The ids.
  var ids: IDs { get }
  /// The element with an id.
  subscript(id id: ID) -> Element? { get set }
}

extension IdentifiedArray: _MutableIdentifiedCollection {}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// Creates an array of elements with different ids.
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Compares the elements.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elements == rhs.elements }
}
extension IdentifiedArray: @unchecked Sendable where Element: Sendable, ID: Sendable {}

/// An array of identifiable elements.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

/// An action of an element of an array.
public indirect enum IdentifiedAction<ID: Hashable & Sendable, Action>: CasePathable {
  /// An action of an element.
  case element(id: ID, action: Action)

  /// The case paths of the enum.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }

  /// The case paths of the enum.
  public struct AllCasePaths: Sendable {
    /// The case of the actions of one element.
    public subscript(id id: ID) -> AnyCasePath<IdentifiedAction, Action> {
      AnyCasePath(
        embed: { .element(id: id, action: $0) },
        extract: { if case .element(id, let action) = $0 { action } else { nil } }
      )
    }
    /// The case of an element's actions.
    public var element: AnyCasePath<IdentifiedAction, (id: ID, action: Action)> {
      AnyCasePath(
        embed: { .element(id: $0.id, action: $0.action) },
        extract: { if case .element(let id, let action) = $0 { (id, action) } else { nil } }
      )
    }
  }
}

extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Sendable where Action: Sendable {}

/// The actions of an array whose elements belong to a feature.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable

/// Text in a state.
public struct TextState: Equatable, Hashable, Sendable, ExpressibleByStringInterpolation {
  fileprivate let text: String

  /// Creates a text that is not localized.
  public init(verbatim text: String) { self.text = text }
  /// Creates a text.
  public init(_ text: String) { self.text = text }
  /// Creates a text from a literal.
  public init(stringLiteral text: String) { self.text = text }
}

extension String {
  /// Creates a string from a text.
  public init(state: TextState) { self = state.text }
}

/// The state of an alert.
public struct AlertState<Action>: Identifiable {
  /// The identity of the alert, which differs between equal alerts.
  public let id = UUID()
  /// The title of the alert.
  public var title: TextState
  /// The message of the alert.
  public var message: TextState?
  /// The buttons of the alert.
  public var buttons: [ButtonState<Action>]

  /// Creates an alert.
  public init(
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.message = message?()
    buttons = actions()
  }
}

extension AlertState: _EphemeralState {}
extension AlertState: Equatable where Action: Equatable {
  /// Compares the visible parts.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}
extension AlertState: Sendable where Action: Sendable {}

/// The state of a dialog.
public struct ConfirmationDialogState<Action>: Identifiable {
  /// The identity of the dialog, which differs between equal dialogs.
  public let id = UUID()
  /// The title of the dialog.
  public var title: TextState
  /// Whether the title is shown.
  public var titleVisibility: ConfirmationDialogStateTitleVisibility
  /// The message of the dialog.
  public var message: TextState?
  /// The buttons of the dialog.
  public var buttons: [ButtonState<Action>]

  /// Creates a dialog.
  public init(
    titleVisibility: ConfirmationDialogStateTitleVisibility = .automatic,
    title: () -> TextState,
    @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>] = { [] },
    message: (() -> TextState)? = nil
  ) {
    self.title = title()
    self.titleVisibility = titleVisibility
    self.message = message?()
    buttons = actions()
  }
}

/// The visibility of a dialog's title.
public enum ConfirmationDialogStateTitleVisibility: Equatable, Hashable, Sendable {
  /// Shown if the system decides so.
  case automatic
  /// Never shown.
  case hidden
  /// Always shown.
  case visible
}

extension ConfirmationDialogState: _EphemeralState {}
extension ConfirmationDialogState: Equatable where Action: Equatable {
  /// Compares the visible parts.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.titleVisibility == rhs.titleVisibility
      && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}
extension ConfirmationDialogState: Sendable where Action: Sendable {}

/// The state of a button.
public struct ButtonState<Action>: Identifiable {
  /// The identity of the button, which differs between equal buttons.
  public let id = UUID()
  /// The action of the button.
  public let action: ButtonStateAction<Action>
  /// The label of the button.
  public let label: TextState
  /// The role of the button.
  public let role: ButtonStateRole?

  /// Creates a button.
  public init(
    role: ButtonStateRole? = nil,
    action: ButtonStateAction<Action> = .send(nil),
    label: () -> TextState
  ) {
    self.role = role
    self.action = action
    self.label = label()
  }

  /// Creates a button.
  public init(role: ButtonStateRole? = nil, action: Action, label: () -> TextState) {
    self.init(role: role, action: .send(action), label: label)
  }
}

extension ButtonState {
  /// Calls a function with the action.
  public func withAction(_ perform: (Action?) -> Void) { perform(action.action) }
}

extension ButtonState: Equatable where Action: Equatable {
  /// Compares the visible parts.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action && lhs.label == rhs.label && lhs.role == rhs.role
  }
}
extension ButtonState: Sendable where Action: Sendable {}

/// The action of a button.
public struct ButtonStateAction<Action> {
  /// The action to send; `nil` for none.
  public let action: Action?

  /// Sends an action.
  ///
  /// With `nil`, the button only closes its alert or dialog.
  public static func send(_ action: Action?) -> Self { Self(action: action) }
}

extension ButtonStateAction: Equatable where Action: Equatable {}
extension ButtonStateAction: Sendable where Action: Sendable {}

/// The role of a button.
public enum ButtonStateRole: Equatable, Hashable, Sendable {
  /// A button that cancels.
  case cancel
  /// A button with a destructive action.
  case destructive
}

/// Builds buttons.
@resultBuilder
public enum ButtonStateBuilder<Action> {
  /// One button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }
  /// All buttons.
  public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    buttons.flatMap { $0 }
  }
}
