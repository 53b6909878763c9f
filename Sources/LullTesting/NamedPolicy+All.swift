internal import DeferredLoading
internal import PeerPolicies

// Every rule there is.
extension NamedPolicy {
    /// Every rule, this package's own first, then what others do by their numbers.
    public static let all: [NamedPolicy] = own + simple + peers

    /// This package's own.
    public static let own: [NamedPolicy] = [
        .init(
            "within3", "in a fling that goes far, only the rows around where it rests",
            LandingRows())
    ]

    /// What one would try first; two of them, and `lifo`, are bounds for others.
    public static let simple: [NamedPolicy] = [
        .init("visible", "what is on screen, first come first", VisibleRows()),
        .init("lifo", "what is on screen, last come first", LatestFirst()),
        .init("everything", "what is on screen, then all within two screens", EverythingNear()),
    ]

    /// What other systems do.
    public static let peers: [NamedPolicy] = []

    /// Other names of rules.
    static let aliases = ["p18": "lifo", "p19": "everything"]
}
