import { mean, pause } from "./tools.js";

const round = (value) => Math.round(value * 10) / 10;

/** Reports events to the server, in order, at most every 50 ms and one report at a time. */
export class Reports {
    constructor(gallery) {
        this.gallery = gallery;
        this.events = [];
        this.isSending = false;
        this.isUrgent = false;
        this.lastSent = 0;
        this.lastTime = 0;
        this.timer = 0;
        // Until a report has been answered, it's that of the page itself.
        const [page] = performance.getEntriesByType("navigation");
        this.roundTrip = Math.max(0, page ? page.responseStart - page.requestStart : 0);
    }

    /** The time in ms from a picture's event until it is shown, with the event's way here. */
    get delivery() {
        return (this.gallery.pictures.delivery || this.roundTrip) + this.roundTrip / 2;
    }

    add(kind, time, ...numbers) {
        const { list, connection } = this.gallery;
        if (!list || !connection.client) return;
        this.events.push({ kind, time, numbers });
        // Unsent events are limited; of the offsets only the newest matters.
        if (this.events.length > 1024) this.events.splice(0, 512);
    }

    /** Reports at once where the list is. */
    tellPlace() {
        this.add("f", performance.now(), this.gallery.view.reported);
        this.send(true);
    }

    /** Shifts the offsets of waiting events after a change of the list. */
    move(by) {
        for (const { kind, numbers } of this.events) {
            const index = { f: 0, d: 1 }[kind];
            if (index !== undefined) numbers[index] = Math.max(0, numbers[index] + by);
        }
    }

    send(isUrgent = false) {
        this.isUrgent ||= isUrgent;
        if (this.isSending || this.timer || !this.events.length) return;
        const wait = this.isUrgent ? 0 : this.lastSent + 50 - performance.now();
        if (wait <= 0) this.post();
        else {
            this.timer = setTimeout(() => {
                this.timer = 0;
                this.send();
            }, wait);
        }
    }

    sendAtOnce() {
        clearTimeout(this.timer);
        this.timer = 0;
        this.send(true);
    }

    /** Returns the text of the next report: at most 256 events and 6 KB. */
    next() {
        const { events } = this;
        if (!events.length) return null;
        events.sort((one, other) => one.time - other.time);
        const texts = [];
        let length = 0;
        for (const { kind, time, numbers } of events) {
            const at = Math.max(this.lastTime, round(time));
            const text = [kind, at, ...numbers.map(round)].join(",");
            if (texts.length === 256 || length + text.length + 1 > 5800) break;
            this.lastTime = at;
            length += text.length + 1;
            texts.push(text);
        }
        events.splice(0, texts.length);
        const { view, list } = this.gallery;
        const height = Math.round(window.innerHeight);
        const way = `w=${round(this.delivery)}&b=${round(this.gallery.pictures.throughput)}`;
        return `v=${list.version}&h=${height}&f=${view.flowName}&${way}&e=${texts.join(";")}`;
    }

    async post() {
        const { connection, view } = this.gallery;
        const { client } = connection;
        const text = client && this.next();
        if (!text) return;
        this.isSending = true;
        this.isUrgent = false;
        this.lastSent = performance.now();
        let status = 0;
        try {
            const answer = await fetch(`clients/${client}/reports?${text}`, {
                method: "POST",
                keepalive: true,
                signal: AbortSignal.timeout(10_000),
            });
            ({ status } = answer);
            this.roundTrip = mean(this.roundTrip, performance.now() - this.lastSent);
        } catch {
            // The stream reports it if the server is gone.
        }
        if (status === 404 && client === connection.client) connection.restart();
        if (status === 0 || status === 429 || status >= 500) {
            await pause(500);
            // The current position makes up for lost events.
            this.add("f", performance.now(), view.reported);
        }
        this.isSending = false;
        this.send(this.isUrgent);
    }

    forget() {
        this.events = [];
    }
}
