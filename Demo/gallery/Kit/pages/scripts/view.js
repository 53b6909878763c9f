import { RowNode } from "./row.js";
import { byId, clamp } from "./tools.js";

/** The time in milliseconds without motion after which a list rests. */
const restAfter = 120;

/** Shows the rows around the window, in nodes that are reused, and tracks the motion. */
export class View {
    constructor(gallery) {
        this.gallery = gallery;
        this.element = byId("list");
        this.nodes = new Map();
        this.groups = new Map();
        this.spare = [];
        // The offset of the document's top in the content. It is nonzero only while the list moves
        // and rows above the window have changed: scrollTo would stop the fling.
        this.shift = 0;
        this.current = 0;
        this.isMoving = false;
        this.isTouched = false;
        this.speed = 0;
        this.lastMotion = 0;
        this.lastOffset = 0;
        this.frames = [];
        this.request = 0;
        this.hasKeys = false;
        this.jump = false;
        this.resize();
    }

    get offset() {
        return window.scrollY + this.shift;
    }

    /** The offset that is reported to the server: that of the window's own top, which the bar covers.
     * Neither it nor the reported height leaves out the bar, as a browser's flings are as long as
     * the whole window makes them. */
    get reported() {
        return Math.max(0, this.offset - this.top);
    }

    get isFast() {
        return this.isMoving && Math.abs(this.speed) > 2 * this.height;
    }

    resize() {
        this.top = parseFloat(getComputedStyle(this.element).marginTop) || 0;
        this.height = Math.max(1, window.innerHeight - this.top);
        this.wake();
    }

    rowsInView(offset = this.offset) {
        const { list } = this.gallery;
        if (!list?.shown) return { first: 0, end: 0 };
        const first = list.firstRowIn(offset);
        let end = first;
        while (end < list.shown && list.tops[end] < offset + this.height) end += 1;
        return { first, end };
    }

    /** Starts to draw frames, until nothing has moved for a while. */
    wake() {
        if (!this.request) this.request = requestAnimationFrame((time) => this.frame(time));
    }

    /** Handles the start of a motion. */
    stir(time = performance.now()) {
        this.lastMotion = Math.max(this.lastMotion, time);
        if (!this.isMoving) {
            this.isMoving = true;
            this.frames = [];
            this.lastOffset = this.offset;
        }
        this.wake();
    }

    frame(time) {
        this.request = 0;
        const { list, reports } = this.gallery;
        if (!list) return;
        const { offset } = this;
        if (offset !== this.lastOffset) {
            this.stir(time);
            reports.add("f", time, this.reported);
            this.lastOffset = offset;
            this.lastMotion = time;
        }
        this.frames.push([time, offset]);
        while (this.frames.length > 2 && this.frames[0][0] < time - 100) this.frames.shift();
        const [since, from] = this.frames[0];
        this.speed = time > since ? ((offset - from) / (time - since)) * 1000 : 0;
        if (this.shift && offset < 0) this.fold();
        this.render();
        reports.send();
        if (!this.isMoving) return;
        if (time - this.lastMotion < restAfter) this.wake();
        else if (!this.isTouched) this.rest(time);
    }

    /** Handles the end of a motion. */
    rest(time) {
        const { gallery } = this;
        this.isMoving = false;
        this.speed = 0;
        this.frames = [];
        this.fold();
        if (this.jump) gallery.reports.add("e", time);
        this.jump = false;
        gallery.reports.add("f", time, this.reported);
        gallery.reports.send(true);
        this.render();
        this.sort();
        this.followFocus();
        gallery.savePlace();
    }

    /** Scrolls the document so that its top is the content's again. */
    fold() {
        if (!this.shift) return;
        const offset = clamp(this.offset, 0, this.lastScroll());
        this.shift = 0;
        this.setHeight();
        window.scrollTo({ top: offset, behavior: "instant" });
        this.lastOffset = this.offset;
        this.placeGroups();
    }

    lastScroll() {
        return Math.max(0, this.gallery.list.height - this.height);
    }

    scrollTo(offset) {
        this.fold();
        window.scrollTo({ top: offset, behavior: "instant" });
    }

    setHeight() {
        this.element.style.height = `${Math.max(0, this.gallery.list.height - this.shift)}px`;
    }

    render() {
        const { list, names, pictures } = this.gallery;
        if (!list) return;
        const { offset, speed, height } = this;
        // More rows ahead than behind; frames are drawn a little after the document has scrolled.
        const ahead = clamp(Math.abs(speed) * 0.1, 300, 1600);
        const top = offset - (speed < 0 ? ahead : 300);
        const bottom = offset + height + (speed > 0 ? ahead : 300);
        const first = list.shown ? list.firstRowIn(top) : 0;
        let end = first;
        while (end < list.shown && list.tops[end] < bottom) end += 1;
        for (const [row, node] of this.nodes) {
            if (row < first || row >= end) {
                this.nodes.delete(row);
                node.clear();
                this.spare.push(node);
            }
        }
        this.renderGroups(top, bottom);
        for (let row = first; row < end; row += 1) {
            if (!this.nodes.has(row)) this.add(row);
        }
        this.spare.length = Math.min(this.spare.length, 40);
        if (!this.isFast && list.shown) {
            const seen = this.rowsInView();
            names.need(Math.max(0, seen.first - 3), seen.end + 3);
        }
        pictures.fetch();
        this.tellPlace();
    }

