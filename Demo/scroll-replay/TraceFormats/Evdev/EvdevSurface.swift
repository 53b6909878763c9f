/// The meaning of fingers on a device.
enum EvdevSurface {
    /// A finger touches what it moves.
    case touchscreen
    /// One finger moves the pointer, two or more scroll.
    case touchpad

    /// Creates the surface of a device with some of the kernel's properties; nil if they don't tell.
    init?(isPointer: Bool, isDirect: Bool) {
        guard isPointer || isDirect else { return nil }
        self = isDirect ? .touchscreen : .touchpad
    }

    /// Creates the surface of a device with the kernel's properties of these numbers.
    init?(properties: [Int64]) {
        self.init(
            isPointer: properties.contains(Evdev.pointerProperty),
            isDirect: properties.contains(Evdev.directProperty))
    }
}
