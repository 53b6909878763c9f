public import CLull

/// Sets the text of `lull_last_error`; see lull.h.
@c @implementation
public func lull_set_last_error(_ text: UnsafePointer<CChar>!) {
    if let text = unsafe text { unsafe lull_keep_error(text) }
}
