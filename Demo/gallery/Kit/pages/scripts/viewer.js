import { byId, clamp, idOf, pause } from "./tools.js";
import { facts, moment, size } from "./words.js";

/** The time in ms for which a picture must be shown to be wanted large: a key that is held flies
 * over many. */
const settleTime = 150;
/** The time after which a request for a picture is given up; the server's own limit is 30 s. */
const timeLimit = 40_000;
/** How much larger a picture is after a double tap. */
const zoom = 2.5;

/** A dialog with one picture, and buttons for its neighbours.
 *
 * It keeps to the picture's identity, whatever becomes of the list. Its address is `?p=` with that,
 * so that it can be shared, and that a step back closes it. */
export class Viewer {
    constructor(gallery) {
        this.gallery = gallery;
        this.dialog = byId("view");
        this.stage = byId("view-stage");
        this.title = document.title;
        // A row's number; while it is in none, a half between those that its neighbours have.
        this.row = -0.5;
        this.id = "";
        this.key = "";
        this.way = 1;
        this.turned = 0;
        this.isSettled = false;
        this.requests = new AbortController();
        byId("view-close").addEventListener("click", () => this.dialog.close());
        byId("view-back").addEventListener("click", () => this.step(-1));
        byId("view-next").addEventListener("click", () => this.step(1));
        this.dialog.addEventListener("keydown", (event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
            event.preventDefault();
            this.step(step);
        });
        this.dialog.addEventListener("close", () => this.closed());
        window.addEventListener("popstate", () => this.follow());
        this.watchSwipes();
        this.watchTaps();
    }

