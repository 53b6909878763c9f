import CGTK

/// A label, whose text is what GTK shows.
@safe final class Label {
    let widget: UnsafeMutablePointer<GtkWidget>?

    init(_ text: String) {
        unsafe widget = gtk_label_new(text)
        unsafe gtk_label_set_xalign(OpaquePointer(widget), 0)
    }

    var text: String {
        get {
            guard let text = unsafe gtk_label_get_text(OpaquePointer(widget)) else { return "" }
            return unsafe String(cString: text)
        }
        set { unsafe gtk_label_set_text(OpaquePointer(widget), newValue) }
    }
}

/// A button, and what a click calls.
@safe final class Button {
    let widget: UnsafeMutablePointer<GtkWidget>?
    private let clicked: () -> Void

    init(_ text: String, _ clicked: @escaping () -> Void) {
        self.clicked = clicked
        unsafe widget = gtk_button_new_with_label(text)
        // GTK calls it on the thread of its loop, which is the main actor's.
        let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
            guard let button = unsafe $1 else { return }
            let this = unsafe Unmanaged<Button>.fromOpaque(button).takeUnretainedValue()
            MainActor.assumeIsolated { this.clicked() }
        }
        unsafe g_signal_connect_data(
            widget, "clicked", unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    func click() { unsafe gtk_widget_activate(widget) }
}

/// A window with widgets below each other, and what its end calls.
@safe final class Window {
    private let widget: UnsafeMutablePointer<GtkWidget>?
    private let closed: () -> Void

    init(
        _ title: String, _ children: [UnsafeMutablePointer<GtkWidget>?],
        closed: @escaping () -> Void
    ) {
        self.closed = closed
        unsafe widget = gtk_window_new()
        let box = unsafe gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
        unsafe children.forEach { unsafe gtk_box_append(cast(box), $0) }
        unsafe gtk_widget_set_margin_start(box, 16)
        unsafe gtk_widget_set_margin_end(box, 16)
        unsafe gtk_widget_set_margin_top(box, 16)
        unsafe gtk_widget_set_margin_bottom(box, 16)
        let window: UnsafeMutablePointer<GtkWindow>? = unsafe cast(widget)
        unsafe gtk_window_set_title(window, title)
        unsafe gtk_window_set_child(window, box)
        unsafe gtk_window_set_default_size(window, 420, 200)
        let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean =
            {
                guard let window = unsafe $1 else { return 0 }
                let this = unsafe Unmanaged<Window>.fromOpaque(window).takeUnretainedValue()
                MainActor.assumeIsolated { this.closed() }
                return 0
            }
        unsafe g_signal_connect_data(
            widget, "close-request", unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
        unsafe gtk_window_present(window)
    }
}

/// GTK's types are structures that begin with those they derive from.
private func cast<Type, Other>(_ widget: UnsafeMutablePointer<Type>?) -> UnsafeMutablePointer<
    Other
>? {
    unsafe UnsafeMutableRawPointer(widget)?.assumingMemoryBound(to: Other.self)
}
