public import TCACore

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
