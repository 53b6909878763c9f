import { byId, clamp } from "./tools.js";

/** The time in milliseconds for which it stays after the list has moved. */
const lingerTime = 1500;
/** The height of the handle, in pixels. */
const handleHeight = 48;

/** A slider along the list, which jumps to any place in it at once.
 *
 * It is the list's scroll bar, too: the browser's own would tell the place in the document, which
 * is only a part of a very high list. */
export class Scrubber {
    constructor(gallery) {
        this.gallery = gallery;
        this.element = byId("scrubber");
        this.handle = byId("scrubber-handle");
        this.labels = byId("scrubber-labels");
        this.bubble = byId("scrubber-bubble");
        // What the labels were made for.
        this.labelled = [];
        // Where the window was when it was shown last.
        this.offset = 0;
        // How far below the handle's top it was grabbed.
        this.grabbed = null;
        this.timer = 0;
        const listen = (name, handler) => this.element.addEventListener(name, handler);
        listen("pointerdown", (event) => this.grab(event));
        listen("pointermove", (event) => this.drag(event));
        listen("pointerup", () => this.drop());
        listen("pointercancel", () => this.drop());
        listen("pointerleave", () => this.drop());
        this.handle.addEventListener("keydown", (event) => this.press(event));
        this.handle.addEventListener("focus", () => this.show());
    }

    // Where it is.

    /** How far the handle goes, in pixels. */
    get travel() {
        return Math.max(1, this.gallery.view.height - handleHeight);
    }

    /** Returns the handle's place for an offset in the list. */
    place(offset) {
        const last = this.gallery.view.lastScroll();
        return last ? clamp(offset / last, 0, 1) * this.travel : 0;
    }

    /** Shows where in the list the window is. */
    show() {
        const { view, list } = this.gallery;
        this.element.hidden = list.height < 2 * view.height;
        if (this.element.hidden) return;
        this.handle.style.transform = `translateY(${this.place(view.offset)}px)`;
        this.label();
        const isFocused = document.activeElement === this.handle;
        if (isFocused || this.grabbed !== null) this.tell(view.offset);
        if (view.offset !== this.offset) this.reveal();
        this.offset = view.offset;
        if (!view.isMoving) this.describe();
    }

    /** Shows the handle for a while. */
    reveal() {
        clearTimeout(this.timer);
        this.element.classList.add("shown");
        this.timer = setTimeout(() => {
            if (this.grabbed === null) this.element.classList.remove("shown");
        }, lingerTime);
    }

    /** Tells screen readers where it is. */
    describe() {
        const { view, list } = this.gallery;
        const row = view.rowsInView().first;
        const [number, rows] = [row + 1, list.rows].map((value) => value.toLocaleString("en"));
        const section = list.sections[list.sectionOf(row)]?.[0];
        this.handle.setAttribute("aria-valuemax", list.rows);
        this.handle.setAttribute("aria-valuenow", row + 1);
        const parts = [section, `picture ${number} of ${rows}`].filter(Boolean);
        this.handle.setAttribute("aria-valuetext", parts.join(", "));
    }

    /** Tells beside it which section is at an offset. */
    tell(offset) {
        const { list } = this.gallery;
        const index = Math.max(0, list.sectionAt(offset));
        this.bubble.textContent = list.sections[index]?.[0] ?? "";
        this.bubble.style.transform = `translateY(${this.place(offset)}px)`;
    }

    /** Puts labels of years or folders along it, as many as fit. */
    label() {
        const { view, list } = this.gallery;
        const made = [list.tops, view.height, document.documentElement.clientWidth];
        if (made.every((value, index) => value === this.labelled[index])) return;
        this.labelled = made;
        const size = parseFloat(getComputedStyle(this.labels).lineHeight) + 6;
        const nodes = [];
        let free = 0;
        let last = "";
        list.sections.forEach(([name, , , month], index) => {
            const text = month === undefined ? name : String(Math.floor(month / 12));
            const place = this.place(list.sectionTops[index]);
            if (text === last || place < free) return;
            last = text;
            free = place + size;
            const node = document.createElement("span");
            node.textContent = text;
            node.style.top = `${place + handleHeight / 2}px`;
            nodes.push(node);
        });
        this.labels.replaceChildren(...nodes);
    }

    // What moves it.

    jump(place) {
        const { view } = this.gallery;
        this.gallery.sought = null;
        this.gallery.keys.areUsed = false;
        view.jumpTo(clamp(place / this.travel, 0, 1) * view.lastScroll());
    }

    grab(event) {
        const isOnHandle = this.handle.contains(event.target);
        if (event.button || (event.pointerType === "touch" && !isOnHandle)) return;
        const { top } = this.element.getBoundingClientRect();
        const { view } = this.gallery;
        this.element.setPointerCapture(event.pointerId);
        const place = this.place(view.offset);
        this.grabbed = isOnHandle ? event.clientY - top - place : handleHeight / 2;
        this.element.classList.add("grabbed");
        this.drag(event);
    }

    drag(event) {
        const { top } = this.element.getBoundingClientRect();
        const { view } = this.gallery;
        if (this.grabbed !== null) {
            this.jump(event.clientY - top - this.grabbed);
        } else {
            const place = event.clientY - top - handleHeight / 2;
            this.tell(clamp(place / this.travel, 0, 1) * view.lastScroll());
        }
    }

    /** Loads at once what is in view where it is let go. */
    drop() {
        if (this.grabbed === null) return;
        this.grabbed = null;
        this.element.classList.remove("grabbed");
        this.settle();
    }

    press(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
        const { view } = this.gallery;
        const part = Math.max(view.height, view.lastScroll() / 10);
        const by = {
            ArrowDown: view.height, ArrowRight: view.height, ArrowUp: -view.height,
            ArrowLeft: -view.height, PageDown: part, PageUp: -part, Home: -Infinity, End: Infinity,
        }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        this.jump(this.place(clamp(view.offset + by, 0, view.lastScroll())));
        this.settle();
    }

    settle() {
        const { view, reports } = this.gallery;
        // Otherwise a short jump would pass for a fast fling, whose landing is far away.
        view.jump = true;
        view.rest();
        reports.sendAtOnce();
        this.reveal();
    }
}
