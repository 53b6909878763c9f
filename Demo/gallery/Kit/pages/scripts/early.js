// Before the body is there, so that none of the plain page's pictures is fetched: whether the list
// can be shown by scripts here. If one of them doesn't come the plain page is there after all.
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
