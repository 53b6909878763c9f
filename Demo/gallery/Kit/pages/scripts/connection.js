import { getJSON, pause } from "./tools.js";

/** The time in ms without an event after which the server is considered gone: two beats. */
const silence = 20_000;
/** The time for which a hidden page keeps its stream. */
const hiddenTime = 3000;
/** How many pages of a browser have streams for as long as they are in view. */
const streams = 3;
/** The time for which another page in view has one when it is its turn, and between two turns. */
const turnTime = 1500;
const turnPause = 5000;

/** The connection to the server as one of its clients, which is renewed whenever it is lost.
 *
 * Browsers open six connections to a server, for all pages together, and each stream takes one.
 * So only the pages in view that were used last keep their streams. Another in view has one from
 * time to time, and at once when it is used. */
export class Connection {
    constructor(gallery) {
        this.gallery = gallery;
        this.client = "";
        this.epoch = "";
        this.stream = null;
        this.end = null;
        this.waking = null;
        this.isAway = document.visibilityState === "hidden";
        this.retry = 1000;
        this.isLastUsed = false;
        this.usedSince = new Set();
        this.name = String(Math.random());
        this.pages = new BroadcastChannel("gallery");
        this.pages.onmessage = ({ data }) => this.noteUse(data);
        for (const name of ["focus", "pointerdown", "wheel", "keydown", "touchstart"]) {
            window.addEventListener(name, () => this.use(), { passive: true });
        }
        this.use();
        window.addEventListener("online", () => this.isAway || this.waking?.());
        window.addEventListener("pagehide", () => {
            this.tellUse(false);
            this.leave();
        });
        window.addEventListener("pageshow", ({ persisted }) => {
            if (!persisted) return;
            this.use();
            this.waking?.();
        });
        document.addEventListener("visibilitychange", () => this.notice());
    }

    notice() {
        clearTimeout(this.timer);
        if (document.visibilityState === "hidden") {
            this.gallery.savePlace();
            this.timer = setTimeout(() => {
                this.tellUse(false);
                this.goAway();
            }, hiddenTime);
        } else {
            this.use();
        }
    }

    goAway() {
        clearTimeout(this.timer);
        this.isAway = true;
        this.leave();
    }

    comeBack() {
        clearTimeout(this.timer);
        if (!this.isAway) return;
        this.isAway = false;
        this.waking?.();
    }

    /** Handles that somebody uses this page, or looks at it again. */
    use() {
        if (document.visibilityState === "hidden") return;
        this.usedSince.clear();
        if (!this.isLastUsed) this.tellUse(true);
        this.comeBack();
    }

    /** Tells other pages that this one is used, or needs no stream any more. */
    tellUse(isUsed) {
        this.pages.postMessage({ name: this.name, isUsed });
        this.isLastUsed = isUsed;
    }

    /** Handles that another page is used, or needs no stream any more. */
    noteUse({ name, isUsed }) {
        if (isUsed) {
            this.isLastUsed = false;
            this.usedSince.add(name);
            if (this.usedSince.size >= streams && !this.isAway) this.endTurn();
        } else if (this.usedSince.delete(name) && this.usedSince.size < streams) {
            if (document.visibilityState === "visible") this.comeBack();
        }
    }

    endTurn() {
        this.goAway();
        if (document.visibilityState === "hidden") return this.tellUse(false);
        this.timer = setTimeout(() => {
            this.comeBack();
            this.timer = setTimeout(() => this.endTurn(), turnTime);
        }, turnPause * (0.75 + Math.random() / 2));
    }

    async run() {
        for (;;) {
            if (this.isAway) await this.woken();
            let wait = this.retry;
            this.isRenewed = false;
            try {
                await this.session();
                wait = 1000;
            } catch (error) {
                wait = Math.max(wait, error.wait ?? 0);
                this.retry = Math.min(15_000, this.retry * 2);
            }
            this.drop();
            if (this.isAway || this.isRenewed) continue;
            this.gallery.tellOffline(true);
            await Promise.race([pause(wait * (0.75 + Math.random() / 2)), this.woken()]);
        }
    }

    woken() {
        return new Promise((wake) => (this.waking = wake));
    }

    /** Runs one client; returns when the server says goodbye, and throws on a lost connection. */
    async session() {
        // A list that will be shown from its top can be loaded while it is fetched.
        const { list, viewer } = this.gallery;
        const isAtTop = !list && !this.gallery.savedPlaces().length && viewer.asked === null;
        const height = Math.round(window.innerHeight);
        const { order } = this.gallery.settings;
        const query = isAtTop ? `&v=0&h=${height}&f=${this.gallery.view.flowName}` : "";
        this.order = order;
        const answer = await fetch(`clients?o=${order}${query}`, {
            method: "POST",
            signal: AbortSignal.timeout(10_000),
        });
        if (!answer.ok) {
            const wait = 1000 * Number(answer.headers.get("Retry-After") ?? 0);
            throw Object.assign(new Error("clients"), { wait });
        }
        const { client } = await answer.json();
        if (this.isAway) {
            this.client = client;
            throw new Error("away meanwhile");
        }
        this.waitingEvents = [];
        await new Promise((bye, lost) => {
            this.end = lost;
            const stream = new EventSource(`clients/${client}/events`);
            this.stream = stream;
            let timer = 0;
            const expect = (limit) => {
                clearTimeout(timer);
                timer = setTimeout(() => lost(new Error("nothing has come")), limit);
            };
            const listen = (name, handler) =>
                stream.addEventListener(name, ({ data }) => {
                    if (this.stream === stream) expect(silence);
                    handler(JSON.parse(data));
                });
            expect(10_000);
            stream.onerror = () => {
                clearTimeout(timer);
                lost(new Error("the stream has ended"));
            };
            listen("beat", () => {});
            listen("bye", () => bye());
            listen("hello", (hello) => {
                this.client = client;
                this.gallery.input.letGo();
                this.begin(hello).catch(lost);
            });
            for (const name of ["thumbs", "failed", "changed", "reload", "omitted"]) {
                listen(name, (data) => this.take(name, data));
            }
        });
    }

    async begin({ epoch, version }) {
        const { gallery } = this;
        const { client } = this;
        const { list } = gallery;
        const isSame = list?.version === version && list.order === this.order;
        if (!isSame || this.epoch !== epoch) {
            await this.fetchList();
        } else {
            this.release();
        }
        if (this.client !== client) return;
        this.retry = 1000;
        gallery.tellOffline(false);
        gallery.view.wake();
        gallery.reports.tellPlace();
    }

    /** Fetches the list, in parts of one version; the stream's events wait until it is complete. */
    async fetchList() {
        const { gallery, client, order } = this;
        this.waitingEvents ??= [];
        for (let attempt = 0; ; attempt += 1) {
            const parts = [];
            let from = 0;
            while (from !== null) {
                const part = await getJSON(`list?o=${order}&from=${from}`);
                if (part.version !== (parts[0] ?? part).version) break;
                parts.push(part);
                from = part.next;
            }
            if (this.client !== client) return;
            if (from === null) {
                this.epoch = parts[0].epoch;
                await gallery.replaceList(parts, order);
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
            case "omitted":
                gallery.omitted = data;
                gallery.tellList();
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

    /** Begins anew at once, as another order of the list has been chosen. */
    renew() {
        this.isRenewed = true;
        this.retry = 1000;
        this.restart();
        this.waking?.();
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
        const signal = AbortSignal.timeout(10_000);
        fetch(path, { method: "POST", keepalive: true, signal }).catch(() => {});
    }
}
