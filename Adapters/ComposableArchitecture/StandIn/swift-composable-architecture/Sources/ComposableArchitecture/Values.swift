import Foundation

/// An array whose elements have ids.
public struct IdentifiedArray<ID: Hashable, Element> {
  /// The elements.
  public private(set) var elements: [Element] = []
  private var positions: [ID: Int] = [:]
  /// Where an element has its id.
  public let id: KeyPath<Element, ID>

  /// An empty array of elements with ids at a key path.
  public init(id: KeyPath<Element, ID>) { self.id = id }

  /// The ids.
  public var ids: [ID] { elements.map { $0[keyPath: id] } }

  /// The element of an id.
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

  /// Adds an element, unless there is one of its id.
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

  /// Removes all elements.
  public mutating func removeAll() {
    elements = []
    positions = [:]
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// An empty array.
  public init() { self.init(id: \.id) }

  /// An array of elements whose ids differ.
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
  /// The element at a position; a new one has its id.
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
  /// The element of an id.
  subscript(id id: ID) -> Element? { get set }
}

extension IdentifiedArray: _MutableIdentifiedCollection {}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// An array of elements whose ids differ.
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Compares the elements.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elements == rhs.elements }
}
extension IdentifiedArray: @unchecked Sendable where Element: Sendable, ID: Sendable {}

/// An array of elements that say their ids.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

/// An action of an element of an array.
public indirect enum IdentifiedAction<ID: Hashable & Sendable, Action>: CasePathable {
  /// An element does something.
  case element(id: ID, action: Action)

  /// The case paths.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }

  /// The case paths.
  public struct AllCasePaths: Sendable {
    /// An element's actions.
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

/// The actions of the elements of an array of a feature.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable

/// Text in a state.
public struct TextState: Equatable, Hashable, Sendable, ExpressibleByStringInterpolation {
  fileprivate let text: String

  /// A text that is not translated.
  public init(verbatim text: String) { self.text = text }
  /// A text.
  public init(_ text: String) { self.text = text }
  /// A text.
  public init(stringLiteral text: String) { self.text = text }
}

extension String {
  /// The text of a text.
  public init(state: TextState) { self = state.text }
}

/// An alert in a state.
public struct AlertState<Action>: Identifiable {
  /// Tells equal alerts apart.
  public let id = UUID()
  /// The title.
  public var title: TextState
  /// The message.
  public var message: TextState?
  /// The buttons.
  public var buttons: [ButtonState<Action>]

  /// An alert.
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
  /// Compares what is seen.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}
extension AlertState: Sendable where Action: Sendable {}

/// A dialog in a state.
public struct ConfirmationDialogState<Action>: Identifiable {
  /// Tells equal dialogs apart.
  public let id = UUID()
  /// The title.
  public var title: TextState
  /// Whether the title is shown.
  public var titleVisibility: ConfirmationDialogStateTitleVisibility
  /// The message.
  public var message: TextState?
  /// The buttons.
  public var buttons: [ButtonState<Action>]

  /// A dialog.
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

/// Whether the title of a dialog is shown.
public enum ConfirmationDialogStateTitleVisibility: Equatable, Hashable, Sendable {
  /// As the system does.
  case automatic
  /// Never.
  case hidden
  /// Always.
  case visible
}

extension ConfirmationDialogState: _EphemeralState {}
extension ConfirmationDialogState: Equatable where Action: Equatable {
  /// Compares what is seen.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.title == rhs.title && lhs.titleVisibility == rhs.titleVisibility
      && lhs.message == rhs.message && lhs.buttons == rhs.buttons
  }
}
extension ConfirmationDialogState: Sendable where Action: Sendable {}

/// A button in a state.
public struct ButtonState<Action>: Identifiable {
  /// Tells equal buttons apart.
  public let id = UUID()
  /// The action.
  public let action: ButtonStateAction<Action>
  /// The label.
  public let label: TextState
  /// The role.
  public let role: ButtonStateRole?

  /// A button.
  public init(
    role: ButtonStateRole? = nil,
    action: ButtonStateAction<Action> = .send(nil),
    label: () -> TextState
  ) {
    self.role = role
    self.action = action
    self.label = label()
  }

  /// A button.
  public init(role: ButtonStateRole? = nil, action: Action, label: () -> TextState) {
    self.init(role: role, action: .send(action), label: label)
  }
}

extension ButtonState {
  /// Calls a function with the action.
  public func withAction(_ perform: (Action?) -> Void) { perform(action.action) }
}

extension ButtonState: Equatable where Action: Equatable {
  /// Compares what is seen.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action && lhs.label == rhs.label && lhs.role == rhs.role
  }
}
extension ButtonState: Sendable where Action: Sendable {}

/// The action of a button.
public struct ButtonStateAction<Action> {
  /// The action.
  public let action: Action?

  /// Sends an action, or only closes.
  public static func send(_ action: Action?) -> Self { Self(action: action) }
}

extension ButtonStateAction: Equatable where Action: Equatable {}
extension ButtonStateAction: Sendable where Action: Sendable {}

/// The role of a button.
public enum ButtonStateRole: Equatable, Hashable, Sendable {
  /// Cancels.
  case cancel
  /// Destroys.
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
