public import Foundation
public import TCACore

/// A list of things to do that is saved after each change.
@Reducer
public struct Todos: Sendable {
  /// What is on the screen.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The rows, in the order in which they were added.
    public var todos: [Todo] = []
    /// Which rows are shown.
    public var filter = Filter.all
    /// Whether a save is on its way.
    public var isSaving = false
    /// Why the last save failed.
    public var saveError: String?
    /// The names that were ever used, with how often.
    public var titles: [String: Int] = [:]

    /// An empty list.
    public init() {}
  }

  /// A row.
  @LogValue
  public struct Todo: Equatable, Identifiable, Sendable {
    /// What tells the row from others.
    public let id: UUID
    /// What is to be done.
    public var title = ""
    /// Whether it is done.
    public var isDone = false
    /// When the row was added.
    public let addedAt: Date

    /// A row that is to be done.
    public init(id: UUID, addedAt: Date) {
      self.id = id
      self.addedAt = addedAt
    }
  }

  /// Which rows are shown.
  public enum Filter: String, CaseIterable, Sendable {
    /// All of them.
    case all
    /// Those to be done.
    case active
    /// Those that are done.
    case completed
  }

  /// What can happen.
  public enum Action: Sendable {
    /// The button that adds a row.
    case addButtonTapped
    /// A row's text was edited.
    case titleChanged(id: UUID, String)
    /// A row's box was ticked.
    case doneToggled(id: UUID)
    /// The row at a place was swiped away.
    case deleted(at: Int)
    /// The button that removes what is done.
    case clearCompletedButtonTapped
    /// A filter was picked.
    case filterPicked(Filter)
    /// A save has ended.
    case saved(Result<Int, SaveError>)
  }

  /// Why the rows were not saved.
  @LogValue
  public enum SaveError: Error, Equatable {
    /// A row says nothing.
    case emptyTitle(UUID)
  }

  private enum CancelID { case save }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.date.now) private var now
  @Dependency(\.uuid) private var uuid
  @Dependency(\.saveTodos) private var save

  /// A list.
  public init() {}

  /// What the list does.
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

  /// Saves once nothing has changed for a moment; the save before this one is cancelled.
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

/// Saves rows and says how many they were; a row without a title is refused.
public struct SaveTodos: Sendable {
  private let save: @Sendable ([Todos.Todo]) throws(Todos.SaveError) -> Int

  /// A way of saving.
  public init(_ save: @escaping @Sendable ([Todos.Todo]) throws(Todos.SaveError) -> Int) {
    self.save = save
  }

  /// Saves rows.
  ///
  /// - Throws: `Todos.SaveError` with the row that can't be saved.
  public func callAsFunction(_ todos: [Todos.Todo]) throws(Todos.SaveError) -> Int {
    try save(todos)
  }
}

extension SaveTodos: DependencyKey {
  /// Accepts every row that has a title.
  public static let liveValue = SaveTodos { todos throws(Todos.SaveError) in
    if let empty = todos.first(where: \.title.isEmpty) { throw .emptyTitle(empty.id) }
    return todos.count
  }

  /// The same as live: it touches nothing outside.
  public static let testValue = liveValue
}

extension DependencyValues {
  /// Saves rows.
  public var saveTodos: SaveTodos {
    get { self[SaveTodos.self] }
    set { self[SaveTodos.self] = newValue }
  }
}
