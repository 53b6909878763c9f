const font = (size, weight) => `${weight || ''} ${size}px system-ui, "DejaVu Sans", sans-serif`;
// Places in a panel of CSS px: the plot, then the strips under it.
let gutter = 46;
const edge = 10, head = 18, axis = 20;
const strips = { frames: 12, inputs: 12, queue: 26, gap: 5 };
const below = axis + strips.frames + strips.inputs + strips.queue + 3 * strips.gap + 2;

function place(panel) {
  const width = panel.width, plot = panel.plotHeight, view = state.view;
  const x0 = gutter, x1 = width - edge, y0 = head, y1 = head + plot;
  const sx = (x1 - x0) / (view.t1 - view.t0), sy = (y1 - y0) / (view.y1 - view.y0);
  return {
    x0, x1, y0, y1, sx, sy,
    x: time => x0 + (time - view.t0) * sx, y: top => y0 + (top - view.y0) * sy,
    time: x => view.t0 + (x - x0) / sx, top: y => view.y0 + (y - y0) / sy,
  };
}

// The first row that ends below a place.
function rowIndexAt(rows, top) {
  let low = 0, high = rows.number.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.top[middle] + rows.height[middle] <= top) low = middle + 1; else high = middle;
  }
  return low;
}

function drawRun(panel) {
  const { context: c, run, trace } = panel, p = place(panel), view = state.view;
  c.setTransform(panel.ratio, 0, 0, panel.ratio, 0, 0);
  c.clearRect(0, 0, panel.width, panel.height);
  c.font = font(11);
  c.textBaseline = 'middle';
  c.save();
  c.beginPath(); c.rect(p.x0, p.y0, p.x1 - p.x0, p.y1 - p.y0); c.clip();
  drawBand(c, run, trace, p);
  drawRows(c, trace, p, view);
  const hidden = drawBars(c, panel, p, view);
  drawTargets(c, run, trace, p);
  c.restore();
  drawRowNumbers(c, trace, p, view);
  drawLines(c, run, p, hidden);
  drawStrips(c, panel, p);
}

// The way of the viewport; where frames were dropped it stands still, as the eye saw it.
function bandPoints(run, p) {
  const points = [], period = 1e6 / run.hz;
  run.frames.forEach((f, i) => {
    const before = run.frames[i - 1];
    if (before && f.number > before.number + 1) {
      points.push([p.x(f.due - period), before.offset]);
    }
    points.push([p.x(f.due), f.offset]);
  });
  const last = run.frames[run.frames.length - 1];
  if (last) points.push([p.x(last.due + period), last.offset]);
  return points;
}

function bandPath(c, run, trace, p) {
  const points = bandPoints(run, p);
  c.beginPath();
  for (const [x, offset] of points) c.lineTo(x, p.y(offset));
  for (const [x, offset] of points.reverse()) c.lineTo(x, p.y(offset + trace.viewport));
  c.closePath();
}

function drawBand(c, run, trace, p) {
  bandPath(c, run, trace, p);
  c.fillStyle = colours.band; c.fill();
  c.save();
  c.clip();
  c.fillStyle = dots(c, 1);
  for (const span of run.blanks) {
    const i = trace.rows.place.get(span.row), x = p.x(span.from);
    const width = Math.max(2, p.x(span.to) - x);
    if (x > p.x1 || x + width < p.x0) continue;
    const y = p.y(trace.rows.top[i]), height = Math.max(2, trace.rows.height[i] * p.sy);
    if (y < p.y1 && y + height > p.y0) c.fillRect(x, y, width, height);
  }
  c.restore();
  bandPath(c, run, trace, p);
  c.strokeStyle = colours['band-edge']; c.lineWidth = 1; c.stroke();
}

function drawRows(c, trace, p, view) {
  const rows = trace.rows;
  if (state.typicalHeight * p.sy < 5) return;
  c.fillStyle = colours.line;
  c.globalAlpha = .55;
  for (let i = rowIndexAt(rows, view.y0); i < rows.top.length && rows.top[i] < view.y1; i++) {
    c.fillRect(p.x0, Math.round(p.y(rows.top[i])), p.x1 - p.x0, .75);
  }
  c.globalAlpha = 1;
}

