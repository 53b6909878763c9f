import { byId, clamp } from "./tools.js";

/** Handles the arrow keys, which move from row to row; paging keys are left to the browser. */
export class Keys {
    constructor(gallery) {
        this.gallery = gallery;
        document.addEventListener("keydown", (event) => this.press(event));
        byId("list").addEventListener("click", (event) => this.click(event));
        byId("list").addEventListener("focusin", (event) => {
            const row = Number(event.target.closest(".row")?.dataset.row ?? -1);
            if (row < 0) return;
            gallery.view.current = row;
            gallery.view.markCurrent();
        });
    }

    press(event) {
        const { view, list, input } = this.gallery;
        if (!list?.shown || byId("view").open) return;
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const focus = document.activeElement;
        const isInList = view.element.contains(focus);
        if (!isInList && focus !== document.body) return;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step && !event.shiftKey) {
            event.preventDefault();
            input.tell("k", event);
            const { from, to } = view.wholeRows();
            const isInView = view.current >= from - 1 && view.current <= to + 1;
            if (!isInList && !isInView) view.go(from);
            else if (!isInList) view.go(clamp(view.current, from, to));
            else view.go(clamp(view.current + step, 0, list.shown - 1));
        } else if (["PageUp", "PageDown", "Home", "End", " "].includes(event.key)) {
            input.tell("k", event);
        }
    }

    click(event) {
        const link = event.target.closest("a");
        const row = Number(event.target.closest(".row")?.dataset.row ?? -1);
        if (!link || row < 0 || event.button) return;
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        this.gallery.viewer.open(row);
    }
}