    watchSwipes() {
        let from = null;
        this.stage.addEventListener("touchstart", ({ touches }) => {
            from = touches.length === 1 && !this.isZoomed ? touches[0] : null;
        }, { passive: true });
        this.stage.addEventListener("touchend", ({ changedTouches: [to] }) => {
            if (!from || this.isZoomed) return;
            const across = to.clientX - from.clientX;
            const down = to.clientY - from.clientY;
            if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(down)) {
                this.step(across < 0 ? 1 : -1);
            }
            from = null;
        }, { passive: true });
    }

    watchTaps() {
        let last = null;
        this.stage.addEventListener("click", (tap) => {
            const isSecond = last && tap.timeStamp - last.timeStamp < 350
                && Math.hypot(tap.clientX - last.clientX, tap.clientY - last.clientY) < 30;
            last = isSecond ? null : tap;
            if (isSecond) this.zoomAt(tap);
        });
    }

    /** Whether it is enlarged, by a double tap or by the browser's own pinch. */
    get isZoomed() {
        return this.stage.matches(".zoomed") || (window.visualViewport?.scale ?? 1) > 1.05;
    }

    /** Enlarges the picture around a point, or shows it whole again. */
    zoomAt({ clientX, clientY }) {
        const { left, top } = this.stage.getBoundingClientRect();
        if (!this.stage.classList.toggle("zoomed")) return;
        this.stage.scrollTo((clientX - left) * (zoom - 1), (clientY - top) * (zoom - 1));
    }

    // Addresses.

    /** The identity of the picture that the address names; null without one. */
    get asked() {
        return new URLSearchParams(location.search).get("p");
    }

    /** Shows what the address says. */
    follow() {
        const { asked } = this;
        if (!this.gallery.list || (this.dialog.open && asked === this.id)) return;
        if (asked === null) return this.dialog.close();
        this.show();
        this.clear();
        this.id = asked;
        this.row = -0.5;
        this.isSettled = true;
        this.find(5);
    }

    show() {
        if (this.dialog.open) return;
        // On devices with a back gesture, such as phones, it closes the dialog, as Escape does.
        this.dialog.showModal();
        this.dialog.append(byId("offline"));
    }

    open(row) {
        this.show();
        history.pushState({ isOverList: true }, "", "?p=");
        this.turnTo(row);
    }

    closed() {
        this.clear();
        document.body.append(byId("offline"));
        document.title = this.title;
        const { row } = this;
        this.row = -0.5;
        if (this.asked !== null) {
            if (history.state?.isOverList) history.back();
            else history.replaceState(null, "", location.pathname);
        }
        const { keys, list } = this.gallery;
        if (row >= 0) keys.go(Math.min(Math.ceil(row), list.rows - 1));
    }

    // From picture to picture.

    step(by) {
        const row = by > 0 ? Math.floor(this.row) + 1 : Math.ceil(this.row) - 1;
        if (row < 0 || row >= this.gallery.list.rows) return;
        this.way = by;
        this.turnTo(row);
    }

    turnTo(row) {
        const now = performance.now();
        const isQuick = now - this.turned < settleTime;
        this.turned = now;
        this.clear();
        this.gallery.sought = null;
        this.timer = setTimeout(() => this.settle(), isQuick ? settleTime : 0);
        this.place(row);
    }

    /** Moves to a row, and the list with it: what is around it is then made as for who scrolls. */
    place(row) {
        const { list, names, keys } = this.gallery;
        this.row = row;
        byId("view-back").setAttribute("aria-disabled", row === 0);
        byId("view-next").setAttribute("aria-disabled", row === list.rows - 1);
        keys.go(row, false);
        names.add(Math.max(0, row - 1), row + 2);
        this.refresh();
    }

    /** Shows nothing, and requests nothing more. */
    clear() {
        clearTimeout(this.timer);
        this.isSettled = false;
        this.id = "";
        this.forget();
        this.stage.classList.remove("zoomed");
        byId("view-name").textContent = "";
        byId("view-facts").textContent = "";
        byId("view-said").textContent = "";
        byId("view-original").hidden = true;
    }

    /** Forgets a version of the picture, and cancels what is requested of it. */
    forget() {
        this.requests.abort();
        this.key = "";
        byId("view-small").hidden = true;
        byId("view-picture").hidden = true;
        byId("view-damage").hidden = true;
        this.say("");
    }

    get isThere() {
        return this.dialog.open && Number.isInteger(this.row);
    }

    /** Shows what is known of its row now. */
    refresh() {
        if (!this.isThere) return;
        const { list, pictures } = this.gallery;
        const entry = list.entries[this.row];
        if (!entry?.key || !entry.name) return;
        const { key, name } = entry;
        const [row, rows] = [this.row + 1, list.rows].map((number) => number.toLocaleString("en"));
        const parts = [
            `${row} of ${rows}`, facts(entry), entry.bytes && size(entry.bytes),
            entry.taken !== null && moment(entry.taken),
        ];
        byId("view-name").textContent = name;
        byId("view-facts").textContent = parts.filter(Boolean).join(" · ");
        byId("view-original").href = `originals/${key}`;
        byId("view-original").hidden = !entry.bytes;
        const small = byId("view-small");
        const picture = byId("view-picture");
        picture.alt = name;
        if (key !== this.key) {
            this.forget();
            this.key = key;
            this.id = idOf(key);
            if (this.isSettled) this.arrive();
        }
        if (picture.hidden && small.hidden) {
            const source = pictures.loaded.get(key)?.src ?? pictures.preview(key);
            if (source) small.src = source;
            small.hidden = !source;
        }
    }

    settle() {
        this.isSettled = true;
        if (this.key) this.arrive();
    }

    /** Handles a stop at a picture: it is told to those who don't see it, and loaded. */
    arrive() {
        const name = byId("view-name").textContent;
        const [position] = byId("view-facts").textContent.split(" · ");
        history.replaceState(history.state, "", `?p=${this.id}`);
        document.title = `${name} · ${this.title}`;
        byId("view-said").textContent = `${name}, ${position}`;
        this.load(this.key);
    }

    // Loading.

    async load(key, attempt = 0) {
        const requests = new AbortController();
        this.requests = requests;
        const picture = byId("view-picture");
        const late = setTimeout(() => requests.signal.aborted || this.say("Loading…"), 700);
        const { why, wait, damage } = await this.fetch(key, requests);
        clearTimeout(late);
        if (requests.signal.aborted) return;
        if (why) {
            byId("view-small").hidden = true;
            this.say(`It can't be shown: ${why}`);
        } else if (wait !== undefined) {
            this.say("It didn't come. It will be tried again.");
            await pause(Math.max(wait, Math.min(15_000, 1000 * 2 ** attempt)));
            if (!requests.signal.aborted) await this.load(key, attempt + 1);
        } else {
            picture.src = `pictures/${key}`;
            await picture.decode().catch(() => {});
            if (requests.signal.aborted) return;
            picture.hidden = false;
            byId("view-small").hidden = true;
            byId("view-damage").textContent = `⚠ Not all of it is shown: ${damage}`;
            byId("view-damage").hidden = !damage;
            this.say("");
            await this.loadNeighbours(requests);
        }
    }

    /** Fetches the next picture in the direction of the last step, and the one before, into the
     * browser's cache; the server makes them when it has nothing else to do. */
    async loadNeighbours(requests) {
        for (const row of [this.row + this.way, this.row - this.way]) {
            const key = this.gallery.list.entries[row]?.key;
            if (key && !requests.signal.aborted) await this.fetch(key, requests, true);
        }
    }

    /** Fetches a picture into the browser's cache; returns what is wrong with its file, why there is
     * none, or when to retry. */
    async fetch(key, { signal }, isAhead = false) {
        const limit = new AbortController();
        const giveUp = () => limit.abort();
        const timer = setTimeout(giveUp, timeLimit);
        signal.addEventListener("abort", giveUp);
        try {
            const answer = await fetch(`pictures/${key}`, {
                signal: limit.signal,
                priority: isAhead ? "low" : "high",
                headers: isAhead ? { Priority: "u=7" } : {},
            });
            if (answer.ok) {
                await answer.blob();
                return { damage: answer.headers.get("Picture-Damage") };
            }
            if (answer.status === 422) return { why: (await answer.text()).slice(0, 200) };
            if (answer.status === 404) return { why: "it is no longer there" };
            return { wait: 1000 * Number(answer.headers.get("Retry-After") ?? 0) };
        } catch {
            return { wait: 1000 };
        } finally {
            clearTimeout(timer);
            signal.removeEventListener("abort", giveUp);
        }
    }

    say(text) {
        byId("view-why").textContent = text;
        byId("view-why").hidden = !text;
    }

    // Changes of the list.

    /** Handles a change, from old rows to new ones; who isn't there may have come back. */
    move(place) {
        if (!this.dialog.open) return;
        const { isThere } = this;
        let row = Math.ceil(this.row);
        let to = place(row);
        const isStill = isThere && to >= 0;
        while (to < 0) to = place((row += 1));
        this.row = isStill ? to : to - 0.5;
        if (isStill) this.place(to);
        else if (this.id) this.find(1);
    }

    /** Handles another list, in which the picture is found again by its identity. */
    relist() {
        if (!this.dialog.open) return this.follow();
        const last = this.gallery.list.rows - 1;
        const row = clamp(Math.ceil(this.row), 0, Math.max(0, last));
        if (!this.id) return this.turnTo(row);
        this.row = row - 0.5;
        this.find(5);
    }

    /** Finds the row of its picture; a server that has just started may not have listed it yet. */
    async find(attempts) {
        const { id, gallery } = this;
        const search = {};
        this.search = search;
        for (let attempt = 1; ; ) {
            const found = await gallery.find([{ id, before: 0 }], gallery.list);
            if (this.search !== search || this.id !== id || this.isThere) return;
            if (found && found.version === gallery.list.version) {
                // It was given up.
                if (this.requests.signal.aborted) this.forget();
                return this.place(found.row);
            }
            if (!found && (attempt += 1) > attempts) break;
            await pause(found ? 200 : 1000);
        }
        this.requests.abort();
        byId("view-original").hidden = true;
        this.say("It is no longer there.");
    }
}
