public import Foundation
public import TCACore

/// A to-do list that is saved after each change.
@Reducer
public struct Todos: Sendable {
  /// The state of the list.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The rows in the order of creation.
    public var todos: [Todo] = []
    /// The filter for visible rows.
    public var filter = Filter.all
    /// Whether a save is in progress.
    public var isSaving = false
    /// The error of the last save.
    public var saveError: String?
    /// The number of uses of each title.
    public var titles: [String: Int] = [:]

    /// Creates an empty list.
    public init() {}
  }

  /// A row of the list.
  @LogValue
  public struct Todo: Equatable, Identifiable, Sendable {
    /// The identity of the row.
    public let id: UUID
    /// The text of the row.
    public var title = ""
    /// Whether the task is done.
    public var isDone = false
    /// The time at which the row was added.
    public let addedAt: Date

    /// Creates a row without a title.
    public init(id: UUID, addedAt: Date) {
      self.id = id
      self.addedAt = addedAt
    }
  }

  /// A filter for visible rows.
  public enum Filter: String, CaseIterable, Sendable {
    /// All rows.
    case all
    /// Rows that are not done.
    case active
    /// Rows that are done.
    case completed
  }

  /// The actions of the list.
  public enum Action: Sendable {
    /// The user tapped the button that adds a row.
    case addButtonTapped
    /// The user edited the text of a row.
    case titleChanged(id: UUID, String)
    /// The user toggled the checkbox of a row.
    case doneToggled(id: UUID)
    /// The user swiped a row away; the payload is its index.
    case deleted(at: Int)
    /// The user tapped the button that removes completed rows.
    case clearCompletedButtonTapped
    /// The user picked a filter.
    case filterPicked(Filter)
    /// A save has finished.
    case saved(Result<Int, SaveError>)
  }

  /// The reasons for which a save fails.
  @LogValue
  public enum SaveError: Error, Equatable {
    /// The row with this id has no title.
    case emptyTitle(UUID)
  }

  private enum CancelID { case save }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.date.now) private var now
  @Dependency(\.uuid) private var uuid
  @Dependency(\.saveTodos) private var save

  /// Creates the feature.
  public init() {}

  /// The reducer of the list.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        state.todos.insert(Todo(id: uuid(), addedAt: now), at: 0)
        return .none
      case .titleChanged(let id, let title):
        guard let index = state.todos.firstIndex(where: { $0.id == id }) else { return .none }
        state.todos[index].title = title
        state.titles[title, default: 0] += 1
        return saveSoon(&state)
      case .doneToggled(let id):
        guard let index = state.todos.firstIndex(where: { $0.id == id }) else { return .none }
        state.todos[index].isDone.toggle()
        return saveSoon(&state)
      case .deleted(let index):
        state.todos.remove(at: index)
        return saveSoon(&state)
      case .clearCompletedButtonTapped:
        state.todos.removeAll(where: \.isDone)
        return .merge(.send(.filterPicked(.all)), saveSoon(&state))
      case .filterPicked(let filter):
        state.filter = filter
        return .none
      case .saved(let result):
        state.isSaving = false
        if case .failure(let error) = result { state.saveError = "\(error)" }
        return .none
      }
    }
  }

  /// Saves the list after a pause in changes; cancels the previous save.
  private func saveSoon(_ state: inout State) -> Effect<Action> {
    state.isSaving = true
    state.saveError = nil
    return .run(name: "save", input: state.todos) { [todos = state.todos] send in
      try await clock.sleep(for: .milliseconds(20))
      await send(.saved(Result { () throws(SaveError) in try save(todos) }))
    }
    .cancellable(id: CancelID.save, cancelInFlight: true)
  }
}

/// The client that saves rows and returns their number; it rejects rows without a title.
public struct SaveTodos: Sendable {
  private let save: @Sendable ([Todos.Todo]) throws(Todos.SaveError) -> Int

  /// Creates a client from a save function.
  public init(_ save: @escaping @Sendable ([Todos.Todo]) throws(Todos.SaveError) -> Int) {
    self.save = save
  }

  /// Saves rows and returns their number.
  ///
  /// - Throws: `Todos.SaveError` with the id of a row that can't be saved.
  public func callAsFunction(_ todos: [Todos.Todo]) throws(Todos.SaveError) -> Int {
    try save(todos)
  }
}

extension SaveTodos: DependencyKey {
  /// Accepts all rows that have a title.
  public static let liveValue = SaveTodos { todos throws(Todos.SaveError) in
    if let empty = todos.first(where: \.title.isEmpty) { throw .emptyTitle(empty.id) }
    return todos.count
  }

  /// The live value, because it has no side effects.
  public static let testValue = liveValue
}

extension DependencyValues {
  /// The client that saves rows.
  public var saveTodos: SaveTodos {
    get { self[SaveTodos.self] }
    set { self[SaveTodos.self] = newValue }
  }
}
