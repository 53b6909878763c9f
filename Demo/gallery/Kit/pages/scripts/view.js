import { Nodes } from "./nodes.js";
import { byId, clamp } from "./tools.js";

/** The time in milliseconds without motion after which a list rests. */
const restAfter = 120;
/** The maximum height of the document, to which browsers scroll: 8.9 million pixels in Firefox,
 * more in others. It shows a part of a higher list, and another when it rests near its ends. */
const tallest = 8_000_000;
/** The widths of lines in pixels, as the server makes them: up to a width, in steps of another. */
const widthSteps = [[512, 16], [1024, 32], [2048, 64]];
/** The least distance from such an end at rest; no fling goes as far. */
const room = 1_000_000;

/** The part of the list that the window shows, and its motion. */
export class View {
    constructor(gallery) {
        this.gallery = gallery;
        this.element = byId("list");
        this.nodes = new Nodes(gallery);
        this.isMoving = false;
        this.isTouched = false;
        this.speed = 0;
        this.lastMotion = 0;
        this.lastOffset = 0;
        this.frames = [];
        this.request = 0;
        this.jump = false;
        // The anchor of the last change.
        this.kept = null;
        this.resize();
    }

    /** The offset in the content of what is below the bar. The document's is another where the list
     * is higher than it, and while the list moves and rows above the window have changed: scrollTo
     * would stop the fling. */
    get offset() {
        return window.scrollY + this.nodes.shift;
    }

    /** The offset that is reported to the server: that of the window's own top, which the bar
     * covers. Neither it nor the reported height leaves out the bar, as a browser's flings are as
     * long as the whole window makes them. */
    get reported() {
        return Math.max(0, this.offset - this.top);
    }

    get isFast() {
        return this.isMoving && Math.abs(this.speed) > 2 * this.height;
    }

    /** How the rows are laid out here. */
    get flow() {
        return { width: this.width, isGrid: this.gallery.settings.isGrid };
    }

    /** The same for the server. */
    get flowName() {
        return this.gallery.settings.isGrid ? this.width : "list";
    }

    resize() {
        const body = getComputedStyle(document.body);
        const padding = parseFloat(body.paddingLeft) + parseFloat(body.paddingRight);
        const available = document.documentElement.clientWidth - padding;
        const step = widthSteps.find(([most]) => available <= most)?.[1] ?? 256;
        this.width = clamp(step * Math.floor(available / step), 160, 4096);
        this.element.style.width = `${this.width}px`;
        this.top = parseFloat(getComputedStyle(this.element).marginTop) || 0;
        this.height = Math.max(1, window.innerHeight - this.top);
        const { list } = this.gallery;
        if (list && (list.width !== this.width || list.isGrid !== this.flow.isGrid)) this.reflow();
        this.wake();
    }

    /** Lays the list out anew: the picture at the window's top stays there. */
    reflow() {
        const { list } = this.gallery;
        this.change(() => {
            list.reflow(this.flow);
            return (row) => row;
        });
    }

    rowsInView() {
        return this.gallery.list?.rowsIn(this.offset, this.offset + this.height)
            ?? { first: 0, end: 0 };
    }

    /** Starts to draw frames, until nothing has moved for a while. */
    wake() {
        if (!this.request) this.request = requestAnimationFrame((time) => this.frame(time));
    }

    /** Handles the start of a motion. */
    stir(time = performance.now()) {
        this.lastMotion = Math.max(this.lastMotion, time);
        if (!this.isMoving) {
            this.isMoving = true;
            this.frames = [];
            this.lastOffset = this.offset;
        }
        this.wake();
    }

    frame(time) {
        this.request = 0;
        const { list, reports } = this.gallery;
        if (!list) return;
        const { offset } = this;
        if (offset !== this.lastOffset) {
            this.stir(time);
            reports.add("f", time, this.reported);
            this.lastOffset = offset;
            this.lastMotion = time;
        }
        this.frames.push([time, offset]);
        while (this.frames.length > 2 && this.frames[0][0] < time - 100) this.frames.shift();
        const [since, from] = this.frames[0];
        this.speed = time > since ? ((offset - from) / (time - since)) * 1000 : 0;
        if (this.nodes.shift && offset < 0) this.fold();
        this.render();
        reports.send();
        if (!this.isMoving) return;
        if (time - this.lastMotion < restAfter) this.wake();
        else if (!this.isTouched) this.rest(time);
    }

    /** Handles the end of a motion. */
    rest(time = performance.now()) {
        const { gallery } = this;
        this.isMoving = false;
        this.speed = 0;
        this.frames = [];
        this.fold();
        if (this.jump) gallery.reports.add("e", time);
        this.jump = false;
        gallery.reports.add("f", time, this.reported);
        gallery.reports.send(true);
        this.render();
        this.nodes.sort();
        gallery.keys.follow();
        gallery.savePlace();
    }

    lastScroll() {
        return Math.max(0, this.gallery.list.height - this.height);
    }

