// One import for the loop, the list model and the loader.
@_exported public import DeferredLoading
@_exported public import IdleLoop
@_exported public import ScrollModel
