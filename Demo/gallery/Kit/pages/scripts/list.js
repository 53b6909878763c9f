/** What browsers still lay out: Firefox ends at 17.8 million pixels, others beyond. */
const tallest = 16_000_000;

/** The rows of one version of the list: their heights, their sections, what is known of each. */
export class List {
    constructor(version, header, box, sections, heights) {
        this.version = version;
        this.header = header;
        this.box = box;
        this.sections = sections;
        this.heights = heights;
        this.entries = new Array(heights.length);
        this.measure();
    }

    get rows() {
        return this.heights.length;
    }

    /** Adds the heights up: 100,000 rows in less than a millisecond, so it's done anew each time. */
    measure() {
        const { heights, sections, header } = this;
        this.tops = new Float64Array(heights.length + 1);
        this.sectionTops = new Float64Array(sections.length);
        this.shown = heights.length;
        let top = 0;
        let next = 0;
        for (let row = 0; row < heights.length; row += 1) {
            while (next < sections.length && sections[next][1] <= row) {
                this.sectionTops[next] = top;
                top += header;
                next += 1;
            }
            this.tops[row] = top;
            top += heights[row];
            if (top > tallest && this.shown > row) this.shown = row;
        }
        for (; next < sections.length; next += 1) {
            this.sectionTops[next] = top;
            top += header;
        }
        this.tops[heights.length] = top;
        this.height = this.shown < heights.length ? this.tops[this.shown] : top;
    }

    /** The last index from 0 up to `count` whose value is at most `offset`; -1 without one. */
    static lastUpTo(offset, count, valueAt) {
        let low = -1;
        let high = count - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (valueAt(middle) <= offset) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    rowAt(offset) {
        return Math.max(0, List.lastUpTo(offset, this.shown, (row) => this.tops[row]));
    }

    /** The first row any of which is below the offset. */
    firstRowIn(offset) {
        const row = this.rowAt(offset);
        const isAbove = this.tops[row] + this.heights[row] <= offset;
        return isAbove && row + 1 < this.shown ? row + 1 : row;
    }

    sectionOf(row) {
        return List.lastUpTo(row, this.sections.length, (index) => this.sections[index][1]);
    }

    sectionAt(offset) {
        return List.lastUpTo(offset, this.sections.length, (index) => this.sectionTops[index]);
    }

    endOfSection(index) {
        const end = index + 1 < this.sections.length ? this.sectionTops[index + 1] : this.height;
        return Math.min(end, this.height);
    }

    /** Becomes the next version; the answer tells where a row has gone, -1 if it's no more. */
    apply(change) {
        const { heights, entries } = this;
        const removed = change.removed ?? [];
        const inserted = change.inserted ?? [];
        if (removed.length || inserted.length) {
            const kept = [];
            const keptEntries = [];
            let from = 0;
            const keep = (end) => {
                for (; from < end; from += 1) {
                    kept.push(heights[from]);
                    keptEntries.push(entries[from]);
                }
            };
            for (const [position, number] of removed) {
                keep(position);
                from = position + number;
            }
            keep(heights.length);
            const number = inserted.reduce((sum, [, added]) => sum + added.length, kept.length);
            this.heights = new Float64Array(number);
            this.entries = new Array(number);
            let to = 0;
            let next = 0;
            const move = (end) => {
                for (; to < end; to += 1, next += 1) {
                    this.heights[to] = kept[next];
                    this.entries[to] = keptEntries[next];
                }
            };
            for (const [position, added] of inserted) {
                move(position);
                this.heights.set(added, to);
                to += added.length;
            }
            move(number);
        }
        for (const [position, height] of change.measured ?? []) {
            this.heights[position] = height;
            // Its size in pixels has become known: what was told of it is asked anew.
            this.entries[position] = undefined;
        }
        if (change.sections) this.sections = change.sections;
        this.version = change.to;
        this.measure();
        return (row) => {
            let place = row;
            for (const [position, number] of removed) {
                if (row < position) break;
                if (row < position + number) return -1;
                place -= number;
            }
            for (const [position, added] of inserted) {
                if (position > place) break;
                place += added.length;
            }
            return place;
        };
    }

    /** What is known of a row, to be added to. */
    entry(row) {
        return (this.entries[row] ??= { key: "", name: "", width: 0, height: 0, bytes: 0, why: "" });
    }
}
