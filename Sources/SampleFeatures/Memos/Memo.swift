package import Foundation
package import TCACore

/// Something that was spoken.
@LogValue
package struct Memo: Equatable, Identifiable, Sendable {
  package let id: UUID
  package var title: String
  package let date: Date
  package let seconds: Int

  package init(id: UUID, title: String = "", date: Date, seconds: Int) {
    self.id = id
    self.title = title
    self.date = date
    self.seconds = seconds
  }
}

extension SharedKey where Self == AppStorageKey<Bool>.Default {
  /// Whether the user is asked before a memo is deleted, a setting.
  package static var confirmsDeletion: Self {
    Self[.appStorage("confirmsDeletion"), default: true]
  }
}

extension SharedKey where Self == AppStorageKey<Double>.Default {
  /// How many times faster than they were spoken memos are played, a setting.
  package static var playbackRate: Self {
    Self[.appStorage("playbackRate"), default: 1]
  }
}
