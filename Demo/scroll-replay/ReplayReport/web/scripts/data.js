const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const codes = new Int8Array(128).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((c, i) => {
  codes[c.charCodeAt(0)] = i;
});

function unpack(text) {
  let i = 0;
  const next = () => {
    let n = 0, scale = 1, digit;
    do {
      digit = codes[text.charCodeAt(i++)];
      n += (digit & 31) * scale;
      scale *= 32;
    } while (digit & 32);
    const half = Math.floor(n / 2);
    return n % 2 ? -half : half;
  };
  return { next, more: () => i < text.length };
}

function unpackRows(text) {
  const from = unpack(text), number = [], top = [], height = [], place = new Map();
  const segments = from.next();
  let row = 0;
  for (let s = 0; s < segments; s++) {
    row += from.next();
    const count = from.next();
    let bottom = from.next(), h = 0;
    for (let i = 0; i < count; i++, row++) {
      bottom += from.next();
      h += from.next();
      place.set(row, number.length);
      number.push(row); top.push(bottom); height.push(h);
      bottom += h;
    }
  }
  return { number, top, height, place };
}

function unpackRun(run) {
  const out = {
    label: run.label, numbers: run.numbers, hz: run.hz, frames: [], inputs: [], targets: [],
    slices: [], bars: [], blanks: [], landings: [], warm: new Set(), stories: new Map(),
    barsOf: new Map(), slicesOf: new Map(), blanksOf: new Map(),
  };
  let from = unpack(run.frames), number = 0, due = 0, offset = 0, first = 0, queued = 0;
  while (from.more()) {
    number += from.next(); due += from.next();
    const start = due + from.next(), end = start + from.next(), spare = from.next();
    offset += from.next(); first += from.next();
    const count = from.next();
    queued += from.next();
    out.frames.push({ number, due, start, end, spare, offset, first, count, queued, missing: 0 });
  }
  from = unpack(run.inputs);
  for (let time = 0; from.more();) {
    time += from.next();
    out.inputs.push({ time, kind: from.next(), wait: from.next(), took: from.next() });
  }
  from = unpack(run.targets);
  for (let time = 0; from.more();) {
    time += from.next();
    out.targets.push({ time, offset: from.next() });
  }
  const add = (map, row, value) => {
    const list = map.get(row);
    if (list) list.push(value); else map.set(row, [value]);
  };
  from = unpack(run.slices);
  for (let row = 0, end = 0; from.more();) {
    row += from.next();
    const start = end + from.next();
    end = start + from.next();
    const slice = { row, start, end };
    out.slices.push(slice); add(out.slicesOf, row, slice);
  }
  from = unpack(run.bars);
  for (let row = 0, asked = 0; from.more();) {
    row += from.next(); asked += from.next();
    const wait = from.next(), end = asked + from.next(), code = from.next();
    const bar = {
      row, asked, begun: wait < 0 ? null : asked + wait, end,
      outcome: code >> 1, useful: (code & 1) === 1, fetch: null,
    };
    if (from.next()) {
      const start = asked + from.next();
      bar.fetch = [start, start + from.next()];
    }
    out.bars.push(bar); add(out.barsOf, row, bar);
  }
  from = unpack(run.blanks);
  for (let row = 0, start = 0; from.more();) {
    row += from.next(); start += from.next();
    const count = from.next(), last = out.frames[start + count];
    for (let i = start; i < start + count; i++) out.frames[i].missing++;
    const lastFrame = out.frames[start + count - 1];
    const blank = {
      row, from: out.frames[start].due,
      to: last ? last.due : lastFrame.due + 1e6 / run.hz, count,
    };
    out.blanks.push(blank); add(out.blanksOf, row, blank);
  }
  from = unpack(run.landings);
  while (from.more()) {
    out.landings.push({
      cause: from.next(), origin: from.next(), rest: from.next(), complete: from.next(),
    });
  }
  from = unpack(run.warm);
  for (let row = 0; from.more();) out.warm.add(row += from.next());
  out.storyText = run.stories;
  return out;
}

function unpackStories(run) {
  const from = unpack(run.storyText);
  for (let row = 0; from.more();) {
    row += from.next();
    const lines = [];
    let time = 0;
    for (let count = from.next(); count > 0; count--) {
      const code = from.next(), kind = data.kinds[code >> 2];
      time += from.next();
      const facts = code & 2 && data.texts[from.next()];
      const reason = code & 1 && data.texts[from.next()];
      lines.push({ kind, time, reason, text: [kind, facts, reason].filter(Boolean).join(': ') });
    }
    run.stories.set(row, lines);
  }
  run.storyText = '';
}

const unpacked = new Map();
function traceAt(index) {
  if (!unpacked.has(index)) {
    const trace = data.traces[index];
    unpacked.set(index, {
      name: trace.name, end: trace.end, viewport: trace.viewport, rowCount: trace.rowCount,
      view: trace.view, rows: unpackRows(trace.rows), runs: trace.runs.map(unpackRun),
    });
  }
  return unpacked.get(index);
}
