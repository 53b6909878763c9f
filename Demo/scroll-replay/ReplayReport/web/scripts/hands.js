function show(view) {
  const all = allView(), v = { ...view };
  const clamp = (a, b, least, low, high) => {
    const most = high - low, size = Math.min(Math.max(b - a, least), most);
    const middle = (a + b) / 2;
    const start = Math.max(low, Math.min(middle - size / 2, high - size));
    return [start, start + size];
  };
  const room = state.end * .02;
  [v.t0, v.t1] = clamp(v.t0, v.t1, 500, -room, state.end + room);
  const high = (all.y1 - all.y0) * .05;
  [v.y0, v.y1] = clamp(v.y0, v.y1, 40, all.y0 - high, all.y1 + high);
  state.view = v;
  drawSoon();
}

function zoom(factorT, factorY, time, top) {
  const v = state.view;
  const t = time === undefined ? (v.t0 + v.t1) / 2 : time;
  const y = top === undefined ? (v.y0 + v.y1) / 2 : top;
  show({
    t0: t + (v.t0 - t) * factorT, t1: t + (v.t1 - t) * factorT,
    y0: y + (v.y0 - y) * factorY, y1: y + (v.y1 - y) * factorY,
  });
}

function move(shareT, shareY) {
  const v = state.view, t = (v.t1 - v.t0) * shareT, y = (v.y1 - v.y0) * shareY;
  show({ t0: v.t0 + t, t1: v.t1 + t, y0: v.y0 + y, y1: v.y1 + y });
}

// What lies under a place of a panel: a row, a frame or an input.
function under(panel, x, y) {
  const p = place(panel), { run, trace } = panel;
  if (x < p.x0 || x > p.x1) return null;
  const time = p.time(x), at = stripPlaces(p);
  if (y >= p.y0 && y <= p.y1) {
    const i = rowIndexAt(trace.rows, p.top(y));
    return { time, row: trace.rows.number[i] };
  }
  if (y >= at.frames && y < at.inputs) {
    const frame = run.frames.findLast(f => f.due <= time);
    return { time, frame };
  }
  if (y >= at.inputs && y < at.queue) {
    let near = null;
    for (const input of run.inputs) {
      const away = Math.abs(p.x(input.time) - x);
      if (away < 6 && (!near || away < near.away)) near = { input, away };
    }
    return { time, input: near && near.input };
  }
  return { time };
}

function point(panel, event) {
  const box = panel.base.getBoundingClientRect(), tip = $('tip');
  const found = under(panel, event.clientX - box.left, event.clientY - box.top);
  state.pointed = found;
  drawOver();
  tip.hidden = true;
  if (!found) return;
  if (found.row !== undefined) {
    tip.replaceChildren(storyOf(panel.run, found.row, panel.trace, 12));
  } else if (found.frame) {
    tip.replaceChildren(frameStory(panel.run, found.frame));
  } else if (found.input) {
    const { time, kind, wait } = found.input;
    tip.replaceChildren(element('p', 'story-what',
      `${data.inputs[kind]} at ${ms(time)}, taken ${ms(wait)} later`));
  } else {
    return;
  }
  tip.hidden = false;
  const width = tip.offsetWidth, height = tip.offsetHeight;
  const right = event.clientX + 16 + width < window.innerWidth;
  tip.style.left = Math.max(8, right ? event.clientX + 16 : event.clientX - 16 - width) + 'px';
  const down = event.clientY + 14 + height < window.innerHeight;
  tip.style.top = Math.max(8, down ? event.clientY + 14 : event.clientY - 14 - height) + 'px';
}

function attach(panel) {
  const canvas = panel.base, pointers = new Map();
  let dragged = 0;
  canvas.addEventListener('pointerdown', event => {
    pointers.set(event.pointerId, event);
    canvas.setPointerCapture(event.pointerId);
    dragged = 0;
  });
  canvas.addEventListener('pointermove', event => {
    const before = pointers.get(event.pointerId);
    if (!before) { point(panel, event); return; }
    const v = state.view, p = place(panel);
    const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
    dragged += Math.abs(dx) + Math.abs(dy);
    if (pointers.size === 2) {
      const [other] = [...pointers.values()].filter(e => e.pointerId !== event.pointerId);
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      const box = canvas.getBoundingClientRect(), factor = was / Math.max(1, is);
      zoom(factor, factor, p.time(other.clientX - box.left), p.top(other.clientY - box.top));
    } else if (dragged > 3) {
      document.body.classList.add('dragging');
      $('tip').hidden = true;
      const t = dx / p.sx, y = dy / p.sy;
      show({ t0: v.t0 - t, t1: v.t1 - t, y0: v.y0 - y, y1: v.y1 - y });
    }
    pointers.set(event.pointerId, event);
  });
  const release = event => {
    if (pointers.delete(event.pointerId) && dragged <= 3 && event.type === 'pointerup') {
      const box = canvas.getBoundingClientRect();
      const found = under(panel, event.clientX - box.left, event.clientY - box.top);
      if (found && found.row !== undefined) choose(found.row);
    }
    document.body.classList.remove('dragging');
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => {
    state.pointed = null; $('tip').hidden = true; drawOver();
  });
  canvas.addEventListener('dblclick', () => show(state.home));
  canvas.addEventListener('wheel', event => {
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = canvas.getBoundingClientRect(), p = place(panel);
    const steps = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    const factor = Math.exp(Math.max(-240, Math.min(240, steps)) / 480);
    zoom(event.altKey ? 1 : factor, event.shiftKey ? 1 : factor,
      p.time(event.clientX - box.left), p.top(event.clientY - box.top));
    point(panel, event);
  }, { passive: false });
  canvas.addEventListener('keydown', event => {
    if (press(panel, event)) event.preventDefault();
  });
}

