// Instants are the same type in every module.
@_exported public import LullTime
