/** The time span that is drawn. */
export const seconds = 15;

/** The events from the server, for as long as they are drawn. */
export class Story {
    constructor() {
        this.views = [];
        this.landings = [];
        this.loads = [];
        this.open = new Map();
        this.turns = [];
        this.queue = [];
        this.changes = [];
        this.rows = 0;
        this.version = null;
        this.counts = { asked: 0, seen: 0, unseen: 0, dropped: 0, failed: 0 };
        this.longest = 0;
        this.clients = 0;
        this.price = 0;
    }

    tellList({ version, rows, now }) {
        if (this.version !== null && version !== this.version) this.changes.push(now);
        this.version = version;
        this.rows = rows;
    }

    tell(data) {
        const isNew = (name) => data[name] ?? [];
        for (const [row, time, urgency] of isNew("asked")) this.ask(row, time, urgency);
        for (const [row, time] of isNew("begun")) {
            const load = this.open.get(row);
            if (load) load.begun ??= time;
        }
        for (const [row, time, cost] of isNew("done")) this.end(row, time, "unseen", cost);
        for (const [row, time] of isNew("dropped")) this.end(row, time, "dropped");
        for (const [row, time] of isNew("failed")) this.end(row, time, "failed");
        for (const view of isNew("view")) this.views.push(view);
        this.see(isNew("view"));
        const landing = data.landing && [data.landing[0], data.landing[1], data.landing[2]];
        const last = this.landings.at(-1);
        if (landing) {
            if (last && last.end === null) last.end = landing[0];
            this.landings.push({ time: landing[0], first: landing[1], last: landing[2], end: null });
        } else if (last && last.end === null) {
            last.end = data.now;
        }
        for (const turn of isNew("turns")) {
            this.turns.push(turn);
            this.longest = Math.max(this.longest, turn[1]);
        }
        this.queue.push(...isNew("queue"));
        this.clients = data.clients ?? this.clients;
        this.price = data.price ?? this.price;
        this.forget(data.now - seconds - 2);
    }

    ask(row, time, urgency) {
        const load = this.open.get(row);
        if (load) {
            load.urgency = urgency;
            return load;
        }
        const asked = { row, asked: time, begun: null, end: null, outcome: "waiting", urgency, cost: 0 };
        this.open.set(row, asked);
        this.loads.push(asked);
        this.counts.asked += 1;
        return asked;
    }

    end(row, time, outcome, cost = 0) {
        const load = this.open.get(row) ?? this.ask(row, time - cost / 1000, "");
        this.open.delete(row);
        Object.assign(load, { end: time, outcome, cost });
        this.counts[outcome] += 1;
    }

    /** Counts loaded rows that are in view, now or later, as seen. */
    see(views) {
        const last = this.views.at(-1);
        if (!last) return;
        const all = views.length ? views : [last];
        for (const load of this.loads) {
            if (load.outcome !== "unseen") continue;
            const isSeen = all.some(
                ([time, first, end], index) =>
                    load.row + 1 > first && load.row < end &&
                    (time >= load.end || index === all.length - 1),
            );
            if (!isSeen) continue;
            load.outcome = "seen";
            this.counts.unseen -= 1;
            this.counts.seen += 1;
        }
    }

    forget(before) {
        // The last entry from before the start is kept, as it is the state at the start of the
        // drawing.
        const drop = (list, timeOf) => {
            let number = 0;
            while (number + 1 < list.length && timeOf(list[number + 1]) < before) number += 1;
            list.splice(0, number);
        };
        drop(this.views, ([time]) => time);
        drop(this.queue, ([time]) => time);
        drop(this.turns, ([time]) => time);
        drop(this.landings, ({ end, time }) => end ?? time);
        drop(this.changes, (time) => time);
        this.loads = this.loads.filter(({ end }) => end === null || end >= before);
        while (this.loads.length > 4000) this.open.delete(this.loads.shift().row);
    }
}
