import { getJSON, pause } from "./tools.js";

/** The connection to the server as one of its clients, which is renewed whenever it is lost. */
export class Connection {
    constructor(gallery) {
        this.gallery = gallery;
        this.client = "";
        this.epoch = "";
        this.stream = null;
        this.end = null;
        this.waking = null;
        this.isAway = false;
        this.retry = 1000;
        window.addEventListener("online", () => this.waking?.());
        window.addEventListener("pagehide", () => this.leave());
        window.addEventListener("pageshow", (event) => event.persisted && this.waking?.());
        document.addEventListener("visibilitychange", () => this.notice());
    }

    /** A page that stays hidden for a minute closes its stream. */
    notice() {
        clearTimeout(this.hiding);
        if (document.visibilityState === "hidden") {
            this.gallery.savePlace();
            this.hiding = setTimeout(() => {
                this.isAway = true;
                this.leave();
            }, 60_000);
        } else {
            this.isAway = false;
            this.waking?.();
        }
    }

    async run() {
        for (;;) {
            let wait = this.retry;
            try {
                await this.session();
                wait = 1000;
            } catch (error) {
                wait = Math.max(wait, error.wait ?? 0);
                this.retry = Math.min(15_000, this.retry * 2);
            }
            this.drop();
            if (!this.isAway) this.gallery.tellOffline(true);
            const late = this.isAway ? new Promise(() => {}) : pause(wait * (0.75 + Math.random() / 2));
            await Promise.race([late, new Promise((wake) => (this.waking = wake))]);
            this.waking = null;
        }
    }

    /** Runs one client; returns when the server says goodbye, and throws on a lost connection. */
    async session() {
        // A list that will be shown from its top can be loaded while it is fetched.
        const isAtTop = !this.gallery.list && !this.gallery.savedPlaces().length;
        const query = isAtTop ? `?v=0&h=${Math.round(window.innerHeight)}` : "";
        const answer = await fetch(`clients${query}`, {
            method: "POST",
            signal: AbortSignal.timeout(10_000),
        });
        if (!answer.ok) {
            const wait = 1000 * Number(answer.headers.get("Retry-After") ?? 0);
            throw Object.assign(new Error("clients"), { wait });
        }
        const { client } = await answer.json();
        this.waitingEvents = [];
        await new Promise((bye, lost) => {
            this.end = lost;
            const stream = new EventSource(`clients/${client}/events`);
            this.stream = stream;
            const listen = (name, handler) =>
                stream.addEventListener(name, ({ data }) => handler(JSON.parse(data)));
            const timer = setTimeout(() => lost(new Error("no hello")), 10_000);
            stream.onerror = () => {
                clearTimeout(timer);
                lost(new Error("the stream has ended"));
            };
            listen("bye", () => bye());
            listen("hello", (hello) => {
                clearTimeout(timer);
                this.client = client;
                this.gallery.input.letGo();
                this.begin(hello).catch(lost);
            });
            for (const name of ["thumbs", "failed", "changed", "reload", "recording"]) {
                listen(name, (data) => this.take(name, data));
            }
        });
    }

    async begin({ epoch, version }) {
        const { gallery } = this;
        const { client } = this;
        if (!gallery.list || this.epoch !== epoch || gallery.list.version !== version) {
            await this.fetchList();
        } else {
            this.release();
        }
        if (this.client !== client) return;
        this.retry = 1000;
        gallery.tellOffline(false);
        gallery.tellRecording(false);
        gallery.view.wake();
        gallery.reports.add("f", performance.now(), gallery.view.reported);
        gallery.reports.send(true);
    }

    /** Fetches the list, in parts of one version; the stream's events wait until it is complete. */
    async fetchList() {
        const { gallery } = this;
        const { client } = this;
        this.waitingEvents ??= [];
        for (let attempt = 0; ; attempt += 1) {
            const parts = [];
            let from = 0;
            while (from !== null) {
                const part = await getJSON(`list?from=${from}`);
                if (part.version !== (parts[0] ?? part).version) break;
                parts.push(part);
                from = part.next;
            }
            if (this.client !== client) return;
            if (from === null) {
                this.epoch = parts[0].epoch;
                await gallery.replaceList(parts);
                this.release();
                return;
            }
            await pause(Math.min(2000, 100 * 2 ** attempt));
        }
    }

    take(name, data) {
        if (this.waitingEvents) this.waitingEvents.push([name, data]);
        else this.handle(name, data);
    }

    release() {
        const events = this.waitingEvents ?? [];
        this.waitingEvents = null;
        for (const [name, data] of events) this.take(name, data);
    }

    handle(name, data) {
        const { gallery } = this;
        const { list } = gallery;
        switch (name) {
            case "thumbs":
                gallery.offer(data);
                break;
            case "failed":
                gallery.fail(data);
                break;
            case "changed":
                if (data.to <= list.version) break;
                // Without its sections, nobody could tell which section an inserted row belongs to.
                if (data.from !== list.version || (data.inserted?.length && !data.sections)) {
                    this.reload();
                } else {
                    gallery.change(data);
                }
                break;
            case "reload":
                if (data.version !== list.version) this.reload();
                break;
            case "recording":
                gallery.tellRecording(data.on, data.trace);
                break;
        }
    }

    reload() {
        this.waitingEvents = [];
        this.fetchList().catch((error) => this.end?.(error));
    }

    restart() {
        this.end?.(new Error("to begin anew"));
    }

    drop() {
        this.stream?.close();
        this.stream = null;
        this.waitingEvents = null;
        this.sayGoodbye();
        this.gallery.reports.forget();
    }

    leave() {
        this.gallery.savePlace();
        this.sayGoodbye();
        this.end?.(new Error("away"));
    }

    sayGoodbye() {
        if (!this.client) return;
        const path = `clients/${this.client}/leave`;
        this.client = "";
        fetch(path, { method: "POST", keepalive: true }).catch(() => {});
    }
}
