/// The vertical extent of an element or a section in a list, in px from the top.
public struct Extent: Sendable, Hashable {
    /// The offset of its top edge.
    public var offset: Double
    /// The height.
    public var height: Double

    /// An extent with an offset and a height.
    package init(offset: Double, height: Double) {
        self.offset = offset
        self.height = height
    }

    /// The extent of an element, or of a line, at a place.
    init(_ place: SumPlace) {
        offset = HeightSteps.pixels(place.sum)
        height = HeightSteps.pixels(place.value)
    }

    /// The offset of its bottom edge.
    public var end: Double { offset + height }
}
