/** Numbers as text for people. */

export const count = (number, one, many) =>
    `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

// Of a picture on a server, which has no bytes here, only the aspect ratio is known.
export const facts = (entry) =>
    (entry?.width && entry.bytes ? `${entry.width} × ${entry.height}` : "");

export function size(bytes) {
    if (!bytes) return "";
    if (bytes < 1000) return `${bytes} bytes`;
    if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
    return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A time by the clock of a camera, which had no time zone. */
export const moment = (seconds) => new Date(seconds * 1000).toLocaleString("en", {
    dateStyle: "medium", timeStyle: "short", timeZone: "UTC",
});
