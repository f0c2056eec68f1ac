package import Foundation
package import TCACore

/// The stored part of a board.
@LogValue
package struct BoardDocument: Codable, Equatable, Sendable {
  package var columns: [Column]

  package init(columns: [Column] = []) {
    self.columns = columns
  }

  /// A column and its cards, from top to bottom.
  @LogValue
  package struct Column: Codable, Equatable, Identifiable, Sendable {
    package let id: UUID
    package var title: String
    /// The maximum number of cards; `nil` for no limit.
    package var limit: Int?
    package var cards: [Card]

    package init(id: UUID, title: String, limit: Int? = nil, cards: [Card] = []) {
      self.id = id
      self.title = title
      self.limit = limit
      self.cards = cards
    }
  }
}

/// A task on the board.
@LogValue
package struct Card: Codable, Equatable, Identifiable, Sendable {
  package let id: UUID
  package var title: String
  package var notes: String
  package var labels: Set<CardLabel>

  package init(id: UUID, title: String, notes: String = "", labels: Set<CardLabel> = []) {
    self.id = id
    self.title = title
    self.notes = notes
    self.labels = labels
  }
}

/// The kind of a card.
@LogValue
package enum CardLabel: String, CaseIterable, Codable, Sendable {
  case chore, fault, idea
}

/// The filter that decides which cards are visible.
@LogValue
package struct BoardFilter: Equatable, Sendable {
  package var text = ""
  package var labels: Set<CardLabel> = []

  package init(text: String = "", labels: Set<CardLabel> = []) {
    self.text = text
    self.labels = labels
  }

  /// Returns whether the filter matches a card.
  package func admits(_ card: Card) -> Bool {
    (labels.isEmpty || !labels.isDisjoint(with: card.labels))
      && (text.isEmpty || card.title.lowercased().contains(text.lowercased()))
  }
}

extension SharedKey where Self == InMemoryKey<BoardFilter>.Default {
  /// The filter of the board, in memory only.
  package static var boardFilter: Self {
    Self[.inMemory("boardFilter"), default: BoardFilter()]
  }
}

/// The reasons for which a board can't be saved.
@LogValue
package enum BoardError: Error, Equatable {
  case noRoom
  case unreadable
}

/// The client that stores the board.
@DependencyClient
package struct BoardClient: Sendable {
  package var load: @Sendable () async throws -> BoardDocument
  package var save: @Sendable (_ document: BoardDocument) async throws -> Void
}

extension BoardClient: DependencyKey {
  package static let testValue = BoardClient()

  /// A board in memory with room for twelve cards.
  package static let liveValue = BoardClient(
    load: {
      BoardDocument(
        columns: [
          BoardDocument.Column(
            id: id(1),
            title: "To do",
            cards: [
              Card(id: id(11), title: "Oil the hinges", labels: [.chore]),
              Card(id: id(12), title: "The door jams", labels: [.fault]),
            ]
          ),
          BoardDocument.Column(
            id: id(2),
            title: "Doing",
            limit: 2,
            cards: [Card(id: id(21), title: "A bench for the yard", labels: [.idea])]
          ),
          BoardDocument.Column(id: id(3), title: "Done"),
        ]
      )
    },
    save: { document in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(20))
      guard document.columns.map(\.cards.count).reduce(0, +) <= 12 else { throw BoardError.noRoom }
    }
  )

  private static func id(_ number: Int) -> UUID { UUID(number) }
}

extension DependencyValues {
  /// The client that stores the board.
  package var board: BoardClient {
    get { self[BoardClient.self] }
    set { self[BoardClient.self] = newValue }
  }
}

/// The stacks of documents for undo and redo.
@LogValue
package struct BoardHistory: Equatable, Sendable {
  package private(set) var past: [BoardDocument] = []
  package private(set) var future: [BoardDocument] = []

  package init(past: [BoardDocument] = [], future: [BoardDocument] = []) {
    self.past = past
    self.future = future
  }

  /// The maximum number of steps to undo.
  package static let limit = 5

  @CasePathable
  package enum Action: Equatable, Sendable { case redo, undo }

  /// Adds the board before a change to the undo stack.
  mutating func remember(_ document: BoardDocument) {
    past = (past + [document]).suffix(Self.limit)
    future = []
  }

  /// Undoes or redoes a step and returns the document; returns `nil` if there is no step.
  mutating func step(_ action: Action, from document: BoardDocument) -> BoardDocument? {
    switch action {
    case .redo:
      guard let next = future.popLast() else { return nil }
      past.append(document)
      return next
    case .undo:
      guard let last = past.popLast() else { return nil }
      future.append(document)
      return last
    }
  }
}
