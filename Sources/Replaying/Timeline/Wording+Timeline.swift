import ReplayEngine

/// Messages of timelines.
extension Wording {
  static let startOfLog = "the start"
  static let unnamedAction = "an action that the log leaves out"

  static let movedWhileBusy = """
    A timeline was to be moved while its store handles an action. It stays where it is. Move it from a view or a task, and not \
    from a reducer or an observer.
    """
}