    add(row) {
        const { list, pictures } = this.gallery;
        const node = this.spare.pop() ?? new RowNode();
        this.nodes.set(row, node);
        this.put(node, row);
        node.link.tabIndex = row === this.current ? 0 : -1;
        node.fill(list, pictures);
    }

    put(node, row) {
        const { list } = this.gallery;
        const index = list.sectionOf(row);
        const [, start, number] = list.sections[index] ?? ["", 0, list.rows];
        const top = list.tops[row] - (index < 0 ? 0 : list.sectionTops[index]);
        node.place(row, top, list, start, number);
        const { rows } = this.groups.get(index);
        if (node.element.parentNode !== rows) rows.append(node.element);
    }

    /** A section's header, and the list of its rows; only those in view have nodes. */
    renderGroups(top, bottom) {
        const { list } = this.gallery;
        const first = list.sections.length ? Math.max(0, list.sectionAt(top)) : -1;
        const last = list.sections.length ? Math.max(0, list.sectionAt(bottom)) : -1;
        for (const [index, group] of this.groups) {
            if (index < first || index > last) {
                group.element.remove();
                this.groups.delete(index);
            }
        }
        for (let index = first; index <= last; index += 1) {
            if (!this.groups.has(index)) this.addGroup(index);
        }
    }

    addGroup(index) {
        const { list } = this.gallery;
        const element = document.createElement("section");
        const heading = document.createElement("h2");
        const rows = document.createElement("div");
        element.className = "group";
        heading.textContent = list.sections[index]?.[0] ?? "";
        heading.hidden = index < 0;
        rows.setAttribute("role", "list");
        rows.setAttribute("aria-label", heading.textContent);
        element.append(heading, rows);
        const group = { element, rows };
        this.groups.set(index, group);
        this.placeGroup(index, group);
        const later = [...this.groups].filter(([other]) => other > index);
        const next = later.sort(([one], [other]) => one - other)[0];
        this.element.insertBefore(element, next?.[1].element ?? null);
    }

    placeGroup(index, group) {
        const { list } = this.gallery;
        const top = index < 0 ? 0 : list.sectionTops[index];
        group.element.style.top = `${top - this.shift}px`;
        group.element.style.height = `${list.endOfSection(index) - top}px`;
    }

    placeGroups() {
        for (const [index, group] of this.groups) this.placeGroup(index, group);
    }

    /** Sorts the rows in the document, for screen readers. */
    sort() {
        const inOrder = [...this.nodes].sort(([one], [other]) => one - other);
        const last = new Map();
        for (const [, { element }] of inOrder) {
            const parent = element.parentNode;
            const before = last.get(parent) ?? null;
            if (element.previousSibling !== before && !element.contains(document.activeElement)) {
                parent.insertBefore(element, before ? before.nextSibling : parent.firstChild);
            }
            last.set(parent, element);
        }
    }

    fillAll() {
        const { list, pictures } = this.gallery;
        for (const node of this.nodes.values()) node.fill(list, pictures);
        pictures.fetch();
        this.gallery.viewer.refresh();
    }

    isShown(key) {
        const { entries } = this.gallery.list;
        for (const row of this.nodes.keys()) if (entries[row]?.key === key) return true;
        return false;
    }

    /** Handles the arrival of a picture. */
    show(key) {
        const { list, pictures } = this.gallery;
        for (const [row, node] of this.nodes) {
            const entry = list.entries[row];
            if (entry?.key === key) node.show(entry, pictures, false);
        }
        this.gallery.viewer.refresh();
    }

    fail(key, why) {
        const { list, pictures } = this.gallery;
        for (const [row, node] of this.nodes) {
            const entry = list.entries[row];
            if (entry?.key !== key) continue;
            entry.why = why;
            node.fill(list, pictures);
        }
    }

    /** Applies a change of the list: the row at the window's top stays where it is. */
    change(apply) {
        const { list } = this.gallery;
        const { offset } = this;
        const isAtTop = offset <= 0;
        let anchor = list.shown ? list.firstRowIn(offset) : -1;
        const before = anchor < 0 ? 0 : offset - list.tops[anchor];
        const focused = [...this.nodes.values()].find((node) =>
            node.element.contains(document.activeElement),
        );
        const oldRows = list.rows;
        const move = apply();
        let place = anchor < 0 ? -1 : move(anchor);
        let isSame = place >= 0;
        while (anchor >= 0 && place < 0 && anchor + 1 < oldRows) place = move((anchor += 1));
        let to = offset;
        if (isAtTop) to = Math.min(0, offset);
        else if (place >= 0) {
            const most = list.heights[place];
            to = list.tops[place] + (isSame ? Math.min(before, most) : Math.min(before, 0));
        }
        to = clamp(to, Math.min(0, offset), Math.max(0, this.lastScroll()));
        this.shift = to - window.scrollY;
        this.renumber(move);
        this.setHeight();
        this.lastOffset = this.offset;
        this.frames = [];
        if (!this.isMoving) this.fold();
        this.render();
        focused?.link.focus({ preventScroll: true });
        this.gallery.viewer.move(move);
        this.gallery.reports.move(to - offset);
        this.gallery.reports.add("f", performance.now(), this.reported);
        this.gallery.reports.send();
        this.wake();
    }

