import { idOf } from "./tools.js";
import { day, facts, size } from "./words.js";

/** The space for the picture of a row that shows it beside its name, in pixels. */
const entryBox = [90, 60];

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
        const sizes = make("small", "", caption);
        this.pixels = make("span", "", sizes);
        this.bytes = make("span", "bytes", sizes);
        this.date = make("small", "", caption);
        this.image = null;
        this.row = -1;
    }

    /** Shows a row, at an offset in its section. */
    place(row, list, sectionTop, sectionStart, sectionCount) {
        const { left, top, width, height } = list.box(row);
        if (this.row !== row) this.element.dataset.row = row;
        this.row = row;
        const { style } = this.element;
        style.left = `${left}px`;
        style.top = `${top - sectionTop}px`;
        style.width = `${width}px`;
        style.height = `${height}px`;
        this.element.setAttribute("aria-posinset", row - sectionStart + 1);
        this.element.setAttribute("aria-setsize", sectionCount);
    }

    fill(list, pictures) {
        const entry = list.entries[this.row];
        this.shape.style.cssText = list.isGrid ? "" : RowNode.shape(list.ratios[this.row], entry);
        this.element.classList.toggle("unnamed", !entry?.name);
        const pixels = facts(entry);
        const bytes = entry?.name && size(entry.bytes);
        this.name.textContent = entry?.name ?? "";
        this.pixels.textContent = pixels;
        this.bytes.textContent = pixels && bytes ? ` · ${bytes}` : bytes || "";
        this.date.textContent = day(entry);
        const why = entry?.why && `can't be shown: ${entry.why}`;
        const label = [entry?.name, pixels, bytes, why].filter(Boolean);
        this.link.setAttribute("aria-label", label.join(", ") || "A picture");
        if (entry?.key) this.link.href = `?p=${idOf(entry.key)}`;
        else this.link.removeAttribute("href");
        this.show(entry, pictures, true);
    }

    /** Returns the style of a picture in a box; a reason takes all of it. */
    static shape(ratio, entry) {
        let [width, height] = entryBox;
        if (!entry?.why) {
            [width, height] = [Math.min(width, (height * ratio) / 64),
                Math.min(height, (width * 64) / ratio)];
        }
        return `width: ${Math.round(width)}px; height: ${Math.round(height)}px`;
    }

    /** Shows the picture if it is loaded, else its outline, or the reason why there is none. */
    show(entry, pictures, isKnown) {
        const image = entry?.key && !entry.why ? pictures.loaded.get(entry.key) : undefined;
        const isPreviewed = this.shape.classList.contains("previewed");
        const preview = image || !entry?.key || entry.why ? "" : pictures.preview(entry.key);
        this.shape.style.backgroundImage = preview && `url("${preview}")`;
        this.shape.classList.toggle("previewed", preview !== "");
        if (image) image.alt = entry.name;
        if (image && image === this.image && image.parentNode === this.shape) return;
        this.image = image ?? null;
        if (image) {
            // A picture replaces its preview at once: another that fades in would let the ground
            // through.
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