// Draws the bars and says how many lie above and below.
function drawBars(c, panel, p, view) {
  const { run, trace } = panel, rows = trace.rows;
  const hidden = { above: 0, below: 0 };
  const shown = [];
  for (const bar of run.bars) {
    const i = rows.place.get(bar.row), top = rows.top[i], bottom = top + rows.height[i];
    const isInTime = bar.end >= view.t0 && bar.asked <= view.t1;
    if (bottom <= view.y0) { if (isInTime) hidden.above++; continue; }
    if (top >= view.y1) { if (isInTime) hidden.below++; continue; }
    if (!isInTime) continue;
    let y = p.y(top), height = rows.height[i] * p.sy;
    if (height > 5) height -= 1;
    const isThin = height < 2;
    if (isThin) { y = Math.floor((y + height / 2) / 2) * 2; height = 2; }
    shown.push({ bar, y, height, isThin });
  }
  const hatching = hatch(c, 1);
  const span = (from, to, y, height, least) => {
    const x = p.x(from);
    c.fillRect(x, y, Math.max(least, p.x(to) - x), height);
  };
  const kindOf = bar => bar.outcome === 2 || bar.outcome === 3 && !bar.begun ? 'back'
    : bar.outcome === 1 || !bar.useful ? 'wasted' : 'seen';
  for (const kind of ['back', 'wasted', 'seen']) {
    // Thin rows share lines of 2 px, in which what overlaps is drawn once.
    const lines = new Map();
    for (const { bar, y, height, isThin } of shown) {
      if (kindOf(bar) !== kind) continue;
      const waitEnd = bar.begun === null ? bar.end : bar.begun;
      if (isThin) {
        const line = lines.get(y);
        if (line) line.push([bar.asked, waitEnd]); else lines.set(y, [[bar.asked, waitEnd]]);
        continue;
      }
      c.fillStyle = colours[kind + '-pale'];
      span(bar.asked, waitEnd, y, height, 1);
      if (bar.fetch) {
        // Being fetched: a line through the middle of the wait.
        c.fillStyle = colours[kind];
        c.globalAlpha = .55;
        span(bar.fetch[0], bar.fetch[1], y + height / 2 - .75, Math.min(1.5, height), 1);
        c.globalAlpha = 1;
      }
      if (kind === 'wasted' && height >= 4) {
        c.globalAlpha = .5;
        c.fillStyle = hatching;
        span(bar.asked, waitEnd, y, height, 1);
        c.globalAlpha = 1;
      }
      if (kind === 'back' && height >= 4) {
        c.strokeStyle = colours.back;
        c.lineWidth = .75;
        c.setLineDash([1.5, 2]);
        const x = p.x(bar.asked);
        c.strokeRect(x + .5, y + .5, Math.max(1, p.x(bar.end) - x - 1), height - 1);
        c.setLineDash([]);
      }
    }
    c.fillStyle = colours[kind + '-pale'];
    for (const [y, times] of lines) {
      times.sort((a, b) => a[0] - b[0]);
      let [from, to] = times[0];
      for (const [start, end] of times) {
        if (start > to) { span(from, to, y, 2, 1); [from, to] = [start, end]; }
        to = Math.max(to, end);
      }
      span(from, to, y, 2, 1);
    }
  }
  for (const { bar, y, height } of shown) {
    if (bar.begun === null) continue;
    const kind = kindOf(bar);
    for (const slice of run.slicesOf.get(bar.row) || []) {
      if (slice.start < bar.begun || slice.start > bar.end) continue;
      c.fillStyle = colours[kind];
      span(slice.start, slice.end, y, height, 2);
    }
    if (kind === 'wasted' && height > 2) {
      // A notch at the end: not by colour alone.
      const x = Math.max(p.x(bar.end), p.x(bar.begun) + 2);
      const size = Math.min(5, height);
      c.fillStyle = colours.wasted;
      c.beginPath();
      c.moveTo(x, y); c.lineTo(x + size, y + size / 2); c.lineTo(x, y + size); c.fill();
    }
    if (bar.outcome === 1) {
      c.strokeStyle = colours.ink; c.lineWidth = 1.5;
      const x = p.x(bar.end) + 7, m = y + height / 2;
      c.beginPath(); c.moveTo(x - 3, m - 3); c.lineTo(x + 3, m + 3);
      c.moveTo(x - 3, m + 3); c.lineTo(x + 3, m - 3); c.stroke();
    }
  }
  return hidden;
}

