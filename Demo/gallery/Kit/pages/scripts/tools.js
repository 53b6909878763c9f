/** Helpers that all of the pages' scripts use. */

export const byId = (id) => document.getElementById(id);
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
/** Returns the identity of a picture, which a key has in front of its version. */
export const idOf = (key) => key.slice(0, 16);
/** Returns a recent mean after a new value; 0 is a mean of none. */
export const mean = (last, value) => (last ? last + (value - last) / 4 : value);
export const isStill = matchMedia("(prefers-reduced-motion: reduce)");

export async function getJSON(path) {
    const answer = await fetch(path, { signal: AbortSignal.timeout(20_000) });
    if (!answer.ok) throw Object.assign(new Error(path), { status: answer.status });
    return answer.json();
}

/** Returns why an address gives no picture, and how many milliseconds to wait for it. */
export async function whyNot(path) {
    try {
        const answer = await fetch(path, { signal: AbortSignal.timeout(20_000) });
        if (answer.status === 422) return { why: (await answer.text()).slice(0, 200), wait: 0 };
        if (answer.status === 404) return { why: "it is no longer there", wait: 0 };
        return { why: "", wait: 1000 * Number(answer.headers.get("Retry-After") ?? 0) };
    } catch {
        return { why: "", wait: 1000 };
    }
}
