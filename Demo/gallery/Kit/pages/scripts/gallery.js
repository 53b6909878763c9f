import { Connection } from "./connection.js";
import { Input } from "./input.js";
import { Keys } from "./keys.js";
import { List } from "./list.js";
import { Names } from "./names.js";
import { Pictures } from "./pictures.js";
import { Reports } from "./reports.js";
import { Scrubber } from "./scrubber.js";
import { Settings } from "./settings.js";
import { byId, getJSON, idOf, isStill, pause } from "./tools.js";
import { View } from "./view.js";
import { Viewer } from "./viewer.js";
import { count } from "./words.js";

/** The list on the page, with its parts. */
export class Gallery {
    constructor() {
        this.list = null;
        this.sought = null;
        this.omitted = {};
        this.isSeeking = false;
        this.focused = "";
        this.settings = new Settings(this);
        this.view = new View(this);
        this.names = new Names(this);
        this.pictures = new Pictures(this);
        this.reports = new Reports(this);
        this.input = new Input(this);
        this.keys = new Keys(this);
        this.scrubber = new Scrubber(this);
        this.viewer = new Viewer(this);
        this.connection = new Connection(this);
        byId("top").addEventListener("click", () => this.jumpToTop());
        this.say("Loading the list…");
    }

    say(text) {
        const status = byId("status");
        if (status.textContent !== text) status.textContent = text;
    }

    /** Shows another list, at the position of the rows that were at the top of the window. */
    async replaceList(parts, order) {
        const [{ version, header, row: entry, rows, omitted }] = parts;
        this.omitted = omitted;
        const places = this.sought?.places ?? (this.list ? this.places() : this.savedPlaces());
        const fallback = this.list?.rows ? this.view.rowsInView().first : 0;
        const ratios = new Uint16Array(rows);
        for (const part of parts) ratios.set(part.ratios, part.from);
        const sections = parts.flatMap((part) => part.sections);
        const list = new List(
            { version, header, entry, order, sections, ratios }, this.view.flow,
        );
        const found = await this.find(places, list);
        const last = Math.max(0, list.rows - 1);
        const { row, before } = found ?? { row: Math.min(fallback, last), before: 0 };
        this.keepFocus();
        this.list = list;
        this.reports.forget();
        this.view.replace(row, before);
        // What was reported of the list before may have come too late.
        this.reports.tellPlace();
        // A server that has just started may not have listed that row yet.
        const until = performance.now() + 60_000;
        this.sought = places.length && found?.version !== version ? { places, until } : null;
        this.viewer.relist();
        this.tellList();
        this.refocus();
    }

    /** Takes down which picture's row has the focus, before its node goes with the list. */
    keepFocus() {
        const { list, view, keys } = this;
        const key = list?.entries[keys.current]?.key;
        if (key && view.element.contains(document.activeElement)) this.focused = idOf(key);
    }

    /** Moves the focus back, if that row is in view. With a newer list it's done after the change
     * that leads to it. */
    async refocus() {
        const { list, focused } = this;
        if (!focused) return;
        const { version } = list;
        const found = await this.find([{ id: focused, before: 0 }], list);
        const isSame = this.list === list && list.version === version && this.focused === focused;
        if (!isSame || (found ? found.version !== version : this.sought)) return;
        this.focused = "";
        const { first, end } = this.view.rowsInView();
        const isFree = document.activeElement === document.body;
        if (isFree && found?.row >= first && found.row < end) this.keys.go(found.row);
    }

    /** Returns the position of the window's top, by the names of the rows there. */
    places() {
        const { list, view } = this;
        if (!list?.rows || view.offset <= 0) return [];
        // The section's header covers what is above.
        const { first, end } = list.rowsIn(view.offset + list.header, view.offset + view.height);
        const places = [];
        for (let row = first; row < end && places.length < 6; row += 1) {
            const key = list.entries[row]?.key;
            if (key) places.push({ id: idOf(key), before: view.offset - list.top(row) });
        }
        return places;
    }

