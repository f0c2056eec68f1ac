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

  static func changedInsideOwnLock(_ name: String) -> String {
    """
    The shared value \(name) was changed inside a "withLock" of itself. The inner change is lost \
    when the outer one ends. Change the value that the outer closure is given.
    """
  }
}
