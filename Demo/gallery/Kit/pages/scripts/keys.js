import { byId, clamp } from "./tools.js";

/** Handles the keys that move from picture to picture, and keeps the picture to which they apply;
 * paging keys are left to the browser. */
export class Keys {
    constructor(gallery) {
        this.gallery = gallery;
        this.current = 0;
        // The place across the lines at which keys go up and down.
        this.column = null;
        /** Whether the last input was a key, not a finger or a wheel. */
        this.areUsed = false;
        document.addEventListener("keydown", (event) => this.press(event));
        byId("list").addEventListener("click", (event) => this.click(event));
        byId("list").addEventListener("focusin", (event) => {
            const row = Number(event.target.closest(".row")?.dataset.row ?? -1);
            if (row < 0 || row === this.current) return;
            this.current = row;
            this.column = null;
            this.mark();
        });
    }

    get list() {
        return this.gallery.list;
    }

    press(event) {
        const { view, input } = this.gallery;
        if (!this.list?.rows || byId("view").open) return;
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const focus = document.activeElement;
        const isInList = view.element.contains(focus);
        if (!isInList && focus !== document.body) return;
        const { key } = event;
        if (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"].includes(key) && !event.shiftKey) {
            event.preventDefault();
            input.tell("k", event);
            if (isInList) this.step(key);
            else this.enter();
        } else if (["Home", "End"].includes(key)) {
            event.preventDefault();
            input.tell("k", event);
            this.jump(key === "Home");
        } else if (["PageUp", "PageDown", " "].includes(key)) {
            input.tell("k", event);
        }
    }

    /** Moves the focus into the list, to the current row if it's in view. */
    enter() {
        const { from, to } = this.wholeRows();
        const isInView = this.current >= from - 1 && this.current <= to + 1;
        this.go(isInView ? clamp(this.current, from, to) : from);
    }

    step(key) {
        const { list, current } = this;
        const aside = { ArrowLeft: -1, ArrowRight: 1 }[key];
        if (aside) return this.go(clamp(current + aside, 0, list.rows - 1));
        const line = list.lineOf(current) + (key === "ArrowDown" ? 1 : -1);
        if (line < 0 || line >= list.tops.length) return;
        const column = this.column ?? list.middle(current);
        this.go(list.nearest(line, column));
        this.column = column;
    }

    /** Jumps to the top or to the end. */
    jump(isToTop) {
        const { view } = this.gallery;
        view.jumpTo(isToTop ? 0 : view.lastScroll());
        this.go(isToTop ? 0 : this.list.rows - 1);
    }

    click(event) {
        const link = event.target.closest("a");
        const row = Number(event.target.closest(".row")?.dataset.row ?? -1);
        if (!link || row < 0 || event.button) return;
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        this.gallery.viewer.open(row);
    }

    /** Keeps to the current row after a change of the list. */
    move(place) {
        const row = place(this.current);
        const last = Math.max(0, this.list.rows - 1);
        this.current = clamp(row < 0 ? this.current : row, 0, last);
        this.column = null;
    }

    mark() {
        for (const [row, node] of this.gallery.view.nodes.rows) {
            node.link.tabIndex = row === this.current ? 0 : -1;
        }
    }

    /** Returns the first and the last row of the lines that are completely in view. */
    wholeRows() {
        const { list } = this;
        const { view } = this.gallery;
        const { first, end } = view.rowsInView();
        // Some browsers scroll by whole pixels only, and lines begin between them.
        const top = view.offset + (view.offset > 0 ? list.header : 0) - 1;
        let from = list.lineOf(first);
        let to = list.lineOf(end - 1);
        while (from < to && list.tops[from] < top) from += 1;
        const bottom = view.offset + view.height + 1;
        while (to > from && list.tops[to] + list.heights[to] > bottom) to -= 1;
        return { from: list.firsts[from], to: list.firsts[to + 1] - 1 };
    }

    /** Moves the focus into view after keys or a finger have scrolled the list. */
    follow() {
        const { view } = this.gallery;
        if (!this.list.rows) return;
        const { from, to } = this.wholeRows();
        const isFocused = this.areUsed || view.element.contains(document.activeElement);
        if (this.current < from || this.current > to) {
            const isAtEnd = view.offset >= view.lastScroll() - 1 && view.offset > 0;
            this.current = isAtEnd && this.areUsed ? this.list.rows - 1 : from;
            this.column = null;
        }
        this.mark();
        if (isFocused) this.focus();
    }

    focus() {
        const { view } = this.gallery;
        if (!byId("view").open) view.nodes.get(this.current)?.link.focus({ preventScroll: true });
    }

    /** Moves to a row, and scrolls just far enough to bring it into view. */
    go(row, isFocused = true) {
        const { list } = this;
        const { view } = this.gallery;
        if (row < 0 || row >= list.rows) return;
        this.current = row;
        this.column = null;
        // Its section's header stays at the top, over the rows.
        const top = list.top(row) - list.header;
        const bottom = list.bottom(row) - view.height;
        if (view.offset > top) view.scrollTo(Math.max(0, top));
        else if (view.offset < bottom) view.scrollTo(bottom);
        view.render();
        this.mark();
        if (isFocused) this.focus();
    }
}