    /** Returns the first of some rows that the server still has, in the version that it has now. */
    async find(places, list) {
        for (const { id, before } of places) {
            try {
                const { row, version } = await getJSON(`rows?o=${list.order}&id=${id}`);
                return row < list.rows ? { row, before, version } : null;
            } catch (error) {
                if (error.status !== 404) return null;
            }
        }
        return null;
    }

    /** Handles inserted rows, which may include the row that was at the window's top. */
    async seek() {
        if (!this.sought || this.isSeeking) return;
        this.isSeeking = true;
        await pause(400);
        const { sought, list } = this;
        const { version } = list;
        const found = sought && (await this.find(sought.places, list));
        this.isSeeking = false;
        // If the user has scrolled meanwhile, the position stays.
        if (!this.sought || performance.now() > sought.until) {
            this.sought = null;
        } else if (this.list !== list || list.version !== version) {
            this.seek();
        } else if (found && found.version !== version) {
            this.seek();
        } else if (found) {
            this.sought = null;
            this.keepFocus();
            this.view.replace(found.row, found.before);
            this.refocus();
            this.reports.tellPlace();
        }
    }

    savePlace() {
        if (this.sought) return;
        try {
            if (this.list) sessionStorage.setItem("place", JSON.stringify(this.places()));
        } catch {
            // Storage may be forbidden; then a reloaded page begins at the top.
        }
    }

    savedPlaces() {
        try {
            return JSON.parse(sessionStorage.getItem("place") ?? "[]");
        } catch {
            return [];
        }
    }

    change(data) {
        const { list, view } = this;
        view.change(() => list.apply(data));
        this.tellList();
        this.seek();
        this.refocus();
    }

    tellList() {
        const { list } = this;
        document.documentElement.classList.toggle("ready", list.rows > 0);
        byId("list").hidden = false;
        const pictures = count(list.rows, "picture", "pictures");
        const [one, many] = list.order === "date" ? ["month", "months"] : ["folder", "folders"];
        const parts = [`${pictures} in ${count(list.sections.length, one, many)}`];
        if (!list.rows) parts[0] = "There are no pictures here yet";
        this.say([...parts, ...this.omissions()].join(" · "));
        this.view.tellPlace();
    }

    /** Returns what is in the folders and not in the list, in words. */
    omissions() {
        const { files, folders, more } = this.omitted;
        return [
            more && "there are more than are listed",
            files && `${count(files, "file", "files")} can't be shown`,
            folders && `${count(folders, "folder", "folders")} can't be read`,
        ].filter(Boolean);
    }

    offer({ v, t, h }) {
        const { list, pictures, view, names } = this;
        let [first, end] = [Infinity, -1];
        if (h) pictures.head = atob(h);
        for (const [row, key, preview] of t) {
            const isOurs = v === list.version && row < list.rows;
            if (isOurs) {
                const entry = list.entry(row);
                entry.key = key;
                entry.why = "";
                first = Math.min(first, row);
                end = Math.max(end, row + 1);
            }
            pictures.offer(row, key, !view.nodes.get(row), preview);
            view.nodes.fill(row);
        }
        // The names are also needed where pictures are being made, as the list will rest there.
        if (end > first && end - first < 256) names.add(first, end);
        pictures.fetch();
    }

    fail({ v, f }) {
        const { list, view } = this;
        if (v !== list.version) return;
        for (const [row, why] of f) {
            if (row >= list.rows) continue;
            list.entry(row).why = why;
            view.nodes.fill(row);
        }
    }

    jumpToTop() {
        const { view, reports, keys } = this;
        if (!this.list || view.offset <= 0) return;
        keys.areUsed = false;
        keys.current = 0;
        view.fold();
        const time = performance.now();
        // No browser scrolls smoothly to another part of the document.
        if (view.nodes.shift || isStill.matches) return view.jumpTo(0);
        view.stir(time);
        view.jump = true;
        reports.add("t", time);
        reports.sendAtOnce();
        window.scrollTo({ top: 0, behavior: "smooth" });
    }

    tellOffline(isOffline) {
        byId("offline").hidden = !isOffline;
        if (!isOffline) this.tellList();
    }
}
