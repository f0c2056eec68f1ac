/// The words of migrations.
extension Wording {
  package static func describe(_ error: MigrationError) -> String {
    switch error {
    case .noVersion(let feature):
      "feature '\(feature)' has migrations and no schema version; expected ReplayFeature(_:schemaVersion:…) with the"
        + " version to which they lead"
    case .twice(let feature, let version):
      "feature '\(feature)' has two migrations from schema version \(version); expected one for each version: make them"
        + " one"
    case .order(let feature, let version, let last):
      "feature '\(feature)' has its migration from schema version \(version) behind the one from \(last); expected them"
        + " in the order of their versions"
    case .gap(let feature, let version):
      "feature '\(feature)' has no migration from schema version \(version); expected one for each version up to the"
        + " code's: add Migration(from: \(version))"
    case .beyond(let feature, let version, let last):
      "feature '\(feature)' has a migration from schema version \(version), but the code has version \(last); expected"
        + " the last one from \(last - 1): raise the feature's schemaVersion or take the migration away"
    case .newerLog(let feature, let found, let version):
      "the log of '\(feature)' has schema version \(found), this host goes up to \(version): use a newer build of the app"
    case .olderLog(let feature, let found, let first):
      "the log of '\(feature)' has schema version \(found), this host has migrations from \(first) on: add"
        + " Migration(from: \(found)), or record the log anew"
    case .refused(let value, let version, let seq, let reason):
      "the migration from schema version \(version) refuses a value of \(seq == 0 ? "the first checkpoint" : "action \(seq)"):"
        + " \(reason); found \(value.count > 120 ? value.prefix(120) + "…" : value)"
    }
  }

  package static func needsMigration(found: Int, version: Int) -> String {
    "the log has schema version \(found) and the host \(version): write it anew with 'migrate LOG -o OUT' of the host"
  }

  package static func notMigrated(_ log: String, _ end: ReplayEnd, _ reason: String?) -> String {
    if let reason { return "the host could not migrate \(log): \(reason)" }
    return switch end {
    case .exited(let status): "the host could not migrate \(log): it ended with status \(status)"
    case .signal(let name): "the host could not migrate \(log): it was ended by \(name)"
    case .waiting, .timedOut: "the host could not migrate \(log)"
    }
  }
}