    /** Renumbers the rows. */
    renumber(move) {
        const { list, pictures } = this.gallery;
        const nodes = [...this.nodes];
        this.nodes.clear();
        for (const { element } of this.groups.values()) element.remove();
        this.groups.clear();
        for (const [row, node] of nodes) {
            const place = move(row);
            if (place < 0 || place >= list.shown) {
                node.clear();
                this.spare.push(node);
                continue;
            }
            const index = list.sectionOf(place);
            if (!this.groups.has(index)) this.addGroup(index);
            this.nodes.set(place, node);
            this.put(node, place);
            node.fill(list, pictures);
        }
        const current = move(this.current);
        this.current = clamp(current < 0 ? this.current : current, 0, Math.max(0, list.shown - 1));
    }

    /** Replaces the list, and shows one of its rows. */
    replace(row, before) {
        const { list } = this.gallery;
        for (const node of this.nodes.values()) {
            node.clear();
            this.spare.push(node);
        }
        this.nodes.clear();
        for (const { element } of this.groups.values()) element.remove();
        this.groups.clear();
        this.shift = 0;
        this.setHeight();
        const top = row < list.shown ? list.tops[row] : list.height;
        window.scrollTo({ top: row > 0 || before > 0 ? top + before : 0, behavior: "instant" });
        this.lastOffset = this.offset;
        this.current = clamp(this.rowsInView().first, 0, Math.max(0, list.shown - 1));
        this.render();
        this.sort();
        this.markCurrent();
    }

    tellPlace() {
        const { list } = this.gallery;
        const place = byId("place");
        if (!list.shown) {
            place.textContent = "";
            return;
        }
        const row = this.rowsInView().first;
        const section = list.sections[list.sectionOf(row)]?.[0];
        const parts = [`${(row + 1).toLocaleString("en")} of ${list.rows.toLocaleString("en")}`];
        if (list.shown < list.rows) parts[0] += ` (${list.shown.toLocaleString("en")} shown)`;
        // The section's header is at the top anyway.
        const omissions = this.gallery.omissions();
        if (omissions.length) parts.push(...omissions);
        else if (section) parts.push(section);
        const whole = parts.join(" · ");
        if (place.textContent === whole) return;
        place.textContent = whole;
        place.title = whole;
    }

    // The row to which keys apply.

    markCurrent() {
        for (const [row, node] of this.nodes) {
            node.link.tabIndex = row === this.current ? 0 : -1;
        }
    }

    /** Returns the first and the last row that are completely in view. */
    wholeRows() {
        const { list } = this.gallery;
        const { first, end } = this.rowsInView();
        const top = this.offset + (this.offset > 0 ? list.header : 0);
        let from = first;
        while (from + 1 < end && list.tops[from] < top) from += 1;
        let to = end - 1;
        const bottom = this.offset + this.height;
        while (to > from && list.tops[to] + list.heights[to] > bottom) to -= 1;
        return { from, to };
    }

    /** Moves the focus into view after keys or a finger have scrolled the list. */
    followFocus() {
        const { list } = this.gallery;
        if (!list.shown) return;
        const { from, to } = this.wholeRows();
        const isFocused = this.hasKeys || this.element.contains(document.activeElement);
        if (this.current < from || this.current > to) {
            const isAtEnd = this.offset >= this.lastScroll() - 1 && this.offset > 0;
            this.current = isAtEnd && this.hasKeys ? list.shown - 1 : from;
        }
        this.markCurrent();
        if (isFocused && !byId("view").open) {
            this.nodes.get(this.current)?.link.focus({ preventScroll: true });
        }
    }

    /** Moves to a row, and scrolls just far enough to bring it into view. */
    go(row, isFocused = true) {
        const { list } = this.gallery;
        if (row < 0 || row >= list.shown) return;
        this.current = row;
        // Its section's header stays at the top, over the rows.
        const top = list.tops[row] - list.header;
        const bottom = list.tops[row] + list.heights[row] - this.height;
        if (this.offset > top) this.scrollTo(Math.max(0, top));
        else if (this.offset < bottom) this.scrollTo(bottom);
        this.render();
        this.markCurrent();
        if (isFocused) this.nodes.get(row)?.link.focus({ preventScroll: true });
    }
}
