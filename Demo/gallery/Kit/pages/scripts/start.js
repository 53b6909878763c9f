// The gallery as one long list on the document's own scrolling, so that a fling is the browser's.
// It tells the server what the fingers do and what is in view, and shows the pictures that the
// server says it has. Offsets are counted in the list's content, from the top of its first header.
import { Gallery } from "./gallery.js";
import { byId } from "./tools.js";

if (document.documentElement.classList.contains("scripted")) {
    byId("plain").remove();
    byId("list").hidden = false;
    new Gallery().connection.run();
}
