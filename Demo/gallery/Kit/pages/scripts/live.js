// The live view: one client's rows over the last 15 seconds, as reported by the server.
import { Chart } from "./chart.js";
import { Story } from "./story.js";
import { byId, isStill } from "./tools.js";

/** Events are sent ten times a second, so the drawing lags behind by this many seconds. */
const lag = 0.2;
const urgencies = {
    visible: "in view",
    landing: "where it will rest",
    approach: "on the way",
    near: "near by",
    pinned: "first or last page",
    speculative: "on the off chance",
};
const milliseconds = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

class LiveView {
    constructor() {
        this.story = new Story();
        this.chart = new Chart(byId("chart"));
        this.isPaused = false;
        this.kept = [];
        this.retry = 1000;
        this.clock = null;
        this.point = null;
        this.lastDrawn = 0;
        this.lastTold = 0;
        byId("pause").addEventListener("click", () => this.pause());
        byId("client").addEventListener("change", () => this.connect());
        byId("chart").addEventListener("pointermove", (event) => (this.point = event));
        byId("chart").addEventListener("pointerleave", () => (this.point = null));
        document.addEventListener("keydown", (event) => {
            const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
            if (event.key !== " " || !isPlain || event.target.closest("button, select, a")) return;
            event.preventDefault();
            this.pause();
        });
        document.addEventListener("visibilitychange", () => this.notice());
        window.addEventListener("pagehide", () => this.stream?.close());
        window.addEventListener("pageshow", (event) => event.persisted && this.connect());
        this.connect();
        this.listClients();
        setInterval(() => this.listClients(), 5000);
        requestAnimationFrame((time) => this.draw(time));
    }

    say(text) {
        if (byId("status").textContent !== text) byId("status").textContent = text;
    }

    /** A page that stays hidden for a while closes its stream. */
    notice() {
        clearTimeout(this.hiding);
        if (document.visibilityState === "hidden") {
            this.hiding = setTimeout(() => {
                this.isAway = true;
                this.stream?.close();
                clearTimeout(this.timer);
            }, 3000);
        } else if (this.isAway) {
            this.isAway = false;
            this.connect();
        }
    }

    connect() {
        clearTimeout(this.timer);
        this.stream?.close();
        this.story = new Story();
        this.chart.range = null;
        this.kept = [];
        this.clock = null;
        if (this.isPaused) this.pause();
        const client = byId("client").value;
        const stream = new EventSource(`lull/events${client ? `?client=${client}` : ""}`);
        this.stream = stream;
        stream.addEventListener("list", ({ data }) => this.begin(JSON.parse(data)));
        stream.addEventListener("moments", ({ data }) => this.take(JSON.parse(data)));
        stream.onerror = () => {
            stream.close();
            if (this.stream !== stream) return;
            this.say("Offline. It will be tried again.");
            this.timer = setTimeout(() => this.again(), this.retry * (0.75 + Math.random() / 2));
            this.retry = Math.min(15_000, this.retry * 2);
        };
    }

    /** Reconnects after a loss; a client that has gone is no longer requested. */
    async again() {
        await this.listClients();
        this.connect();
    }

    begin(list) {
        this.retry = 1000;
        clearTimeout(this.timer);
        this.setClock(list.now);
        this.story.tellList(list);
        this.client = list.client;
        if (list.client) {
            this.say(`${list.rows.toLocaleString("en")} rows`);
        } else {
            this.say("Nobody looks at the gallery: open it in another window.");
            this.timer = setTimeout(() => this.connect(), 2000);
        }
    }

    /** Estimates the server's clock from the message with the shortest delay, with a little
     * drift. */
    setClock(now) {
        const clock = now - performance.now() / 1000;
        this.clock = this.clock === null ? clock : Math.max(clock, this.clock - 0.0005);
    }

    take(data) {
        this.setClock(data.now);
        if (!this.isPaused) {
            this.story.tell(data);
            return;
        }
        // After a minute nothing older is drawn any more, so the history starts anew.
        if (this.kept.length < 600) this.kept.push(data);
    }

    pause() {
        this.isPaused = !this.isPaused;
        const button = byId("pause");
        button.setAttribute("aria-pressed", this.isPaused);
        button.textContent = this.isPaused ? "Go on" : "Pause";
        if (this.isPaused) {
            this.pausedAt = this.now;
            return;
        }
        const { kept } = this;
        this.kept = [];
        if (kept.length === 600) {
            this.connect();
            return;
        }
        for (const data of kept) this.story.tell(data);
    }

    get now() {
        return performance.now() / 1000 + (this.clock ?? 0) - lag;
    }

    draw(time) {
        requestAnimationFrame((next) => this.draw(next));
        const every = isStill.matches ? 250 : 0;
        if (time - this.lastDrawn < every && !this.chart.isStale) return;
        this.lastDrawn = time;
        this.chart.isStale = false;
        const now = this.isPaused ? this.pausedAt : this.now;
        if (this.clock !== null) this.chart.draw(this.story, now, isStill.matches);
        this.tip();
        if (time - this.lastTold < 500) return;
        this.lastTold = time;
        this.tell();
    }

    tip() {
        const load = this.point &&
            this.chart.loadAt(this.story, this.point.offsetX, this.point.offsetY);
        let text = "";
        if (load) {
            text = `Row ${(load.row + 1).toLocaleString("en")}`;
            if (urgencies[load.urgency]) text += `, asked as ${urgencies[load.urgency]}`;
            const outcome = {
                seen: "made, seen", unseen: "made, not seen so far", dropped: "dropped",
                failed: "failed", waiting: "still waiting",
            }[load.outcome];
            text += `: ${outcome}`;
            if (load.end !== null) text += ` after ${milliseconds((load.end - load.asked) * 1000)}`;
            if (load.cost) text += `, cost ${milliseconds(load.cost)}`;
        }
        if (byId("tip").textContent !== text) byId("tip").textContent = text;
    }

    tell() {
        const { counts, open, longest, queue, clients, price } = this.story;
        const set = (name, text) => {
            const cell = byId(`n-${name}`);
            if (cell.textContent !== String(text)) cell.textContent = text;
        };
        for (const [name, number] of Object.entries(counts)) set(name, number.toLocaleString("en"));
        const made = counts.seen + counts.unseen;
        if (made) set("unseen", `${counts.unseen} (${Math.round((100 * counts.unseen) / made)} %)`);
        set("waiting", open.size);
        set("turn", longest ? milliseconds(longest) : "–");
        set("queue", queue.at(-1)?.[1] ?? 0);
        set("clients", clients);
        set("price", price.toFixed(1));
    }

    async listClients() {
        if (document.visibilityState === "hidden") return;
        let clients;
        try {
            const answer = await fetch("lull/clients", { signal: AbortSignal.timeout(5000) });
            ({ clients } = await answer.json());
        } catch {
            return;
        }
        const select = byId("client");
        const chosen = select.value;
        const options = clients.slice(0, 200).map(({ id, since }) => {
            const here = since < 90 ? `${Math.round(since)} s` : `${Math.round(since / 60)} min`;
            return new Option(`${id.slice(0, 6)}, here for ${here}`, id, false, id === chosen);
        });
        // A list that may be open must not change under the pointer.
        if (document.activeElement === select && document.hasFocus()) return;
        select.replaceChildren(new Option("the last that moved", ""), ...options);
        select.value = clients.some(({ id }) => id === chosen) ? chosen : "";
    }
}

new LiveView();
