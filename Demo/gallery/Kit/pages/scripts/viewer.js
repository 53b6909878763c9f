import { byId, pause, whyNot } from "./tools.js";
import { facts, size } from "./words.js";

/** A dialog with one picture, and buttons for its neighbours. */
export class Viewer {
    constructor(gallery) {
        this.gallery = gallery;
        this.dialog = byId("view");
        this.row = -1;
        this.key = "";
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
        this.watchSwipes();
    }

    watchSwipes() {
        const stage = byId("view-stage");
        let from = null;
        stage.addEventListener("touchstart", ({ touches }) => {
            from = touches.length === 1 ? touches[0] : null;
        }, { passive: true });
        stage.addEventListener("touchend", ({ changedTouches: [to] }) => {
            if (!from || (window.visualViewport?.scale ?? 1) > 1.05) return;
            const across = to.clientX - from.clientX;
            const down = to.clientY - from.clientY;
            if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(down)) {
                this.step(across < 0 ? 1 : -1);
            }
            from = null;
        }, { passive: true });
    }

    open(row) {
        // On devices with a back gesture, such as phones, it closes the dialog, as Escape does.
        if (!this.dialog.open) this.dialog.showModal();
        this.turnTo(row);
    }

    closed() {
        byId("view-picture").removeAttribute("src");
        this.key = "";
        const { view } = this.gallery;
        const { row } = this;
        this.row = -1;
        if (row >= 0) view.go(row);
    }

    step(by) {
        const row = this.row + by;
        if (row >= 0 && row < this.gallery.list.shown) this.turnTo(row);
    }

    turnTo(row) {
        const { list, names } = this.gallery;
        this.row = row;
        this.key = "";
        byId("view-back").disabled = row === 0;
        byId("view-next").disabled = row === list.shown - 1;
        // A button that is disabled here must not take the focus away from the dialog.
        if (!this.dialog.contains(document.activeElement)) this.dialog.focus();
        names.add(Math.max(0, row - 1), row + 2);
        this.refresh();
    }

    /** Shows what is known of its row now. */
    refresh() {
        if (this.row < 0) return;
        const { list, pictures } = this.gallery;
        const entry = list.entries[this.row];
        const name = entry?.name ?? "";
        byId("view-name").textContent = name;
        byId("view-facts").textContent = name
            ? [facts(entry), size(entry.bytes)].filter(Boolean).join(" · ")
            : "";
        const small = byId("view-small");
        const picture = byId("view-picture");
        if (!entry?.key || entry.key !== this.key) {
            this.key = entry?.key ?? "";
            small.hidden = true;
            picture.hidden = true;
            this.say("");
            if (this.key) this.load(this.key);
        }
        picture.alt = name;
        if (this.key && picture.hidden && small.hidden && pictures.loaded.has(this.key)) {
            small.src = `thumbnails/${this.key}`;
            small.hidden = false;
        }
    }

    async load(key, attempt = 0) {
        const picture = byId("view-picture");
        const path = `pictures/${key}`;
        const ahead = new Image();
        ahead.src = path;
        const timer = setTimeout(() => {
            if (this.key === key && picture.hidden) this.say("Loading…");
        }, 700);
        try {
            await ahead.decode();
            if (this.key !== key) return;
            picture.src = path;
            picture.hidden = false;
            byId("view-small").hidden = true;
            this.say("");
        } catch {
            const { why, wait } = await whyNot(path);
            if (this.key !== key) return;
            if (why) {
                byId("view-small").hidden = true;
                this.say(`It can't be shown: ${why}`);
            } else {
                this.say("It didn't come. It will be tried again.");
                await pause(Math.max(wait, Math.min(15_000, 1000 * 2 ** attempt)));
                if (this.key === key) await this.load(key, attempt + 1);
            }
        } finally {
            clearTimeout(timer);
        }
    }

    say(text) {
        byId("view-why").textContent = text;
        byId("view-why").hidden = !text;
    }

    /** Handles a change of the list. */
    move(place) {
        if (this.row < 0) return;
        const row = place(this.row);
        if (row < 0) {
            this.say("It is no longer there.");
            this.row = Math.min(this.row, Math.max(0, this.gallery.list.shown - 1));
        } else {
            this.row = row;
        }
    }
}