    /** Returns the document's offset in the content for a place of the window: the same as now, or
     * one at which it can be scrolled far in both directions. */
    base(offset) {
        const most = Math.max(0, Math.ceil(this.gallery.list.height - tallest));
        const { shift } = this.nodes;
        const isAfter = shift === 0 || offset - shift > room;
        const isBefore = shift === most || shift + tallest - offset > room;
        if (shift >= 0 && shift <= most && isAfter && isBefore) return shift;
        return clamp(Math.round(offset - tallest / 2), 0, most);
    }

    /** Moves the document to where it can be scrolled in both directions. */
    fold() {
        if (this.base(this.offset) === this.nodes.shift) return;
        this.scrollTo(this.offset);
        this.lastOffset = this.offset;
    }

    scrollTo(offset) {
        const to = clamp(offset, 0, this.lastScroll());
        this.span(this.base(to));
        window.scrollTo({ top: to - this.nodes.shift, behavior: "instant" });
    }

    /** Moves at once to another place of the list. */
    jumpTo(offset) {
        if (this.jump) this.gallery.reports.add("e", performance.now());
        this.jump = false;
        this.stir();
        this.scrollTo(offset);
        this.frames = [];
    }

    span(shift) {
        this.nodes.span(shift, this.documentHeight(shift));
    }

    documentHeight(shift) {
        return clamp(this.gallery.list.height - shift, 0, tallest);
    }

    render() {
        const { list, names, pictures, scrubber } = this.gallery;
        if (!list) return;
        const { offset, speed, height } = this;
        // More rows ahead than behind; frames are drawn a little after the document has scrolled.
        const ahead = clamp(Math.abs(speed) * 0.1, 300, 1600);
        const top = offset - (speed < 0 ? ahead : 300);
        const bottom = offset + height + (speed > 0 ? ahead : 300);
        this.nodes.render(list.rowsIn(top, bottom), top, bottom);
        if (!this.isFast) this.needNames();
        pictures.fetch();
        scrubber.show();
        this.tellPlace();
    }

    needNames() {
        const { first, end } = this.rowsInView();
        this.gallery.names.need(Math.max(0, first - 8), end + 8);
    }

    /** A row of the first line in view, and which part of its height is above. While nothing scrolls
     * it's the same row in all changes. */
    get anchor() {
        const { list } = this.gallery;
        if (!list.rows) return { row: -1, part: 0 };
        const { offset } = this;
        if (this.kept?.offset === offset && this.kept.row < list.rows) return this.kept;
        // The section's header covers what is above.
        const start = offset + list.header;
        const row = list.rowsIn(start, start).first;
        const top = list.top(row);
        return { row, part: (start - list.shown(top)) / (list.bottom(row) - top) };
    }

    /** Applies a change of the list: the row at the window's top stays where it is. */
    change(apply) {
        const { list, reports, keys, viewer } = this.gallery;
        const { offset, nodes } = this;
        const isAtTop = offset <= 0;
        let { row, part } = this.anchor;
        const { focused } = nodes;
        const oldRows = list.rows;
        const oldTop = row < 0 ? 0 : list.top(row);
        const move = apply();
        let place = row < 0 ? -1 : move(row);
        if (place >= 0) list.follow(list.top(place) - oldTop);
        // Where it was removed, the next one comes to the top.
        if (place < 0) part = Math.min(0, part);
        while (row >= 0 && place < 0 && row + 1 < oldRows) place = move((row += 1));
        let to = offset;
        if (isAtTop) to = Math.min(0, offset);
        else if (place >= 0) {
            const top = list.top(place);
            to = list.shown(top) + part * (list.bottom(place) - top) - list.header;
        }
        to = clamp(to, Math.min(0, offset), Math.max(0, this.lastScroll()));
        const shift = to - window.scrollY;
        nodes.renumber(move, shift, this.documentHeight(shift));
        this.lastOffset = this.offset;
        this.frames = [];
        if (!this.isMoving) this.fold();
        this.kept = place < 0 ? null : { row: place, part, offset: this.offset };
        keys.move(move);
        this.render();
        focused?.link.focus({ preventScroll: true });
        viewer.move(move);
        reports.move(to - offset);
        reports.add("f", performance.now(), this.reported);
        reports.send();
        this.wake();
    }

    /** Replaces the list, and shows one of its rows. */
    replace(row, before) {
        const { list, keys } = this.gallery;
        this.nodes.clear();
        this.kept = null;
        const top = row < list.rows ? list.top(row) : list.height;
        this.nodes.size(0, this.documentHeight(0));
        this.scrollTo(row > 0 || before > 0 ? top + before : 0);
        this.lastOffset = this.offset;
        keys.current = clamp(this.rowsInView().first, 0, Math.max(0, list.rows - 1));
        this.render();
        this.nodes.sort();
        keys.mark();
    }

    /** Tells where in the list the window is. */
    tellPlace() {
        const { list } = this.gallery;
        const place = byId("place");
        if (!list.rows) {
            place.textContent = "";
            return;
        }
        const row = this.rowsInView().first;
        const section = list.sections[list.sectionOf(row)]?.[0];
        const parts = [`${(row + 1).toLocaleString("en")} of ${list.rows.toLocaleString("en")}`];
        // The section's header is at the top anyway.
        if (section) parts.push(section);
        const whole = parts.join(" · ");
        if (place.textContent === whole) return;
        place.textContent = whole;
        place.title = whole;
    }
}
