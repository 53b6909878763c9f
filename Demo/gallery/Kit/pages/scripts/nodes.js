import { RowNode } from "./row.js";
import { byId } from "./tools.js";

/** The nodes of the rows around the window, which are reused, and of their sections. */
export class Nodes {
    constructor(gallery) {
        this.gallery = gallery;
        this.element = byId("list");
        this.rows = new Map();
        this.groups = new Map();
        this.spare = [];
        /** The offset of the document's top in the list's content, and the document's height. */
        this.shift = 0;
        this.height = 0;
    }

    get(row) {
        return this.rows.get(row);
    }

    get focused() {
        const { activeElement } = document;
        return [...this.rows.values()].find(({ element }) => element.contains(activeElement));
    }

    /** Makes the document show another part of the content. */
    span(shift, height) {
        if (this.shift === shift && this.height === height) return;
        this.size(shift, height);
        for (const [index, group] of this.groups) this.placeGroup(index, group);
        for (const [row, node] of this.rows) this.put(node, row);
    }

    size(shift, height) {
        this.shift = shift;
        this.height = height;
        this.element.style.height = `${height}px`;
    }

    /** Shows these rows, between offsets, and no others. */
    render({ first, end }, top, bottom) {
        for (const [row, node] of this.rows) {
            if (row >= first && row < end) continue;
            this.rows.delete(row);
            this.release(node);
        }
        this.renderGroups(top, bottom);
        for (let row = first; row < end; row += 1) if (!this.rows.has(row)) this.add(row);
        this.spare.length = Math.min(this.spare.length, 80);
    }

    add(row) {
        const { list, pictures, keys } = this.gallery;
        const node = this.spare.pop() ?? new RowNode();
        this.rows.set(row, node);
        this.put(node, row);
        node.link.tabIndex = row === keys.current ? 0 : -1;
        node.fill(list, pictures);
    }

    release(node) {
        node.clear();
        this.spare.push(node);
    }

    put(node, row) {
        const { list } = this.gallery;
        const index = list.sectionOf(row);
        const [, start, number] = list.sections[index] ?? ["", 0, list.rows];
        if (!this.groups.has(index)) this.addGroup(index);
        const { top, rows } = this.groups.get(index);
        node.place(row, list, top, start, number);
        if (node.element.parentNode !== rows) rows.append(node.element);
    }

    /** A section's header, and the list of its rows; only those in view have nodes. */
    renderGroups(top, bottom) {
        const { list } = this.gallery;
        const isEmpty = !list.sections.length;
        const first = isEmpty ? -1 : Math.max(0, list.sectionAt(top));
        const last = isEmpty ? -1 : Math.max(0, list.sectionAt(bottom));
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
        const group = { element, rows, top: 0 };
        this.groups.set(index, group);
        this.placeGroup(index, group);
        const later = [...this.groups].filter(([other]) => other > index);
        const next = later.sort(([one], [other]) => one - other)[0];
        this.element.insertBefore(element, next?.[1].element ?? null);
    }

    /** Places a section; of one that reaches beyond the document, the part that is in it. */
    placeGroup(index, group) {
        const { list } = this.gallery;
        const top = list.shown(index < 0 ? 0 : list.sectionTops[index]);
        const bottom = list.shown(list.endOfSection(index));
        group.top = Math.max(top, this.shift);
        const end = Math.min(bottom, this.shift + this.height);
        group.element.style.top = `${group.top - this.shift}px`;
        group.element.style.height = `${Math.max(0, end - group.top)}px`;
    }

    /** Renumbers the rows after a change of the list, or of its lines. */
    renumber(move, shift, height) {
        const { list } = this.gallery;
        const nodes = [...this.rows];
        this.rows.clear();
        this.clearGroups();
        this.size(shift, height);
        for (const [row, node] of nodes) {
            const place = move(row);
            if (place < 0 || place >= list.rows) {
                this.release(node);
                continue;
            }
            this.rows.set(place, node);
            this.put(node, place);
            this.fill(place);
        }
    }

    clear() {
        for (const node of this.rows.values()) this.release(node);
        this.rows.clear();
        this.clearGroups();
    }

    clearGroups() {
        for (const { element } of this.groups.values()) element.remove();
        this.groups.clear();
    }

    /** Sorts the rows in the document, for screen readers. */
    sort() {
        const inOrder = [...this.rows].sort(([one], [other]) => one - other);
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

    fill(row) {
        const { list, pictures } = this.gallery;
        this.rows.get(row)?.fill(list, pictures);
    }

    fillAll() {
        for (const row of this.rows.keys()) this.fill(row);
        this.gallery.pictures.fetch();
        this.gallery.viewer.refresh();
    }

    /** Returns the rows that show a picture, with their numbers. */
    with(key) {
        const { entries } = this.gallery.list;
        return [...this.rows].filter(([row]) => entries[row]?.key === key);
    }

    /** Handles the arrival of a picture. */
    show(key) {
        const { list, pictures, viewer } = this.gallery;
        for (const [row, node] of this.with(key)) node.show(list.entries[row], pictures, false);
        viewer.refresh();
    }

    fail(key, why) {
        for (const [row] of this.with(key)) {
            this.gallery.list.entries[row].why = why;
            this.fill(row);
        }
    }
}
