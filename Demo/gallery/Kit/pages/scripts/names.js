import { getJSON, pause } from "./tools.js";

/** The number of rows in one request. */
const block = 64;

/** Fetches the entries of rows, block by block; blocks that are no longer needed are dropped. */
export class Names {
    constructor(gallery) {
        this.gallery = gallery;
        this.underWay = new Set();
        this.needed = [];
        this.refused = 0;
    }

    need(first, end) {
        this.needed = [];
        this.add(first, end);
    }

    add(first, end) {
        const { list } = this.gallery;
        for (let row = first; row < Math.min(end, list.rows); ) {
            const index = Math.floor(row / block);
            if (!list.entries[row]?.name) {
                const isAsked = this.underWay.has(index) || this.needed.includes(index);
                if (!isAsked) this.needed.push(index);
                row = (index + 1) * block;
            } else {
                row += 1;
            }
        }
        this.ask();
    }

    ask() {
        while (this.underWay.size < 1 && this.gallery.connection.client) {
            const index = this.needed.find((other) => !this.underWay.has(other));
            if (index === undefined) return;
            this.needed.splice(this.needed.indexOf(index), 1);
            this.fetch(index);
        }
    }

    async fetch(index) {
        const { gallery } = this;
        const { list } = gallery;
        const { version, order } = list;
        this.underWay.add(index);
        try {
            const from = index * block;
            const to = Math.min(list.rows, from + block);
            const answer = await getJSON(`rows?o=${order}&v=${version}&from=${from}&to=${to}`);
            this.refused = 0;
            if (gallery.list !== list || list.version !== answer.version) {
                gallery.view.wake();
            } else {
                answer.rows.forEach((row, position) => {
                    const [key, name, width, height, bytes, taken, modified] = row;
                    const entry = list.entry(answer.from + position);
                    if (entry.key && entry.key !== key) entry.why = "";
                    Object.assign(entry, { key, name, width, height, bytes, taken, modified });
                });
                this.forgetFar();
                gallery.view.nodes.fillAll();
            }
        } catch (error) {
            // 409: the list has changed, and the stream will report the change.
            if (error.status === 409) this.refused += 1;
            await pause(error.status === 409 ? 250 : 2000);
            if (this.refused > 8) {
                this.refused = 0;
                gallery.connection.restart();
            } else {
                gallery.view.wake();
            }
        } finally {
            this.underWay.delete(index);
            this.ask();
        }
    }

    /** Of a long list only the names around the view are kept. */
    forgetFar() {
        const { list, view } = this.gallery;
        this.sinceForgotten = (this.sinceForgotten ?? 0) + 1;
        if (this.sinceForgotten < 256) return;
        this.sinceForgotten = 0;
        const row = view.rowsInView().first;
        list.entries.fill(undefined, 0, Math.max(0, row - 4096));
        if (row + 4096 < list.rows) list.entries.fill(undefined, row + 4096);
    }
}
