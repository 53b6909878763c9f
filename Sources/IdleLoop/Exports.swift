// Points of time are the same in every module.
@_exported public import LoopTime
