import { idOf } from "./tools.js";
import { facts, size } from "./words.js";

/** The nodes of one row, which are reused for another when it leaves the view. */
export class RowNode {
    constructor() {
        const make = (name, className, parent) => {
            const element = document.createElement(name);
            element.className = className;
            parent?.append(element);
            return element;
        };
        this.element = make("div", "row");
        this.element.setAttribute("role", "listitem");
        this.link = make("a", "", this.element);
        this.link.tabIndex = -1;
        const picture = make("span", "picture", this.link);
        this.shape = make("span", "shape", picture);
        const caption = make("span", "caption", this.link);
        this.name = make("b", "", caption);
        this.pixels = make("small", "", caption);
        this.bytes = make("small", "", caption);
        this.image = null;
        this.row = -1;
    }

    /** Shows a row, at an offset in its section. */
    place(row, top, list, sectionStart, sectionCount) {
        const height = list.heights[row];
        if (this.row !== row) this.element.dataset.row = row;
        this.row = row;
        this.element.style.top = `${top}px`;
        this.element.style.height = `${height}px`;
        this.element.classList.toggle("low", height < 110);
        this.element.setAttribute("aria-posinset", row - sectionStart + 1);
        this.element.setAttribute("aria-setsize", sectionCount);
    }

    fill(list, pictures) {
        const entry = list.entries[this.row];
        const [boxWidth] = list.box;
        const room = list.heights[this.row] - 16;
        let width = boxWidth;
        let height = Math.min(room, list.box[1]);
        if (entry?.width) {
            const scale = Math.min(boxWidth / entry.width, room / entry.height, 1);
            width = Math.max(1, Math.round(entry.width * scale));
            height = Math.max(1, Math.round(entry.height * scale));
        }
        if (entry?.why) [width, height] = [boxWidth, Math.min(room, list.box[1])];
        this.shape.style.width = `${width}px`;
        this.shape.style.height = `${height}px`;
        this.element.classList.toggle("unnamed", !entry?.name);
        this.name.textContent = entry?.name ?? "";
        this.pixels.textContent = entry?.name ? facts(entry) : "";
        this.bytes.textContent = entry?.name ? size(entry.bytes) : "";
        const label = [
            entry?.name, facts(entry), entry?.name && size(entry.bytes),
            entry?.why && `can't be shown: ${entry.why}`,
        ];
        this.link.setAttribute("aria-label", label.filter(Boolean).join(", ") || "A picture");
        if (entry?.key) this.link.href = `?p=${idOf(entry.key)}`;
        else this.link.removeAttribute("href");
        this.show(entry, pictures, true);
    }

    /** Shows the picture if it is loaded, else its outline, or the reason why there is none. */
    show(entry, pictures, isKnown) {
        const image = entry?.key && !entry.why ? pictures.loaded.get(entry.key) : undefined;
        if (image === this.image && image?.parentNode === this.shape) {
            image.alt = entry.name;
            return;
        }
        this.image = image ?? null;
        // A picture replaces its preview at once: another that fades in would let the ground through.
        const isPreviewed = this.shape.classList.contains("previewed");
        const preview = image || !entry?.key || entry.why ? "" : pictures.preview(entry.key);
        this.shape.style.backgroundImage = preview && `url("${preview}")`;
        this.shape.classList.toggle("previewed", preview !== "");
        if (image) {
            image.alt = entry.name;
            image.className = isKnown || isPreviewed ? "known" : "";
            this.shape.replaceChildren(image);
        } else if (entry?.why) {
            const why = document.createElement("span");
            why.className = "why";
            why.textContent = entry.why;
            this.shape.replaceChildren(why);
        } else {
            this.shape.replaceChildren();
        }
    }

    clear() {
        if (this.element.contains(document.activeElement)) this.link.blur();
        this.link.tabIndex = -1;
        this.shape.replaceChildren();
        this.shape.style.backgroundImage = "";
        this.shape.classList.remove("previewed");
        this.image = null;
        this.row = -1;
        this.element.remove();
    }
}
