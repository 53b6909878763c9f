// One import for the loop, the list model, its cells and the loader.
@_exported public import DeferredLoading
@_exported public import IdleLoop
@_exported public import ListCells
@_exported public import ScrollModel
