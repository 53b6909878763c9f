/** The space between pictures and between lines, in pixels. */
const spacing = 4;
/** The steps in a pixel in which lines are measured, as the server measures them. */
const steps = 1024;

/** The rows of one version of the list: their aspect ratios, lines, sections, and known entries. */
export class List {
    /** Creates a list of aspect ratios in 1/64ths, and a flow as `reflow` takes it; `header` and
     * `entry` are the heights of a section's header and of a line with one picture. */
    constructor({ version, header, entry, order, sections, ratios }, flow) {
        this.version = version;
        this.header = header;
        this.entryHeight = entry;
        this.order = order;
        this.sections = sections;
        this.ratios = ratios;
        this.entries = new Array(ratios.length);
        /** The part of a pixel by which lines are shown higher up than they are. */
        this.phase = 0;
        this.reflow(flow);
    }

    get rows() {
        return this.ratios.length;
    }

    /** Lays the rows out in lines of a width, or one below the other. */
    reflow({ width, isGrid }) {
        this.width = width;
        this.isGrid = isGrid;
        this.target = Math.min(220, Math.max(108, 4 * Math.floor((width + 13) / 26)));
        this.measure();
    }

    /** Gathers the rows in lines, at each change: 100,000 rows take about a millisecond. */
    measure() {
        const { sections, rows } = this;
        this.sectionTops = new Float64Array(sections.length);
        this.lines = { firsts: [], tops: [], heights: [] };
        this.height = 0;
        this.breakLines(0, sections[0]?.[1] ?? rows);
        for (let index = 0; index < sections.length; index += 1) {
            this.sectionTops[index] = this.height;
            this.height += this.header;
            this.breakLines(sections[index][1], sections[index + 1]?.[1] ?? rows);
        }
        this.lines.firsts.push(rows);
        this.firsts = new Uint32Array(this.lines.firsts);
        this.tops = new Float64Array(this.lines.tops);
        this.heights = new Float64Array(this.lines.heights);
        delete this.lines;
    }

    breakLines(first, end) {
        if (this.isGrid) this.justify(first, end);
        else for (let row = first; row < end; row += 1) this.addLine(row, this.entryHeight);
    }

    /** Gathers a section's rows in lines from edge to edge, exactly as the server does. */
    justify(from, end) {
        const { ratios } = this;
        const target = this.target * steps;
        const width = this.width * steps;
        const area = (count) => 2 * steps * Math.max(steps, width - spacing * steps * (count - 1));
        const height = (count, sum) => Math.floor((area(count) + sum) / (2 * sum));
        let first = from;
        let sum = 0;
        for (let row = from; row < end; row += 1) {
            const ratio = (ratios[row] * steps) / 64;
            const count = row - first + 1;
            sum += ratio;
            if (area(count) >= (2 * target + 1) * sum) continue;
            const low = height(count, sum);
            const high = count > 1 ? height(count - 1, sum - ratio) : Infinity;
            const isShort = high - target < target - low;
            this.addLine(first, spacing + (isShort ? high : low) / steps);
            first = row + 1;
            sum = 0;
            // The row begins the next line.
            if (isShort) first = row--;
        }
        if (first === end) return;
        this.addLine(first, spacing + Math.min(target, height(end - first, sum)) / steps);
    }

    /** Adds a line, whose height includes the spacing after it. */
    addLine(first, height) {
        this.lines.firsts.push(first);
        this.lines.tops.push(this.height);
        this.lines.heights.push(height);
        this.height += height;
    }

    /** Returns the last index below `count` whose value is at most `offset`; -1 without one. */
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

    lineAt(offset) {
        return List.lastUpTo(offset, this.tops.length, (line) => this.tops[line]);
    }

    lineOf(row) {
        return List.lastUpTo(row, this.tops.length, (line) => this.firsts[line]);
    }

    top(row) {
        return this.tops[this.lineOf(row)] ?? 0;
    }

    bottom(row) {
        const line = this.lineOf(row);
        return this.tops[line] + this.heights[line];
    }

    /** Returns where an offset is shown, in whole pixels. */
    shown(offset) {
        return Math.round(offset - this.phase);
    }