function drawTargets(c, run, trace, p) {
  c.strokeStyle = colours.target; c.lineWidth = 1.5; c.setLineDash([6, 4]);
  run.targets.forEach(({ time, offset }, i) => {
    const next = run.targets[i + 1], landing = run.landings.find(l => l.rest > time);
    const touch = run.inputs.find(input => input.time > time && input.kind === 0);
    const end = Math.min(next ? next.time : Infinity, landing ? landing.rest : state.end,
      touch ? touch.time : Infinity);
    for (const y of [offset, offset + trace.viewport]) {
      c.beginPath(); c.moveTo(p.x(time), p.y(y)); c.lineTo(p.x(end), p.y(y)); c.stroke();
    }
  });
  c.setLineDash([]);
}

function drawRowNumbers(c, trace, p, view) {
  const rows = trace.rows;
  c.fillStyle = colours.muted; c.textAlign = 'right';
  let last = -Infinity;
  for (let i = rowIndexAt(rows, view.y0); i < rows.top.length && rows.top[i] < view.y1; i++) {
    const y = Math.max(p.y0 + 6, p.y(rows.top[i]) + Math.min(8, rows.height[i] * p.sy / 2));
    if (y < last + 15 || y > p.y1 - 4) continue;
    last = y;
    c.fillText(String(rows.number[i]), gutter - 6, y);
    c.fillRect(gutter - 3, y, 3, 1);
  }
  c.strokeStyle = colours.line; c.lineWidth = 1;
  c.strokeRect(p.x0 - .5, p.y0 - .5, p.x1 - p.x0 + 1, p.y1 - p.y0 + 1);
}

// Lines from top to bottom: fingers up, landings; with what they are.
function drawLines(c, run, p, hidden) {
  const isFree = labelPlaces(), bottom = p.y1 + below - axis;
  const line = (time, colour, width, dash) => {
    const x = p.x(time);
    if (x < p.x0 || x > p.x1) return null;
    c.strokeStyle = colour; c.lineWidth = width; c.setLineDash(dash);
    c.beginPath(); c.moveTo(x, p.y0); c.lineTo(x, bottom); c.stroke();
    c.setLineDash([]);
    return x;
  };
  const label = (x, y, text, colour) => {
    const width = c.measureText(text).width;
    const left = x + 4 + width > p.x1 - 2 ? x - 4 - width : x + 4;
    if (left < p.x0 || !isFree(left, y - 7, width, 14)) return false;
    c.strokeStyle = colours.bg; c.lineWidth = 3; c.lineJoin = 'round';
    c.strokeText(text, left, y);
    c.fillStyle = colour; c.fillText(text, left, y);
    return true;
  };
  c.textAlign = 'left';
  for (const input of run.inputs) {
    if (input.kind !== 2 && input.kind !== 3) continue;
    const x = line(input.time, colours.muted, 1.25, [3, 3]);
    if (x === null) continue;
    const y = p.y0 - 9, text = 'finger up', width = c.measureText(text).width;
    const left = Math.max(p.x0, Math.min(x - 1, p.x1 - width));
    if (!isFree(left, y - 7, width, 14)) continue;
    c.fillStyle = colours.muted; c.fillText(text, left, y);
  }
  const many = run.landings.length > 3 || p.x1 - p.x0 < 420;
  const labels = [];
  for (const landing of run.landings) {
    if (landing.cause === 0 && landing.complete <= 0) continue;
    const isFull = landing.complete >= 0;
    const time = isFull ? Math.max(landing.complete, landing.origin) : landing.rest;
    const x = line(time, isFull ? colours.complete : colours.late, 2, isFull ? [] : [2, 3]);
    if (x === null) continue;
    const wait = Math.max(0, landing.complete - landing.origin);
    const text = !isFull ? 'never complete'
      : many ? `+${ms(wait)}` : `landing complete ${ms(wait)} ${data.causes[landing.cause]}`;
    labels.push([x, text, isFull ? colours['complete-ink'] : colours.late]);
  }
  for (const [x, text, colour] of labels) {
    [9, 24, 39].some(above => label(x, p.y1 - above, text, colour));
  }
  c.textAlign = 'right'; c.fillStyle = colours.muted;
  const edgeLabel = (count, text, y) => {
    if (!count) return;
    const words = `${text} ${count} ${count === 1 ? 'load' : 'loads'} out of view`;
    const width = c.measureText(words).width;
    if (!isFree(p.x1 - width - 4, y - 7, width, 14)) return;
    c.strokeStyle = colours.bg; c.lineWidth = 3;
    c.strokeText(words, p.x1 - 4, y);
    c.fillStyle = colours.muted; c.fillText(words, p.x1 - 4, y);
  };
  edgeLabel(hidden.above, '▲', p.y0 + 9);
  edgeLabel(hidden.below, '▼', p.y1 - 9);
}
