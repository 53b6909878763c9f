/** Numbers as text for people. */

export const count = (number, one, many) =>
    `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

export const facts = (entry) => (entry?.width ? `${entry.width} × ${entry.height}` : "");

export function size(bytes) {
    if (!bytes) return "";
    if (bytes < 1000) return `${bytes} bytes`;
    if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
    return `${(bytes / 1e6).toFixed(1)} MB`;
}

// By the clock of a camera, which had no time zone.
const text = (seconds, style) =>
    new Date(seconds * 1000).toLocaleString("en", { timeZone: "UTC", ...style });

export const moment = (seconds) => text(seconds, { dateStyle: "medium", timeStyle: "short" });

/** The day by which a picture is ordered: the camera's, or that of the file. */
export function day(entry) {
    const seconds = entry?.taken ?? entry?.modified;
    return entry?.name && seconds != null ? text(seconds, { dateStyle: "medium" }) : "";
}
