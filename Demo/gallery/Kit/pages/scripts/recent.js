/** A map that removes the least recently used entries. */
export class Recent {
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
