public import IdleLoop

/// A kind of loads that cost about the same, or the more the larger they are.
public typealias LoadKind = WorkKind
