// The gallery as one long list on the document's own scrolling, so that a fling is the browser's.
// It tells the server what the fingers do and what is in view, and shows the pictures that the
// server says it has. Offsets are counted in the list's content, from the top of its first header.
"use strict";

(() => {
    /** What browsers still lay out: Firefox ends at 17.8 million pixels, others beyond. */
    const tallest = 16_000_000;
    const block = 64;
    const restAfter = 120;

    const byId = (id) => document.getElementById(id);
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
    const count = (number, one, many) =>
        `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
    const round = (value) => Math.round(value * 10) / 10;
    const idOf = (key) => key.slice(0, 16);
    const facts = (entry) => (entry?.width ? `${entry.width} × ${entry.height}` : "");
    const isStill = matchMedia("(prefers-reduced-motion: reduce)");

    function size(bytes) {
        if (bytes < 1000) return `${bytes} bytes`;
        if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
        return `${(bytes / 1e6).toFixed(1)} MB`;
    }

    async function getJSON(path) {
        const answer = await fetch(path, { signal: AbortSignal.timeout(20_000) });
        if (!answer.ok) throw Object.assign(new Error(path), { status: answer.status });
        return answer.json();
    }

    /** A map that forgets what was used longest ago. */
    class Recent {
        constructor(limit) {
            this.limit = limit;
            this.map = new Map();
        }

        get(key) {
            const value = this.map.get(key);
            if (value !== undefined) {
                this.map.delete(key);
                this.map.set(key, value);
            }
            return value;
        }

        set(key, value) {
            this.map.delete(key);
            this.map.set(key, value);
            if (this.map.size > this.limit) this.map.delete(this.map.keys().next().value);
        }

        has(key) {
            return this.map.has(key);
        }
    }

    // MARK: The rows and where they stand

    /** The rows of one version of the list: their heights, their sections, what is known of each. */
    class List {
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

    // MARK: What the rows are called

    /** Asks for what belongs to rows, block by block; what is needed no more isn't asked. */
    class Names {
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
            for (let row = first; row < Math.min(end, list.shown); ) {
                const index = Math.floor(row / block);
                if (!list.entries[row]?.name) {
                    if (!this.needed.includes(index)) this.needed.push(index);
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
            const { version } = list;
            this.underWay.add(index);
            try {
                const from = index * block;
                const to = Math.min(list.rows, from + block);
                const answer = await getJSON(`/rows?v=${version}&from=${from}&to=${to}`);
                this.refused = 0;
                if (gallery.list !== list || list.version !== answer.version) {
                    gallery.view.wake();
                } else {
                    answer.rows.forEach(([key, name, width, height, bytes], position) => {
                        const entry = list.entry(answer.from + position);
                        if (entry.key && entry.key !== key) entry.why = "";
                        Object.assign(entry, { key, name, width, height, bytes });
                    });
                    this.forgetFar();
                    gallery.view.fillAll();
                }
            } catch (error) {
                // 409: the list has changed, and the stream is about to say how.
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
            const row = list.rowAt(view.offset);
            list.entries.fill(undefined, 0, Math.max(0, row - 4096));
            if (row + 4096 < list.rows) list.entries.fill(undefined, row + 4096);
        }
    }

    // MARK: Pictures

    /** Fetches the pictures that the server says it has, those in view first.
     *
     * Three at a time: browsers open six connections, and the stream, the names and above all the
     * reports need theirs. */
    class Pictures {
        constructor(gallery) {
            this.gallery = gallery;
            this.ready = new Recent(8192);
            this.loaded = new Recent(160);
            this.underWay = new Map();
            this.ahead = [];
        }

        /** The server has it: it's fetched as it comes into view, or before. */
        offer(key, isAhead) {
            this.ready.set(key, performance.now());
            if (isAhead && !this.loaded.has(key) && !this.ahead.includes(key)) {
                this.ahead.push(key);
                if (this.ahead.length > 48) this.ahead.shift();
            }
        }

        fetch() {
            while (this.underWay.size < 3) {
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
            // What was made long ago isn't fetched for a row that flies by.
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
            try {
                await image.decode();
                this.loaded.set(key, image);
                this.gallery.view.show(key);
            } catch {
                await this.explain(key, attempt);
            } finally {
                if (this.underWay.get(key) === image) this.underWay.delete(key);
                this.fetch();
            }
        }

        /** A picture that was promised and didn't come: why, or once more a little later. */
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

    /** Why an address gives no picture, or how long to wait for it in milliseconds. */
    async function whyNot(path) {
        try {
            const answer = await fetch(path, { signal: AbortSignal.timeout(20_000) });
            if (answer.status === 422) return { why: (await answer.text()).slice(0, 200), wait: 0 };
            if (answer.status === 404) return { why: "it is no longer there", wait: 0 };
            return { why: "", wait: 1000 * Number(answer.headers.get("Retry-After") ?? 0) };
        } catch {
            return { why: "", wait: 1000 };
        }
    }

    // MARK: A row

    /** The nodes of one row; used for another when it leaves the view. */
    class RowNode {
        constructor() {
            const make = (name, className, parent) => {
                const element = document.createElement(name);
                element.className = className;
                parent?.append(element);
                return element;
            };
            this.element = make("div", "row");
            this.element.setAttribute("role", "listitem");
            this.link = make("a", "", this.element);
            this.link.tabIndex = -1;
            const picture = make("span", "picture", this.link);
            this.shape = make("span", "shape", picture);
            const caption = make("span", "caption", this.link);
            this.name = make("b", "", caption);
            this.pixels = make("small", "", caption);
            this.bytes = make("small", "", caption);
            this.image = null;
            this.row = -1;
        }

        /** Stands for a row, at an offset in its section. */
        place(row, top, list, sectionStart, sectionCount) {
            const height = list.heights[row];
            if (this.row !== row) this.element.dataset.row = row;
            this.row = row;
            this.element.style.top = `${top}px`;
            this.element.style.height = `${height}px`;
            this.element.classList.toggle("low", height < 110);
            this.element.setAttribute("aria-posinset", row - sectionStart + 1);
            this.element.setAttribute("aria-setsize", sectionCount);
        }

        fill(list, pictures) {
            const entry = list.entries[this.row];
            const [boxWidth] = list.box;
            const room = list.heights[this.row] - 16;
            let width = boxWidth;
            let height = Math.min(room, list.box[1]);
            if (entry?.width) {
                const scale = Math.min(boxWidth / entry.width, room / entry.height, 1);
                width = Math.max(1, Math.round(entry.width * scale));
                height = Math.max(1, Math.round(entry.height * scale));
            }
            if (entry?.why) [width, height] = [boxWidth, Math.min(room, list.box[1])];
            this.shape.style.width = `${width}px`;
            this.shape.style.height = `${height}px`;
            this.element.classList.toggle("unnamed", !entry?.name);
            this.name.textContent = entry?.name ?? "";
            this.pixels.textContent = entry?.name ? facts(entry) : "";
            this.bytes.textContent = entry?.name ? size(entry.bytes) : "";
            const label = [
                entry?.name, facts(entry), entry?.name && size(entry.bytes),
                entry?.why && `can't be shown: ${entry.why}`,
            ];
            this.link.setAttribute("aria-label", label.filter(Boolean).join(", ") || "A picture");
            if (entry?.key) this.link.href = `/pictures/${entry.key}`;
            else this.link.removeAttribute("href");
            this.show(entry, pictures, true);
        }

        /** Its picture if it's there, else its shape, or why there is none. */
        show(entry, pictures, isKnown) {
            const image = entry?.key && !entry.why ? pictures.loaded.get(entry.key) : undefined;
            if (image === this.image && image?.parentNode === this.shape) {
                image.alt = entry.name;
                return;
            }
            this.image = image ?? null;
            if (image) {
                image.alt = entry.name;
                image.className = isKnown ? "known" : "";
                this.shape.replaceChildren(image);
            } else if (entry?.why) {
                const why = document.createElement("span");
                why.className = "why";
                why.textContent = entry.why;
                this.shape.replaceChildren(why);
            } else {
                this.shape.replaceChildren();
            }
        }

        clear() {
            if (this.element.contains(document.activeElement)) this.link.blur();
            this.link.tabIndex = -1;
            this.shape.replaceChildren();
            this.image = null;
            this.row = -1;
            this.element.remove();
        }
    }

    // MARK: The view

    /** Shows the rows around the window, in nodes that are used again, and knows how it moves. */
    class View {
        constructor(gallery) {
            this.gallery = gallery;
            this.element = byId("list");
            this.nodes = new Map();
            this.groups = new Map();
            this.spare = [];
            // The offset of the document's top in the content. It isn't 0 only while the list moves
            // and rows above the window have changed: scrollTo would stop the fling.
            this.shift = 0;
            this.current = 0;
            this.isMoving = false;
            this.isTouched = false;
            this.speed = 0;
            this.lastMotion = 0;
            this.lastOffset = 0;
            this.frames = [];
            this.request = 0;
            this.hasKeys = false;
            this.jump = false;
            this.resize();
        }

        get offset() {
            return window.scrollY + this.shift;
        }

        /** What the server is told: the window's own top, which the bar covers. The bar's height is
         * left out of neither, as a browser's flings are as long as the whole window makes them. */
        get reported() {
            return Math.max(0, this.offset - this.top);
        }

        get isFast() {
            return this.isMoving && Math.abs(this.speed) > 2 * this.height;
        }

        resize() {
            this.top = parseFloat(getComputedStyle(this.element).marginTop) || 0;
            this.height = Math.max(1, window.innerHeight - this.top);
            this.wake();
        }

        rowsInView(offset = this.offset) {
            const { list } = this.gallery;
            if (!list?.shown) return { first: 0, end: 0 };
            const first = list.firstRowIn(offset);
            let end = first;
            while (end < list.shown && list.tops[end] < offset + this.height) end += 1;
            return { first, end };
        }

        /** Begins to draw frames, until nothing has moved for a while. */
        wake() {
            if (!this.request) this.request = requestAnimationFrame((time) => this.frame(time));
        }

        /** Something moves, or is about to. */
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
            if (this.shift && offset < 0) this.fold();
            this.render();
            reports.send();
            if (!this.isMoving) return;
            if (time - this.lastMotion < restAfter) this.wake();
            else if (!this.isTouched) this.rest(time);
        }

        /** Nothing has moved for a while. */
        rest(time) {
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
            this.sort();
            this.followFocus();
            gallery.savePlace();
        }

        /** Moves the document so that its top is the content's again. */
        fold() {
            if (!this.shift) return;
            const offset = clamp(this.offset, 0, this.lastScroll());
            this.shift = 0;
            this.setHeight();
            window.scrollTo({ top: offset, behavior: "instant" });
            this.lastOffset = this.offset;
            this.placeGroups();
        }

        lastScroll() {
            return Math.max(0, this.gallery.list.height - this.height);
        }

        scrollTo(offset) {
            this.fold();
            window.scrollTo({ top: offset, behavior: "instant" });
        }

        setHeight() {
            this.element.style.height = `${Math.max(0, this.gallery.list.height - this.shift)}px`;
        }

        render() {
            const { list, names, pictures } = this.gallery;
            if (!list) return;
            const { offset, speed, height } = this;
            // More ahead than behind; frames are drawn a little after the document has moved.
            const ahead = clamp(Math.abs(speed) * 0.1, 300, 1600);
            const top = offset - (speed < 0 ? ahead : 300);
            const bottom = offset + height + (speed > 0 ? ahead : 300);
            const first = list.shown ? list.firstRowIn(top) : 0;
            let end = first;
            while (end < list.shown && list.tops[end] < bottom) end += 1;
            for (const [row, node] of this.nodes) {
                if (row < first || row >= end) {
                    this.nodes.delete(row);
                    node.clear();
                    this.spare.push(node);
                }
            }
            this.renderGroups(top, bottom);
            for (let row = first; row < end; row += 1) {
                if (!this.nodes.has(row)) this.add(row);
            }
            this.spare.length = Math.min(this.spare.length, 40);
            if (!this.isFast && list.shown) {
                const seen = this.rowsInView();
                names.need(Math.max(0, seen.first - 3), seen.end + 3);
            }
            pictures.fetch();
            this.tellPlace();
        }

        add(row) {
            const { list, pictures } = this.gallery;
            const node = this.spare.pop() ?? new RowNode();
            this.nodes.set(row, node);
            this.put(node, row);
            node.link.tabIndex = row === this.current ? 0 : -1;
            node.fill(list, pictures);
        }

        put(node, row) {
            const { list } = this.gallery;
            const index = list.sectionOf(row);
            const [, start, number] = list.sections[index] ?? ["", 0, list.rows];
            const top = list.tops[row] - (index < 0 ? 0 : list.sectionTops[index]);
            node.place(row, top, list, start, number);
            const { rows } = this.groups.get(index);
            if (node.element.parentNode !== rows) rows.append(node.element);
        }

        /** A section's heading, and the list of its rows; only those in view are there. */
        renderGroups(top, bottom) {
            const { list } = this.gallery;
            const first = list.sections.length ? Math.max(0, list.sectionAt(top)) : -1;
            const last = list.sections.length ? Math.max(0, list.sectionAt(bottom)) : -1;
            for (const [index, group] of this.groups) {
                if (index < first || index > last) {
                    group.element.remove();
                    this.groups.delete(index);
                }
            }
            for (let index = first; index <= last; index += 1) {
                if (!this.groups.has(index)) this.addGroup(index);
            }
        }

        addGroup(index) {
            const { list } = this.gallery;
            const element = document.createElement("section");
            const heading = document.createElement("h2");
            const rows = document.createElement("div");
            element.className = "group";
            heading.textContent = list.sections[index]?.[0] ?? "";
            heading.hidden = index < 0;
            rows.setAttribute("role", "list");
            rows.setAttribute("aria-label", heading.textContent);
            element.append(heading, rows);
            const group = { element, rows };
            this.groups.set(index, group);
            this.placeGroup(index, group);
            const later = [...this.groups].filter(([other]) => other > index);
            const next = later.sort(([one], [other]) => one - other)[0];
            this.element.insertBefore(element, next?.[1].element ?? null);
        }

        placeGroup(index, group) {
            const { list } = this.gallery;
            const top = index < 0 ? 0 : list.sectionTops[index];
            group.element.style.top = `${top - this.shift}px`;
            group.element.style.height = `${list.endOfSection(index) - top}px`;
        }

        placeGroups() {
            for (const [index, group] of this.groups) this.placeGroup(index, group);
        }

        /** Puts the rows in their order in the document, for those who are read to. */
        sort() {
            const inOrder = [...this.nodes].sort(([one], [other]) => one - other);
            const last = new Map();
            for (const [, { element }] of inOrder) {
                const parent = element.parentNode;
                const before = last.get(parent) ?? null;
                if (element.previousSibling !== before && !element.contains(document.activeElement)) {
                    parent.insertBefore(element, before ? before.nextSibling : parent.firstChild);
                }
                last.set(parent, element);
            }
        }

        fillAll() {
            const { list, pictures } = this.gallery;
            for (const node of this.nodes.values()) node.fill(list, pictures);
            pictures.fetch();
            this.gallery.viewer.refresh();
        }

        isShown(key) {
            const { entries } = this.gallery.list;
            for (const row of this.nodes.keys()) if (entries[row]?.key === key) return true;
            return false;
        }

        /** A picture has come. */
        show(key) {
            const { list, pictures } = this.gallery;
            for (const [row, node] of this.nodes) {
                const entry = list.entries[row];
                if (entry?.key === key) node.show(entry, pictures, false);
            }
            this.gallery.viewer.refresh();
        }

        fail(key, why) {
            const { list, pictures } = this.gallery;
            for (const [row, node] of this.nodes) {
                const entry = list.entries[row];
                if (entry?.key !== key) continue;
                entry.why = why;
                node.fill(list, pictures);
            }
        }

        /** The list has changed: what is at the window's top stays where it is. */
        change(apply) {
            const { list } = this.gallery;
            const { offset } = this;
            const isAtTop = offset <= 0;
            let anchor = list.shown ? list.firstRowIn(offset) : -1;
            const before = anchor < 0 ? 0 : offset - list.tops[anchor];
            const focused = [...this.nodes.values()].find((node) =>
                node.element.contains(document.activeElement),
            );
            const oldRows = list.rows;
            const move = apply();
            let place = anchor < 0 ? -1 : move(anchor);
            let isSame = place >= 0;
            while (anchor >= 0 && place < 0 && anchor + 1 < oldRows) place = move((anchor += 1));
            let to = offset;
            if (isAtTop) to = Math.min(0, offset);
            else if (place >= 0) {
                const most = list.heights[place];
                to = list.tops[place] + (isSame ? Math.min(before, most) : Math.min(before, 0));
            }
            to = clamp(to, Math.min(0, offset), Math.max(0, this.lastScroll()));
            this.shift = to - window.scrollY;
            this.renumber(move);
            this.setHeight();
            this.lastOffset = this.offset;
            this.frames = [];
            if (!this.isMoving) this.fold();
            this.render();
            focused?.link.focus({ preventScroll: true });
            this.gallery.viewer.move(move);
            this.gallery.reports.move(to - offset);
            this.gallery.reports.add("f", performance.now(), this.reported);
            this.gallery.reports.send();
            this.wake();
        }

        /** The same rows under other numbers. */
        renumber(move) {
            const { list, pictures } = this.gallery;
            const nodes = [...this.nodes];
            this.nodes.clear();
            for (const { element } of this.groups.values()) element.remove();
            this.groups.clear();
            for (const [row, node] of nodes) {
                const place = move(row);
                if (place < 0 || place >= list.shown) {
                    node.clear();
                    this.spare.push(node);
                    continue;
                }
                const index = list.sectionOf(place);
                if (!this.groups.has(index)) this.addGroup(index);
                this.nodes.set(place, node);
                this.put(node, place);
                node.fill(list, pictures);
            }
            const current = move(this.current);
            this.current = clamp(current < 0 ? this.current : current, 0, Math.max(0, list.shown - 1));
        }

        /** Another list altogether, at a row of it. */
        replace(row, before) {
            const { list } = this.gallery;
            for (const node of this.nodes.values()) {
                node.clear();
                this.spare.push(node);
            }
            this.nodes.clear();
            for (const { element } of this.groups.values()) element.remove();
            this.groups.clear();
            this.shift = 0;
            this.setHeight();
            const top = row < list.shown ? list.tops[row] : list.height;
            window.scrollTo({ top: row > 0 || before > 0 ? top + before : 0, behavior: "instant" });
            this.lastOffset = this.offset;
            this.current = clamp(this.rowsInView().first, 0, Math.max(0, list.shown - 1));
            this.render();
            this.sort();
            this.markCurrent();
        }

        tellPlace() {
            const { list } = this.gallery;
            const place = byId("place");
            if (!list.shown) {
                place.textContent = "";
                return;
            }
            const row = this.rowsInView().first;
            const section = list.sections[list.sectionOf(row)]?.[0];
            const parts = [`${(row + 1).toLocaleString("en")} of ${list.rows.toLocaleString("en")}`];
            if (list.shown < list.rows) parts[0] += ` (${list.shown.toLocaleString("en")} shown)`;
            if (section) parts.push(section);
            const whole = parts.join(" · ");
            if (place.textContent !== whole) place.textContent = whole;
        }

        // The row that keys act on.

        markCurrent() {
            for (const [row, node] of this.nodes) {
                node.link.tabIndex = row === this.current ? 0 : -1;
            }
        }

        /** The first and the last row that are in view whole. */
        wholeRows() {
            const { list } = this.gallery;
            const { first, end } = this.rowsInView();
            const top = this.offset + (this.offset > 0 ? list.header : 0);
            let from = first;
            while (from + 1 < end && list.tops[from] < top) from += 1;
            let to = end - 1;
            const bottom = this.offset + this.height;
            while (to > from && list.tops[to] + list.heights[to] > bottom) to -= 1;
            return { from, to };
        }

        /** After keys or a finger have moved the list, keys act on what is in view. */
        followFocus() {
            const { list } = this.gallery;
            if (!list.shown) return;
            const { from, to } = this.wholeRows();
            const isFocused = this.hasKeys || this.element.contains(document.activeElement);
            if (this.current < from || this.current > to) {
                const isAtEnd = this.offset >= this.lastScroll() - 1 && this.offset > 0;
                this.current = isAtEnd && this.hasKeys ? list.shown - 1 : from;
            }
            this.markCurrent();
            if (isFocused && !byId("view").open) {
                this.nodes.get(this.current)?.link.focus({ preventScroll: true });
            }
        }

        /** Goes to a row: the list moves just so far that it's in view. */
        go(row, isFocused = true) {
            const { list } = this.gallery;
            if (row < 0 || row >= list.shown) return;
            this.current = row;
            // Its section's heading stays at the top, over the rows.
            const top = list.tops[row] - list.header;
            const bottom = list.tops[row] + list.heights[row] - this.height;
            if (this.offset > top) this.scrollTo(Math.max(0, top));
            else if (this.offset < bottom) this.scrollTo(bottom);
            this.render();
            this.markCurrent();
            if (isFocused) this.nodes.get(row)?.link.focus({ preventScroll: true });
        }
    }

    // MARK: Reports

    /** Tells the server what happens, in order, at most every 50 ms and one report at a time. */
    class Reports {
        constructor(gallery) {
            this.gallery = gallery;
            this.events = [];
            this.isSending = false;
            this.isUrgent = false;
            this.lastSent = 0;
            this.lastTime = 0;
            this.timer = 0;
        }

        add(kind, time, ...numbers) {
            const { list, connection } = this.gallery;
            if (!list || !connection.client) return;
            this.events.push({ kind, time, numbers });
            // What nobody takes isn't kept: of an offset only the newest counts.
            if (this.events.length > 1024) this.events.splice(0, 512);
        }

        /** The list has changed: what is still to be told is told of the new one. */
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

        /** The text of the next report: at most 256 events and 6 KB. */
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
            const { version } = this.gallery.list;
            return `v=${version}&h=${Math.round(window.innerHeight)}&e=${texts.join(";")}`;
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
                const answer = await fetch(`/clients/${client}/reports?${text}`, {
                    method: "POST",
                    keepalive: true,
                    signal: AbortSignal.timeout(10_000),
                });
                ({ status } = answer);
            } catch {
                // The stream will tell if the server is gone.
            }
            if (status === 404 && client === connection.client) connection.restart();
            if (status === 0 || status === 429 || status >= 500) {
                await pause(500);
                // What was lost is made good by where the list is now.
                this.add("f", performance.now(), view.reported);
            }
            this.isSending = false;
            this.send(this.isUrgent);
        }

        forget() {
            this.events = [];
        }
    }

    /** Fingers, wheels and keys, as they come: nothing is held up for them. */
    class Input {
        constructor(gallery) {
            this.gallery = gallery;
            this.finger = null;
            const listen = (name, handler) =>
                window.addEventListener(name, handler, { passive: true });
            listen("scroll", () => gallery.view.wake());
            listen("resize", () => gallery.view.resize());
            listen("touchstart", (event) => this.down(event));
            listen("touchmove", (event) => this.move(event));
            listen("touchend", (event) => this.lift(event, "u"));
            listen("touchcancel", (event) => this.lift(event, "c"));
            listen("wheel", (event) => {
                if (!event.ctrlKey && event.deltaY) this.tell("w", event);
            });
        }

        get isElsewhere() {
            return byId("view").open || !this.gallery.list;
        }

        tell(kind, event) {
            if (this.isElsewhere) return;
            const { view, reports } = this.gallery;
            this.gallery.sought = null;
            view.hasKeys = kind === "k";
            view.stir(event.timeStamp);
            reports.add(kind, event.timeStamp);
        }

        down(event) {
            const { view, reports } = this.gallery;
            if (this.isElsewhere) return;
            // A second finger: it's no scroll that can be foretold.
            if (this.finger !== null) return this.cancel(event);
            const touch = event.changedTouches[0];
            this.finger = touch.identifier;
            this.gallery.sought = null;
            view.hasKeys = false;
            view.isTouched = true;
            view.stir(event.timeStamp);
            if (view.jump) reports.add("e", event.timeStamp);
            view.jump = false;
            reports.add("d", event.timeStamp, touch.clientY, view.reported);
            reports.sendAtOnce();
        }

        find(event) {
            return [...event.changedTouches].find(({ identifier }) => identifier === this.finger);
        }

        move(event) {
            const touch = this.find(event);
            if (!touch) return;
            const { view, reports } = this.gallery;
            view.stir(event.timeStamp);
            reports.add("m", event.timeStamp, touch.clientY);
        }

        lift(event, kind) {
            const touch = this.find(event);
            if (!touch) return;
            const { view, reports } = this.gallery;
            this.letGo();
            view.stir(event.timeStamp);
            const values = kind === "u" ? [touch.clientY] : [];
            reports.add(kind, event.timeStamp, ...values);
            reports.sendAtOnce();
        }

        /** No finger is down, or a new client doesn't know of it. */
        letGo() {
            this.finger = null;
            this.gallery.view.isTouched = false;
        }

        cancel(event) {
            const { view, reports } = this.gallery;
            this.letGo();
            view.stir(event.timeStamp);
            reports.add("c", event.timeStamp);
            reports.sendAtOnce();
        }
    }

    // MARK: Keys

    /** The arrows go from row to row; what moves by pages is left to the browser. */
    class Keys {
        constructor(gallery) {
            this.gallery = gallery;
            document.addEventListener("keydown", (event) => this.press(event));
            byId("list").addEventListener("click", (event) => this.click(event));
            byId("list").addEventListener("focusin", (event) => {
                const row = Number(event.target.closest(".row")?.dataset.row ?? -1);
                if (row < 0) return;
                gallery.view.current = row;
                gallery.view.markCurrent();
            });
        }

        press(event) {
            const { view, list, input } = this.gallery;
            if (!list?.shown || byId("view").open) return;
            if (event.ctrlKey || event.altKey || event.metaKey) return;
            const focus = document.activeElement;
            const isInList = view.element.contains(focus);
            if (!isInList && focus !== document.body) return;
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step && !event.shiftKey) {
                event.preventDefault();
                input.tell("k", event);
                const { from, to } = view.wholeRows();
                const isInView = view.current >= from - 1 && view.current <= to + 1;
                if (!isInList && !isInView) view.go(from);
                else if (!isInList) view.go(clamp(view.current, from, to));
                else view.go(clamp(view.current + step, 0, list.shown - 1));
            } else if (["PageUp", "PageDown", "Home", "End", " "].includes(event.key)) {
                input.tell("k", event);
            }
        }

        click(event) {
            const link = event.target.closest("a");
            const row = Number(event.target.closest(".row")?.dataset.row ?? -1);
            if (!link || row < 0 || event.button) return;
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            this.gallery.viewer.open(row);
        }
    }

    // MARK: The large view

    /** One picture in a dialog, with its neighbours to the left and right. */
    class Viewer {
        constructor(gallery) {
            this.gallery = gallery;
            this.dialog = byId("view");
            this.row = -1;
            this.key = "";
            byId("view-close").addEventListener("click", () => this.dialog.close());
            byId("view-back").addEventListener("click", () => this.step(-1));
            byId("view-next").addEventListener("click", () => this.step(1));
            this.dialog.addEventListener("keydown", (event) => {
                const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
                if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
                event.preventDefault();
                this.step(step);
            });
            this.dialog.addEventListener("close", () => this.closed());
            this.watchSwipes();
        }

        watchSwipes() {
            const stage = byId("view-stage");
            let from = null;
            stage.addEventListener("touchstart", ({ touches }) => {
                from = touches.length === 1 ? touches[0] : null;
            }, { passive: true });
            stage.addEventListener("touchend", ({ changedTouches: [to] }) => {
                if (!from || (window.visualViewport?.scale ?? 1) > 1.05) return;
                const across = to.clientX - from.clientX;
                const down = to.clientY - from.clientY;
                if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(down)) {
                    this.step(across < 0 ? 1 : -1);
                }
                from = null;
            }, { passive: true });
        }

        open(row) {
            // Where there is a way back, as on phones, it closes a dialog, as Escape does.
            if (!this.dialog.open) this.dialog.showModal();
            this.turnTo(row);
        }

        closed() {
            byId("view-picture").removeAttribute("src");
            this.key = "";
            const { view } = this.gallery;
            const { row } = this;
            this.row = -1;
            if (row >= 0) view.go(row);
        }

        step(by) {
            const row = this.row + by;
            if (row >= 0 && row < this.gallery.list.shown) this.turnTo(row);
        }

        turnTo(row) {
            const { list, names } = this.gallery;
            this.row = row;
            this.key = "";
            byId("view-back").disabled = row === 0;
            byId("view-next").disabled = row === list.shown - 1;
            // What a neighbour disables must not take the keys with it.
            if (!this.dialog.contains(document.activeElement)) this.dialog.focus();
            names.add(Math.max(0, row - 1), row + 2);
            this.refresh();
        }

        /** Shows what is known of its row by now. */
        refresh() {
            if (this.row < 0) return;
            const { list, pictures } = this.gallery;
            const entry = list.entries[this.row];
            const name = entry?.name ?? "";
            byId("view-name").textContent = name;
            byId("view-facts").textContent = name
                ? [facts(entry), size(entry.bytes)].filter(Boolean).join(" · ")
                : "";
            const small = byId("view-small");
            const picture = byId("view-picture");
            if (!entry?.key || entry.key !== this.key) {
                this.key = entry?.key ?? "";
                small.hidden = true;
                picture.hidden = true;
                this.say("");
                if (this.key) this.load(this.key);
            }
            picture.alt = name;
            if (this.key && picture.hidden && small.hidden && pictures.loaded.has(this.key)) {
                small.src = `/thumbnails/${this.key}`;
                small.hidden = false;
            }
        }

        async load(key, attempt = 0) {
            const picture = byId("view-picture");
            const path = `/pictures/${key}`;
            const ahead = new Image();
            ahead.src = path;
            const timer = setTimeout(() => {
                if (this.key === key && picture.hidden) this.say("Loading…");
            }, 700);
            try {
                await ahead.decode();
                if (this.key !== key) return;
                picture.src = path;
                picture.hidden = false;
                byId("view-small").hidden = true;
                this.say("");
            } catch {
                const { why, wait } = await whyNot(path);
                if (this.key !== key) return;
                if (why) {
                    byId("view-small").hidden = true;
                    this.say(`It can't be shown: ${why}`);
                } else {
                    this.say("It didn't come. It will be tried again.");
                    await pause(Math.max(wait, Math.min(15_000, 1000 * 2 ** attempt)));
                    if (this.key === key) await this.load(key, attempt + 1);
                }
            } finally {
                clearTimeout(timer);
            }
        }

        say(text) {
            byId("view-why").textContent = text;
            byId("view-why").hidden = !text;
        }

        /** The list has changed under it. */
        move(place) {
            if (this.row < 0) return;
            const row = place(this.row);
            if (row < 0) {
                this.say("It is no longer there.");
                this.row = Math.min(this.row, Math.max(0, this.gallery.list.shown - 1));
            } else {
                this.row = row;
            }
        }
    }

    // MARK: The connection

    /** A client of the server, for as long as there is one: made again whenever it's lost. */
    class Connection {
        constructor(gallery) {
            this.gallery = gallery;
            this.client = "";
            this.epoch = "";
            this.stream = null;
            this.end = null;
            this.waking = null;
            this.isAway = false;
            this.retry = 1000;
            window.addEventListener("online", () => this.waking?.());
            window.addEventListener("pagehide", () => this.leave());
            window.addEventListener("pageshow", (event) => event.persisted && this.waking?.());
            document.addEventListener("visibilitychange", () => this.notice());
        }

        /** A page that nobody sees for a minute asks for nothing. */
        notice() {
            clearTimeout(this.hiding);
            if (document.visibilityState === "hidden") {
                this.gallery.savePlace();
                this.hiding = setTimeout(() => {
                    this.isAway = true;
                    this.leave();
                }, 60_000);
            } else {
                this.isAway = false;
                this.waking?.();
            }
        }

        async run() {
            for (;;) {
                let wait = this.retry;
                try {
                    await this.session();
                    wait = 1000;
                } catch (error) {
                    wait = Math.max(wait, error.wait ?? 0);
                    this.retry = Math.min(15_000, this.retry * 2);
                }
                this.drop();
                if (!this.isAway) this.gallery.tellOffline(true);
                const late = this.isAway ? new Promise(() => {}) : pause(wait * (0.75 + Math.random() / 2));
                await Promise.race([late, new Promise((wake) => (this.waking = wake))]);
                this.waking = null;
            }
        }

        /** One client's whole life; it returns when the server said goodbye, and throws when it's lost. */
        async session() {
            const answer = await fetch("/clients", {
                method: "POST",
                signal: AbortSignal.timeout(10_000),
            });
            if (!answer.ok) {
                const wait = 1000 * Number(answer.headers.get("Retry-After") ?? 0);
                throw Object.assign(new Error("clients"), { wait });
            }
            const { client } = await answer.json();
            this.waitingEvents = [];
            await new Promise((bye, lost) => {
                this.end = lost;
                const stream = new EventSource(`/clients/${client}/events`);
                this.stream = stream;
                const listen = (name, handler) =>
                    stream.addEventListener(name, ({ data }) => handler(JSON.parse(data)));
                const timer = setTimeout(() => lost(new Error("no hello")), 10_000);
                stream.onerror = () => {
                    clearTimeout(timer);
                    lost(new Error("the stream has ended"));
                };
                listen("bye", () => bye());
                listen("hello", (hello) => {
                    clearTimeout(timer);
                    this.client = client;
                    this.gallery.input.letGo();
                    this.begin(hello).catch(lost);
                });
                for (const name of ["thumbs", "failed", "changed", "reload", "recording"]) {
                    listen(name, (data) => this.take(name, data));
                }
            });
        }

        async begin({ epoch, version }) {
            const { gallery } = this;
            const { client } = this;
            if (!gallery.list || this.epoch !== epoch || gallery.list.version !== version) {
                await this.fetchList();
            } else {
                this.release();
            }
            if (this.client !== client) return;
            this.retry = 1000;
            gallery.tellOffline(false);
            gallery.tellRecording(false);
            gallery.view.wake();
            gallery.reports.add("f", performance.now(), gallery.view.reported);
            gallery.reports.send(true);
        }

        /** Fetches the list, in parts of one version; what the stream says meanwhile waits. */
        async fetchList() {
            const { gallery } = this;
            const { client } = this;
            this.waitingEvents ??= [];
            for (let attempt = 0; ; attempt += 1) {
                const parts = [];
                let from = 0;
                while (from !== null) {
                    const part = await getJSON(`/list?from=${from}`);
                    if (part.version !== (parts[0] ?? part).version) break;
                    parts.push(part);
                    from = part.next;
                }
                if (this.client !== client) return;
                if (from === null) {
                    this.epoch = parts[0].epoch;
                    await gallery.replaceList(parts);
                    this.release();
                    return;
                }
                await pause(Math.min(2000, 100 * 2 ** attempt));
            }
        }

        take(name, data) {
            if (this.waitingEvents) this.waitingEvents.push([name, data]);
            else this.handle(name, data);
        }

        release() {
            const events = this.waitingEvents ?? [];
            this.waitingEvents = null;
            for (const [name, data] of events) this.take(name, data);
        }

        handle(name, data) {
            const { gallery } = this;
            const { list } = gallery;
            switch (name) {
                case "thumbs":
                    gallery.offer(data);
                    break;
                case "failed":
                    gallery.fail(data);
                    break;
                case "changed":
                    if (data.to <= list.version) break;
                    // Where rows came in without their sections nobody could tell whose they are.
                    if (data.from !== list.version || (data.inserted?.length && !data.sections)) {
                        this.reload();
                    } else {
                        gallery.change(data);
                    }
                    break;
                case "reload":
                    if (data.version !== list.version) this.reload();
                    break;
                case "recording":
                    gallery.tellRecording(data.on, data.trace);
                    break;
            }
        }

        reload() {
            this.waitingEvents = [];
            this.fetchList().catch((error) => this.end?.(error));
        }

        restart() {
            this.end?.(new Error("to begin anew"));
        }

        drop() {
            this.stream?.close();
            this.stream = null;
            this.waitingEvents = null;
            this.sayGoodbye();
            this.gallery.reports.forget();
        }

        leave() {
            this.gallery.savePlace();
            this.sayGoodbye();
            this.end?.(new Error("away"));
        }

        sayGoodbye() {
            if (!this.client) return;
            const path = `/clients/${this.client}/leave`;
            this.client = "";
            fetch(path, { method: "POST", keepalive: true }).catch(() => {});
        }
    }

    // MARK: The gallery

    class Gallery {
        constructor() {
            this.list = null;
            this.sought = null;
            this.isSeeking = false;
            this.view = new View(this);
            this.names = new Names(this);
            this.pictures = new Pictures(this);
            this.reports = new Reports(this);
            this.input = new Input(this);
            this.keys = new Keys(this);
            this.viewer = new Viewer(this);
            this.connection = new Connection(this);
            byId("top").addEventListener("click", () => this.jumpToTop());
            byId("record").addEventListener("click", () => this.record());
            this.say("Loading the list…");
        }

        say(text) {
            const status = byId("status");
            if (status.textContent !== text) status.textContent = text;
        }

        /** Another list: its place is found by the rows that were at the top of the window. */
        async replaceList(parts) {
            const [{ version, header, box, rows }] = parts;
            const places = this.list ? this.places() : this.savedPlaces();
            const fallback = this.list?.shown ? this.view.rowsInView().first : 0;
            const heights = new Float64Array(rows);
            for (const part of parts) heights.set(part.heights, part.from);
            const sections = parts.flatMap((part) => part.sections);
            const list = new List(version, header, box, sections, heights);
            const found = await this.find(places, list);
            const last = Math.max(0, list.shown - 1);
            const { row, before } = found ?? { row: Math.min(fallback, last), before: 0 };
            this.list = list;
            this.reports.forget();
            this.view.replace(row, before);
            // A server that has just begun may not have come to that row yet.
            const until = performance.now() + 60_000;
            this.sought = places.length && !found ? { places, until } : null;
            this.viewer.dialog.close();
            this.tellList();
        }

        /** Where the window's top is, by the names of the rows there. */
        places() {
            const { list, view } = this;
            if (!list?.shown || view.offset <= 0) return [];
            const { first, end } = view.rowsInView();
            const places = [];
            for (let row = first; row < end && places.length < 6; row += 1) {
                const key = list.entries[row]?.key;
                if (key) places.push({ id: idOf(key), before: view.offset - list.tops[row] });
            }
            return places;
        }

        /** The row at the window's top, of those that were there, which the server still has. */
        async find(places, list) {
            for (const { id, before } of places) {
                try {
                    const { row } = await getJSON(`/rows?id=${id}`);
                    return row < list.shown ? { row, before } : null;
                } catch (error) {
                    if (error.status !== 404) return null;
                }
            }
            return null;
        }

        /** Rows have come in: perhaps among them the one that was at the window's top. */
        async seek() {
            if (!this.sought || this.isSeeking) return;
            this.isSeeking = true;
            await pause(400);
            const { sought, list } = this;
            const { version } = list;
            const found = sought && (await this.find(sought.places, list));
            this.isSeeking = false;
            // Whoever has scrolled meanwhile is where they want to be.
            if (!this.sought || performance.now() > sought.until) {
                this.sought = null;
            } else if (this.list !== list || list.version !== version) {
                this.seek();
            } else if (found) {
                this.sought = null;
                this.view.replace(found.row, found.before);
                this.reports.add("f", performance.now(), this.view.reported);
                this.reports.send(true);
            }
        }

        savePlace() {
            if (this.sought) return;
            try {
                if (this.list) sessionStorage.setItem("place", JSON.stringify(this.places()));
            } catch {
                // Storage may be forbidden; then a page that is loaded again begins at the top.
            }
        }

        savedPlaces() {
            try {
                return JSON.parse(sessionStorage.getItem("place") ?? "[]");
            } catch {
                return [];
            }
        }

        change(data) {
            const { list, view } = this;
            view.change(() => list.apply(data));
            this.tellList();
            this.seek();
        }

        tellList() {
            const { list } = this;
            document.documentElement.classList.toggle("ready", list.rows > 0);
            byId("list").hidden = false;
            if (!list.rows) this.say("There are no pictures here yet.");
            else if (list.shown < list.rows) {
                const shown = list.shown.toLocaleString("en");
                this.say(`The first ${shown} of ${count(list.rows, "picture", "pictures")}: no browser scrolls further.`);
            } else {
                const folders = count(list.sections.length, "folder", "folders");
                this.say(`${count(list.rows, "picture", "pictures")} in ${folders}`);
            }
        }

        offer({ v, t }) {
            const { list, pictures, view, names } = this;
            let [first, end] = [Infinity, -1];
            for (const [row, key] of t) {
                const isOurs = v === list.version && row < list.rows;
                if (isOurs) {
                    const entry = list.entry(row);
                    entry.key = key;
                    entry.why = "";
                    first = Math.min(first, row);
                    end = Math.max(end, row + 1);
                }
                pictures.offer(key, !view.nodes.has(row));
                view.nodes.get(row)?.fill(list, pictures);
            }
            // Where pictures are made the list will rest: the names are wanted there, too.
            if (end > first && end - first < 256) names.add(first, end);
            pictures.fetch();
        }

        fail({ v, f }) {
            const { list, pictures, view } = this;
            if (v !== list.version) return;
            for (const [row, why] of f) {
                if (row >= list.rows) continue;
                list.entry(row).why = why;
                view.nodes.get(row)?.fill(list, pictures);
            }
        }

        jumpToTop() {
            const { view, reports } = this;
            if (!this.list) return;
            view.fold();
            if (view.offset <= 0) return;
            view.hasKeys = false;
            view.current = 0;
            const time = performance.now();
            view.stir(time);
            view.jump = true;
            reports.add("t", time);
            reports.sendAtOnce();
            window.scrollTo({ top: 0, behavior: isStill.matches ? "instant" : "smooth" });
        }

        async record() {
            const { client } = this.connection;
            if (!client) return;
            const isOn = byId("record").getAttribute("aria-pressed") === "true";
            try {
                const path = `/clients/${client}/record?on=${isOn ? 0 : 1}`;
                const answer = await fetch(path, { method: "POST" });
                if (!answer.ok) throw new Error(path);
                const { trace } = await answer.json();
                this.tellRecording(!isOn, trace);
            } catch {
                this.say("The recording couldn't be changed.");
            }
        }

        tellRecording(isOn, trace) {
            const button = byId("record");
            const text = isOn ? "Stop recording" : "Record how you scroll";
            button.disabled = !this.connection.client;
            button.setAttribute("aria-pressed", isOn);
            button.title = text;
            button.setAttribute("aria-label", text);
            if (trace) {
                byId("trace").href = trace;
                byId("trace").hidden = isOn;
            }
        }

        tellOffline(isOffline) {
            byId("offline").hidden = !isOffline;
            if (isOffline) {
                byId("record").disabled = true;
                this.say("Offline. It will be tried again.");
            } else {
                this.tellList();
            }
        }
    }

    if (!("EventSource" in window && "decode" in Image.prototype && AbortSignal.timeout)) return;
    // Before the body is there, so that none of the pages' pictures is fetched.
    document.documentElement.classList.add("scripted");
    history.scrollRestoration = "manual";
    document.addEventListener("DOMContentLoaded", () => {
        byId("plain").remove();
        byId("list").hidden = false;
        new Gallery().connection.run();
    });
})();
