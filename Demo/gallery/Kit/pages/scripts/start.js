// The gallery as one long list that uses the document's own scrolling, so that a fling is the
// browser's. It reports the touches and the rows in view to the server, and shows the pictures that
// the server announces. Offsets are relative to the list's content, from the top of its first
// header.
import { Gallery } from "./gallery.js";
import { byId } from "./tools.js";

if (document.documentElement.classList.contains("scripted")) {
    byId("plain").remove();
    byId("list").hidden = false;
    new Gallery().connection.run();
}