function press(panel, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case 'ArrowLeft': move(-.1, 0); return true;
    case 'ArrowRight': move(.1, 0); return true;
    case 'ArrowUp': move(0, -.1); return true;
    case 'ArrowDown': move(0, .1); return true;
    case '+': case '=': zoom(.7, .7); return true;
    case '-': case '_': zoom(1 / .7, 1 / .7); return true;
    case '0': case 'Home': show(state.home); return true;
    case 'Escape': choose(null); $('tip').hidden = true; return true;
    case 'j': case 'J': step(panel, 1, panel.trace.rows.number); return true;
    case 'k': case 'K': step(panel, -1, panel.trace.rows.number); return true;
    case 'n': case 'N': step(panel, 1, [...panel.run.barsOf.keys()]); return true;
    case 'p': case 'P': step(panel, -1, [...panel.run.barsOf.keys()]); return true;
    default: return false;
  }
}

// Chooses the next or previous of some rows, and brings it in view.
function step(panel, way, numbers) {
  if (!numbers.length) return;
  const rows = panel.trace.rows, v = state.view;
  let next;
  if (state.chosen) {
    const row = state.chosen.row;
    next = way > 0 ? numbers.find(n => n > row) : numbers.findLast(n => n < row);
  } else {
    const first = rows.number[Math.min(rowIndexAt(rows, v.y0), rows.number.length - 1)];
    next = numbers.find(n => n >= first);
  }
  if (next === undefined) return;
  const i = rows.place.get(next), top = rows.top[i], bottom = top + rows.height[i];
  const shift = top < v.y0 ? top - v.y0 : bottom > v.y1 ? bottom - v.y1 : 0;
  const bar = (panel.run.barsOf.get(next) || [])[0];
  const away = bar && bar.asked > v.t1 ? bar.end - v.t1 : bar && bar.end < v.t0
    ? bar.asked - v.t0 : 0;
  if (shift || away) {
    show({ t0: v.t0 + away, t1: v.t1 + away, y0: v.y0 + shift, y1: v.y1 + shift });
  }
  choose(next);
}

// MARK: what is asked of the page

const dark = window.matchMedia('(prefers-color-scheme: dark)');
let theme = null;
function paint(name) {
  document.documentElement.dataset.theme = name;
  $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
  $('theme').setAttribute('aria-pressed', String(name === 'dark'));
  readColours();
  if (state.trace) draw();
}
const preferred = () => theme || (dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => paint(preferred()));
$('theme').addEventListener('click', () => {
  theme = preferred() === 'dark' ? 'light' : 'dark';
  paint(theme);
});
window.addEventListener('beforeprint', () => {
  state.isPrinting = true; paint('light'); layOut();
});
window.addEventListener('afterprint', () => {
  state.isPrinting = false; paint(preferred()); layOut();
});
$('in').addEventListener('click', () => zoom(.7, .7));
$('out').addEventListener('click', () => zoom(1 / .7, 1 / .7));
$('reset').addEventListener('click', () => show(state.home));
$('all').addEventListener('click', () => show(allView()));
if ($('trace')) {
  const count = data.traces.length;
  $('trace').addEventListener('change', event => select(Number(event.target.value)));
  $('previous').addEventListener('click', () => select((state.index + count - 1) % count));
  $('next').addEventListener('click', () => select((state.index + 1) % count));
}
new ResizeObserver(() => { if (state.trace) layOut(); }).observe($('panels'));
window.addEventListener('resize', () => { if (state.trace) layOut(); });
paint(preferred());
if (data.traces.length) select(0);
document.documentElement.dataset.ready = 'yes';
