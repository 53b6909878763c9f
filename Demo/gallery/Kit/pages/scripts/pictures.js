import { Recent } from "./recent.js";
import { mean, pause, whyNot } from "./tools.js";

/** Fetches the pictures that the server says it has, those in view first.
 *
 * Four at a time: browsers open six connections, and the stream, the names and above all the
 * reports need theirs. */
export class Pictures {
    constructor(gallery) {
        this.gallery = gallery;
        this.ready = new Recent(8192);
        this.loaded = new Recent(160);
        this.underWay = new Map();
        this.ahead = [];
        this.time = 0;
    }

    /** Records that the server has a picture: it is fetched when it comes into view, or before. */
    offer(key, isAhead) {
        this.ready.set(key, performance.now());
        if (isAhead && !this.loaded.has(key) && !this.ahead.includes(key)) {
            this.ahead.push(key);
            if (this.ahead.length > 48) this.ahead.shift();
        }
    }

    fetch() {
        while (this.underWay.size < 4) {
            const key = this.next();
            if (!key) return;
            this.load(key);
        }
    }

    next() {
        const isWaiting = (key) =>
            key && this.ready.has(key) && !this.loaded.has(key) && !this.underWay.has(key);
        const { view, list } = this.gallery;
        const { first, end } = view.rowsInView();
        // In a fast scroll, only pictures announced recently are fetched.
        const since = view.isFast ? performance.now() - 2000 : 0;
        const isWanted = (key) => isWaiting(key) && this.ready.get(key) >= since;
        for (let row = first; row < end; row += 1) {
            const key = list.entries[row]?.key;
            if (isWanted(key)) return key;
        }
        for (const row of view.nodes.keys()) {
            const key = list.entries[row]?.key;
            if (isWanted(key)) return key;
        }
        while (this.ahead.length) {
            const key = this.ahead.pop();
            if (isWaiting(key)) return key;
        }
        return null;
    }

    async load(key, attempt = 0) {
        const image = new Image();
        image.alt = "";
        image.decoding = "async";
        image.src = `/thumbnails/${key}`;
        this.underWay.set(key, image);
        const begun = performance.now();
        try {
            await image.decode();
            this.time = mean(this.time, performance.now() - begun);
            this.loaded.set(key, image);
            this.gallery.view.show(key);
        } catch {
            await this.explain(key, attempt);
        } finally {
            if (this.underWay.get(key) === image) this.underWay.delete(key);
            this.fetch();
        }
    }

    /** Handles a picture that was announced but failed: shows the reason, or retries once a
     * little later. */
    async explain(key, attempt) {
        const { why, wait } = await whyNot(`/thumbnails/${key}`);
        if (why) {
            this.ready.map.delete(key);
            this.gallery.view.fail(key, why);
        } else if (attempt < 5 && this.gallery.view.isShown(key)) {
            await pause(Math.max(wait, 500 * 2 ** attempt));
            if (this.gallery.view.isShown(key)) await this.load(key, attempt + 1);
        }
    }
}
