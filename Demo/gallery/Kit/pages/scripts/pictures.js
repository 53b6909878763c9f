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
        this.loaded = new Recent(480);
        this.underWay = new Map();
        this.ahead = [];
        this.previews = new Recent(256);
        this.head = "";
        this.time = 0;
        this.arriving = 0;
        this.arrivals = [];
        performance.addEventListener("resourcetimingbufferfull", () =>
            performance.clearResourceTimings(),
        );
    }

    /** Takes the times of a picture that has come; one from the browser's cache says nothing. */
    measure(image, time) {
        const entry = performance.getEntriesByName(image.src).at(-1);
        if (entry?.transferSize === 0) return;
        this.time = mean(this.time, time);
        if (!entry?.encodedBodySize) return;
        const { responseStart, responseEnd, encodedBodySize } = entry;
        this.arrivals.push({ start: responseStart, end: responseEnd, bytes: encodedBodySize });
        if (this.arrivals.length > 24) this.arrivals.shift();
        this.arriving = mean(this.arriving, responseEnd - responseStart);
    }

    /** The bytes that arrive in a millisecond while at least one picture does; 0 if unknown. */
    get throughput() {
        let [bytes, time, last] = [0, 0, 0];
        for (const arrival of [...this.arrivals].sort((one, other) => one.start - other.start)) {
            bytes += arrival.bytes;
            time += Math.max(0, arrival.end - Math.max(last, arrival.start));
            last = Math.max(last, arrival.end);
        }
        return bytes && bytes / Math.max(time, 0.1);
    }

    /** The time in ms of a picture that is asked for now, behind those that are asked for. */
    get delivery() {
        const bytes = this.arrivals.reduce((sum, arrival) => sum + arrival.bytes, 0);
        const own = bytes ? bytes / this.arrivals.length / this.throughput : 0;
        return Math.max(0, this.time - this.arriving) + own * (1 + this.underWay.size);
    }

    /** Records that the server has a picture: it is fetched when it comes into view, or before. */
    offer(row, key, isAhead, preview) {
        if (preview) this.previews.set(key, preview);
        this.ready.set(key, performance.now());
        if (isAhead && !this.loaded.has(key) && !this.ahead.some((other) => other.key === key)) {
            this.ahead.push({ key, row });
            if (this.ahead.length > 96) this.ahead.shift();
        }
    }

    /** Returns the address of the tiny picture that is shown until a picture is there; "" without
     * one. A JPEG has travelled without its header, which is the same for all but for the size. */
    preview(key) {
        const text = this.previews.get(key) ?? "";
        if (!text || text.startsWith("iVBOR")) return text && `data:image/png;base64,${text}`;
        const { head } = this;
        const [width, height, ...scan] = atob(text);
        const place = head.indexOf("\xff\xc0") + 5;
        const size = `\0${height}\0${width}`;
        const file = head.slice(0, place) + size + head.slice(place + 4) + scan.join("") + "\xff\xd9";
        return `data:image/jpeg;base64,${btoa(file)}`;
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
        for (let row = first; row < end; row += 1) {
            const key = list.entries[row]?.key;
            if (isWaiting(key)) return key;
        }
        for (const row of view.nodes.rows.keys()) {
            const key = list.entries[row]?.key;
            if (isWaiting(key)) return key;
        }
        this.ahead = this.ahead.filter(({ key }) => isWaiting(key));
        const number = this.nearest();
        return number < 0 ? null : this.ahead.splice(number, 1)[0].key;
    }

    /** Returns which of the pictures ahead comes into view next, as the list moves; -1 if none is. */
    nearest() {
        const { view } = this.gallery;
        const { first, end } = view.rowsInView();
        const way = ({ row }) => {
            const isBehind = view.speed > 0 ? row < first : view.speed < 0 && row >= end;
            return Math.max(first - row, row - end) + (isBehind ? 1e6 : 0);
        };
        const ways = this.ahead.map(way);
        return ways.indexOf(Math.min(...ways));
    }

    isShown(key) {
        return this.gallery.view.nodes.with(key).length > 0;
    }

    async load(key, attempt = 0) {
        const image = new Image();
        image.alt = "";
        image.decoding = "async";
        image.src = `thumbnails/${key}`;
        this.underWay.set(key, image);
        const begun = performance.now();
        const limit = setTimeout(() => image.removeAttribute("src"), 40_000);
        try {
            await image.decode();
            this.measure(image, performance.now() - begun);
            this.loaded.set(key, image);
            this.gallery.view.nodes.show(key);
        } catch {
            await this.explain(key, attempt);
        } finally {
            clearTimeout(limit);
            if (this.underWay.get(key) === image) this.underWay.delete(key);
            this.fetch();
        }
    }

    /** Handles a picture that was announced but failed: shows the reason, or retries once a
     * little later. */
    async explain(key, attempt) {
        const { why, wait } = await whyNot(`thumbnails/${key}`);
        if (why) {
            this.ready.map.delete(key);
            this.gallery.view.nodes.fail(key, why);
        } else if (attempt < 5 && this.isShown(key)) {
            await pause(Math.max(wait, 500 * 2 ** attempt));
            if (this.isShown(key)) await this.load(key, attempt + 1);
        }
    }
}
