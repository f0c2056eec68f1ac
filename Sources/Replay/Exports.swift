// Migrations and engines are written with the values of a log.
@_exported public import ActionLog
