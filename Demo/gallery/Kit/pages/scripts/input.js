import { byId } from "./tools.js";

/** Observes touches, wheel turns and keys without delaying them. */
export class Input {
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
        const { view, reports, keys } = this.gallery;
        this.gallery.sought = null;
        keys.areUsed = kind === "k";
        view.stir(event.timeStamp);
        reports.add(kind, event.timeStamp);
    }

    down(event) {
        const { view, reports, keys, scrubber } = this.gallery;
        if (this.isElsewhere || scrubber.handle.contains(event.target)) return;
        // A second finger makes it a scroll that can't be predicted.
        if (this.finger !== null) return this.cancel(event);
        const touch = event.changedTouches[0];
        this.finger = touch.identifier;
        this.gallery.sought = null;
        keys.areUsed = false;
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

    /** Resets the touch, when no finger is down or a new client doesn't know of it. */
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
