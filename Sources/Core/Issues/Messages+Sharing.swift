extension Messages {
  static func continuationDropped(of operation: String, key: String) -> String {
    """
    "\(operation)" of the shared key \(key) let go of its continuation without resuming it. Resume \
    it once on every way through.
    """
  }

  static func continuationResumedTwice(of operation: String, key: String) -> String {
    """
    "\(operation)" of the shared key \(key) resumed its continuation more than once. Only the first \
    time counts; later changes go to the subscriber.
    """
  }

  static func unobservableAppStorageKey(_ key: String, _ character: Character) -> String {
    """
    The app storage key "\(key)" contains "\(character)", which key-value observation takes for a part of a key path. Its changes \
    can only be found among those of all keys. Rename the key, or set "appStorageKeyFormatWarningEnabled" to false in \
    "prepareDependencies".
    """
  }

  static func changedInsideOwnLock(_ name: String) -> String {
    """
    The shared value \(name) was changed inside a "withLock" of itself. The inner change is lost \
    when the outer one ends. Change the value that the outer closure is given.
    """
  }
}
