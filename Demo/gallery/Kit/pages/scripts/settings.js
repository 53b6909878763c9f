import { byId } from "./tools.js";

/** How the list is shown and ordered, which the browser remembers where it may. */
export class Settings {
    constructor(gallery) {
        this.isGrid = Settings.read("layout") !== "list";
        this.order = Settings.read("order") === "date" ? "date" : "name";
        byId("as-list").addEventListener("click", () => {
            this.isGrid = !this.isGrid;
            this.apply();
            gallery.view.resize();
        });
        byId("by-date").addEventListener("click", () => {
            this.order = this.order === "date" ? "name" : "date";
            this.apply();
            gallery.connection.renew();
        });
        this.apply();
    }

    apply() {
        byId("as-list").setAttribute("aria-pressed", !this.isGrid);
        byId("by-date").setAttribute("aria-pressed", this.order === "date");
        byId("list").className = this.isGrid ? "grid" : "entries";
        try {
            localStorage.setItem("layout", this.isGrid ? "grid" : "list");
            localStorage.setItem("order", this.order);
        } catch {
            // Storage may be forbidden; then it is as at first in the next page.
        }
    }

    static read(name) {
        try {
            return localStorage.getItem(name);
        } catch {
            return null;
        }
    }
}
