// Runs before the body exists, so that none of the plain page's pictures are fetched: decides
// whether scripts can show the list here. If one of them fails to load, the plain page is shown
// after all.
"use strict";

if ("EventSource" in window && "decode" in Image.prototype && AbortSignal.timeout) {
    document.documentElement.classList.add("scripted");
    history.scrollRestoration = "manual";
    const giveUp = ({ target }) => {
        if (target instanceof HTMLScriptElement) {
            document.documentElement.classList.remove("scripted");
        }
    };
    window.addEventListener("error", giveUp, true);
}