    /** Handles that what is shown has moved by `way`: the pixels in which it's shown move along, so
     * that each row is rounded as before. */
    follow(way) {
        const phase = this.phase + way;
        this.phase = phase - Math.ceil(phase - 0.5);
    }

    /** Returns the rows, from `first` to before `end`, of the lines that show between offsets. */
    rowsIn(top, bottom) {
        if (!this.rows) return { first: 0, end: 0 };
        let line = Math.max(0, this.lineAt(top));
        const isAbove = this.tops[line] + this.heights[line] <= top;
        if (isAbove && line + 1 < this.tops.length) line += 1;
        // At least one line: that below the offset, or the last.
        let last = this.lineAt(bottom);
        if (this.tops[last] === bottom) last -= 1;
        return { first: this.firsts[line], end: this.firsts[Math.max(line, last) + 1] };
    }

    /** Returns where a row is shown, in whole pixels; lines are filled from edge to edge. */
    box(row) {
        const line = this.lineOf(row);
        const top = this.shown(this.tops[line]);
        const end = this.shown(this.tops[line] + this.heights[line]);
        if (!this.isGrid) return { left: 0, top, width: this.width, height: end - top };
        const [first, next] = [this.firsts[line], this.firsts[line + 1]];
        let [sum, before] = [0, 0];
        for (let other = first; other < next; other += 1) {
            if (other < row) before += this.ratios[other];
            sum += this.ratios[other];
        }
        const room = this.width - spacing * (next - first - 1);
        const scale = (this.heights[line] - spacing) / 64;
        const isFull = scale * sum > room - 1;
        const place = (ratios) => Math.round(ratios * (isFull ? room / sum : scale));
        const left = place(before);
        const width = Math.max(1, place(before + this.ratios[row]) - left);
        return { left: left + spacing * (row - first), top, width, height: end - spacing - top };
    }

    /** Returns the row of a line whose middle is nearest to a place. */
    nearest(line, place) {
        let nearest = this.firsts[line];
        const distance = (row) => Math.abs(this.middle(row) - place);
        for (let row = nearest; row < this.firsts[line + 1]; row += 1) {
            if (distance(row) < distance(nearest)) nearest = row;
        }
        return nearest;
    }

    middle(row) {
        const { left, width } = this.box(row);
        return left + width / 2;
    }

    sectionOf(row) {
        return List.lastUpTo(row, this.sections.length, (index) => this.sections[index][1]);
    }

    sectionAt(offset) {
        return List.lastUpTo(offset, this.sections.length, (index) => this.sectionTops[index]);
    }

    endOfSection(index) {
        return index + 1 < this.sections.length ? this.sectionTops[index + 1] : this.height;
    }

    /** Changes to the next version; returns a function from old to new rows, -1 if removed. */
    apply(change) {
        const { ratios, entries } = this;
        const removed = change.removed ?? [];
        const inserted = change.inserted ?? [];
        if (removed.length || inserted.length) {
            const kept = [];
            const keptEntries = [];
            let from = 0;
            const keep = (end) => {
                for (; from < end; from += 1) {
                    kept.push(ratios[from]);
                    keptEntries.push(entries[from]);
                }
            };
            for (const [position, number] of removed) {
                keep(position);
                from = position + number;
            }
            keep(ratios.length);
            const number = inserted.reduce((sum, [, added]) => sum + added.length, kept.length);
            this.ratios = new Uint16Array(number);
            this.entries = new Array(number);
            let to = 0;
            let next = 0;
            const move = (end) => {
                for (; to < end; to += 1, next += 1) {
                    this.ratios[to] = kept[next];
                    this.entries[to] = keptEntries[next];
                }
            };
            for (const [position, added] of inserted) {
                move(position);
                this.ratios.set(added, to);
                to += added.length;
            }
            move(number);
        }
        for (const [position, ratio] of change.measured ?? []) {
            this.ratios[position] = ratio;
            // The size in pixels has become known, so the entry is fetched again.
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

    /** Returns the known facts about a row, which may be extended. */
    entry(row) {
        return (this.entries[row] ??= {
            key: "", name: "", width: 0, height: 0, bytes: 0, taken: null, modified: null, why: "",
        });
    }
}
