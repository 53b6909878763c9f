import { seconds } from "./story.js";
import { clamp } from "./tools.js";

/** The limits of a slice of work and of a frame, in milliseconds. */
const slice = 2;
const frame = 1000 / 60;

export class Chart {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext("2d");
        this.range = null;
        this.readColours();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            this.readColours();
            this.isStale = true;
        });
        new ResizeObserver(() => this.resize()).observe(canvas);
        this.resize();
    }

    readColours() {
        const style = getComputedStyle(document.documentElement);
        const names = [
            "paper", "ink", "soft", "line", "band", "edge", "landing", "seen", "seen-pale",
            "unseen", "unseen-pale", "dropped", "failed", "waiting", "waiting-pale",
        ];
        this.colours = {};
        for (const name of names) this.colours[name] = style.getPropertyValue(`--${name}`).trim();
        const tile = document.createElement("canvas");
        tile.width = tile.height = 6;
        const context = tile.getContext("2d");
        context.fillStyle = this.colours["unseen-pale"];
        context.fillRect(0, 0, 6, 6);
        context.strokeStyle = this.colours.unseen;
        context.lineWidth = 1.6;
        context.beginPath();
        for (const x of [-6, 0, 6]) {
            context.moveTo(x - 1, 7);
            context.lineTo(x + 7, -1);
        }
        context.stroke();
        this.hatch = this.context.createPattern(tile, "repeat");
    }

    resize() {
        const { width, height } = this.canvas.getBoundingClientRect();
        const scale = window.devicePixelRatio || 1;
        this.width = width;
        this.height = height;
        this.canvas.width = Math.round(width * scale);
        this.canvas.height = Math.round(height * scale);
        this.context.setTransform(scale, 0, 0, scale, 0, 0);
        this.left = 56;
        this.right = width - 8;
        // From top to bottom: rows, turns, queue, seconds.
        this.rowsTop = 8;
        this.queueBottom = height - 22;
        this.queueTop = this.queueBottom - 40;
        this.turnsBottom = this.queueTop - 18;
        this.turnsTop = this.turnsBottom - 60;
        this.rowsBottom = this.turnsTop - 16;
        this.isStale = true;
    }

    x(time) {
        return this.right - ((this.now - time) / seconds) * (this.right - this.left);
    }

    y(row) {
        const [low, high] = this.range;
        return this.rowsTop + ((row - low) / (high - low)) * (this.rowsBottom - this.rowsTop);
    }

    /** Returns the rows to draw: those in the drawn time span, and a few more. */
    follow(story, isAtOnce) {
        let [low, high] = [Infinity, -Infinity];
        const begin = this.now - seconds;
        for (let index = story.views.length - 1; index >= 0; index -= 1) {
            const [, first, last] = story.views[index];
            const next = story.views[index + 1];
            if (next && next[0] < begin) break;
            // Including the rows in view before a jump would leave no room for the current ones.
            if (next && Math.abs(next[1] - first) > Math.max(60, 8 * (last - first))) break;
            low = Math.min(low, first);
            high = Math.max(high, last);
        }
        const span = Math.max(8, high - low);
        const [least, most] = [low - span, high + span];
        for (const { row, end } of story.loads) {
            if (end !== null && end < begin) continue;
            // Rows far from all that are in view may be left out.
            if (row < least || row > most) continue;
            low = Math.min(low, row);
            high = Math.max(high, row + 1);
        }
        if (low > high) [low, high] = [0, 12];
        const room = Math.max(1, (high - low) * 0.06, (12 - (high - low)) / 2);
        const target = [low - room, high + room];
        if (!this.range || isAtOnce) this.range = target;
        else {
            this.range = this.range.map((value, index) => value + (target[index] - value) * 0.12);
        }
    }

    draw(story, now, isAtOnce) {
        const { context, colours } = this;
        this.now = now;
        this.follow(story, isAtOnce);
        context.clearRect(0, 0, this.width, this.height);
        context.font = '11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
        context.textBaseline = "middle";
        context.lineWidth = 1;
        this.drawSeconds();
        context.save();
        context.beginPath();
        context.rect(this.left, this.rowsTop, this.right - this.left, this.rowsBottom - this.rowsTop);
        context.clip();
        this.drawBand(story.views);
        for (const load of story.loads) this.drawLoad(load);
        this.drawLandings(story.landings);
        this.drawChanges(story.changes);
        context.restore();
        this.drawRowNumbers(story.rows);
        this.drawTurns(story.turns);
        this.drawQueue(story.queue);
        context.strokeStyle = colours.line;
        context.strokeRect(
            this.left + 0.5, this.rowsTop + 0.5,
            this.right - this.left - 1, this.rowsBottom - this.rowsTop - 1,
        );
    }

    drawSeconds() {
        const { context, colours } = this;
        const step = this.width < 520 ? 5 : 1;
        for (let ago = 0; ago <= seconds; ago += step) {
            const x = Math.round(this.x(this.now - ago)) + 0.5;
            context.strokeStyle = colours.line;
            context.globalAlpha = ago % 5 ? 0.5 : 1;
            context.beginPath();
            context.moveTo(x, this.rowsTop);
            context.lineTo(x, this.queueBottom + 4);
            context.stroke();
            context.globalAlpha = 1;
            if (ago % 5) continue;
            context.fillStyle = colours.soft;
            context.textAlign = ago === 0 ? "right" : ago === seconds ? "left" : "center";
            context.fillText(ago ? `${ago} s ago` : "now", x, this.queueBottom + 14);
        }
    }

    drawRowNumbers(rows) {
        const { context, colours } = this;
        const [low, high] = this.range;
        const room = (this.rowsBottom - this.rowsTop) / 22;
        let step = 1;
        for (const factor of [2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2, 2, 2.5, 2]) {
            if ((high - low) / step <= room) break;
            step *= factor;
        }
        step = Math.round(step);
        context.textAlign = "right";
        context.fillStyle = colours.soft;
        // Row numbers are shown from 1, as in the gallery.
        for (let number = Math.ceil((low + 1) / step) * step; number <= high; number += step) {
            if (number < 1 || number > rows) continue;
            const y = this.y(number - 1) + Math.min(8, (this.y(1) - this.y(0)) / 2);
            if (y < this.rowsTop + 16 || y > this.rowsBottom - 6) continue;
            context.fillText(number.toLocaleString("en"), this.left - 6, y);
        }
        context.fillText("row", this.left - 6, this.rowsTop + 5);
        context.textAlign = "left";
    }

    drawBand(views) {
        if (!views.length) return;
        const { context, colours } = this;
        // A step line from sample to sample: motion is reported as it happens, so between two
        // distant samples the list stood still.
        const points = [];
        views.forEach((view, index) => {
            const before = views[index - 1];
            if (before && view[0] - before[0] > 0.15) points.push([view[0] - 0.02, before[1], before[2]]);
            points.push(view);
        });
        const last = points.at(-1);
        points.push([Math.max(this.now, last[0]), last[1], last[2]]);
        const trace = (index, list) =>
            list.forEach((point, number) => {
                const at = [this.x(point[0]), this.y(point[index])];
                if (number === 0 && index === 1) context.moveTo(...at);
                else context.lineTo(...at);
            });
        context.beginPath();
        trace(1, points);
        trace(2, [...points].reverse());
        context.closePath();
        context.fillStyle = colours.band;
        context.fill();
        context.strokeStyle = colours.edge;
        for (const index of [1, 2]) {
            context.beginPath();
            points.forEach((point, number) => {
                const at = [this.x(point[0]), this.y(point[index])];
                if (number === 0) context.moveTo(...at);
                else context.lineTo(...at);
            });
            context.stroke();
        }
    }

    /** Returns the position of a load in the drawing. */
    box(load) {
        const from = this.x(load.asked);
        const to = Math.max(from + 3, this.x(load.end ?? this.now));
        const top = this.y(load.row);
        const height = Math.max(2, this.y(load.row + 1) - top - 1);
        return { from, to, top, height };
    }

    drawLoad(load) {
        const { context, colours } = this;
        const { from, to, top, height } = this.box(load);
        if (to < this.left || top > this.rowsBottom || top + height < this.rowsTop) return;
        const width = to - from;
        const begun = load.begun === null ? to - 3 : clamp(this.x(load.begun), from, to - 2);
        context.lineWidth = 1;
        switch (load.outcome) {
            case "seen":
                context.fillStyle = colours["seen-pale"];
                context.fillRect(from, top, width, height);
                context.fillStyle = colours.seen;
                context.fillRect(begun, top, to - begun, height);
                break;
            case "unseen":
                context.fillStyle = this.hatch;
                context.fillRect(from, top, width, height);
                context.fillStyle = colours.unseen;
                context.fillRect(begun, top, to - begun, height);
                break;
            case "dropped":
                context.strokeStyle = colours.dropped;
                context.strokeRect(from + 0.5, top + 0.5, Math.max(1, width - 1), Math.max(1, height - 1));
                if (height >= 6) this.drawCross(to, top + height / 2, Math.min(4, height / 2 - 1));
                break;
            case "failed":
                context.fillStyle = colours.failed;
                context.fillRect(from, top + height / 2 - Math.min(2, height / 2), width, Math.min(4, height));
                this.drawArrow(to, top + height / 2, clamp(height / 2, 2, 7));
                break;
            default: {
                const fade = context.createLinearGradient(from, 0, to, 0);
                fade.addColorStop(0, colours["waiting-pale"]);
                fade.addColorStop(1, `${colours["waiting-pale"]}40`);
                context.fillStyle = fade;
                context.fillRect(from, top, width, height);
                context.fillStyle = colours.waiting;
                context.fillRect(from, top, 3, height);
            }
        }
    }

    drawCross(x, y, reach) {
        const { context } = this;
        context.beginPath();
        context.moveTo(x - reach, y - reach);
        context.lineTo(x + reach, y + reach);
        context.moveTo(x - reach, y + reach);
        context.lineTo(x + reach, y - reach);
        context.stroke();
    }

    drawArrow(x, y, reach) {
        const { context } = this;
        context.beginPath();
        context.moveTo(x - reach, y - reach);
        context.lineTo(x + reach, y);
        context.lineTo(x - reach, y + reach);
        context.closePath();
        context.fill();
    }

    drawLandings(landings) {
        const { context, colours } = this;
        context.strokeStyle = colours.landing;
        context.lineWidth = 1.5;
        for (const { time, first, last, end } of landings) {
            const from = this.x(time);
            const to = Math.max(from + 2, this.x(end ?? this.now));
            if (to < this.left) continue;
            context.globalAlpha = 0.1;
            context.fillStyle = colours.landing;
            context.fillRect(from, this.y(first), to - from, this.y(last) - this.y(first));
            context.globalAlpha = 1;
            context.setLineDash([5, 3]);
            context.beginPath();
            for (const row of [first, last]) {
                context.moveTo(from, this.y(row));
                context.lineTo(to, this.y(row));
            }
            context.stroke();
            context.setLineDash([]);
        }
        context.lineWidth = 1;
    }

    drawChanges(changes) {
        const { context, colours } = this;
        context.strokeStyle = colours.soft;
        context.setLineDash([2, 4]);
        context.beginPath();
        for (const time of changes) {
            context.moveTo(this.x(time), this.rowsTop);
            context.lineTo(this.x(time), this.rowsBottom);
        }
        context.stroke();
        context.setLineDash([]);
    }

    /** Uses a square root scale: both limits can be distinguished, and a long turn still fits. */
    turnHeight(value) {
        return Math.sqrt(clamp(value, 0, 34) / 34) * (this.turnsBottom - this.turnsTop);
    }

    drawTurns(turns) {
        const { context, colours } = this;
        const width = Math.max(1, ((this.right - this.left) * 0.05) / seconds - 0.5);
        for (const [time, value] of turns) {
            const x = this.x(time) - width;
            if (x < this.left || x > this.right) continue;
            const height = Math.max(1, this.turnHeight(value));
            const isLate = value > frame;
            context.fillStyle = isLate ? colours.unseen : value > slice * 1.5 ? colours.waiting : colours.seen;
            context.fillRect(x, this.turnsBottom - height, width, height);
            // A late turn has a cap, too.
            if (isLate) context.fillRect(x - 1.5, this.turnsBottom - height, width + 3, 2);
        }
        context.strokeStyle = colours.soft;
        context.fillStyle = colours.soft;
        context.textAlign = "right";
        for (const [value, text] of [[slice, "2 ms"], [frame, "16.7 ms"]]) {
            const y = Math.round(this.turnsBottom - this.turnHeight(value)) + 0.5;
            context.setLineDash([3, 3]);
            context.beginPath();
            context.moveTo(this.left, y);
            context.lineTo(this.right, y);
            context.stroke();
            context.setLineDash([]);
            context.fillText(text, this.left - 6, y);
        }
        context.fillText("turns", this.left - 6, this.turnsTop + 2);
    }

    drawQueue(queue) {
        const { context, colours } = this;
        const begin = this.now - seconds;
        const most = queue.reduce((most, [, number]) => Math.max(most, number), 4);
        const reach = this.queueBottom - this.queueTop;
        context.beginPath();
        context.moveTo(this.left, this.queueBottom);
        let height = 0;
        for (const [time, number] of queue) {
            const x = this.x(Math.max(time, begin));
            if (x > this.right) break;
            context.lineTo(x, this.queueBottom - height);
            height = (number / most) * reach;
            context.lineTo(x, this.queueBottom - height);
        }
        context.lineTo(this.right, this.queueBottom - height);
        context.lineTo(this.right, this.queueBottom);
        context.closePath();
        context.fillStyle = colours.edge;
        context.globalAlpha = 0.6;
        context.fill();
        context.globalAlpha = 1;
        context.fillStyle = colours.soft;
        context.textAlign = "right";
        context.fillText(String(most), this.left - 6, this.queueTop + 2);
        context.fillText("queue", this.left - 6, (this.queueTop + this.queueBottom) / 2 + 1);
        context.fillText("0", this.left - 6, this.queueBottom - 1);
        context.strokeStyle = colours.line;
        context.beginPath();
        for (const y of [this.queueBottom + 0.5, this.turnsBottom + 0.5]) {
            context.moveTo(this.left, y);
            context.lineTo(this.right, y);
        }
        context.stroke();
    }

    /** Returns the load under a point. */
    loadAt(story, x, y) {
        if (!this.range || x < this.left || y > this.rowsBottom) return null;
        return story.loads.findLast((load) => {
            const { from, to, top, height } = this.box(load);
            return x >= from - 3 && x <= to + 3 && y >= top - 1 && y <= top + height + 1;
        });
    }
}
