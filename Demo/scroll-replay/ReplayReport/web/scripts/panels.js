const state = {
  index: 0, trace: null, view: null, home: null, end: 1, typicalHeight: 0, panels: [],
  chosen: null, pointed: null,
};

function allView() {
  const rows = state.trace.rows, last = rows.top.length - 1;
  if (last < 0) return { ...state.home, t1: state.end };
  const y0 = Math.min(state.home.y0, rows.top[0]);
  const y1 = Math.max(state.home.y1, rows.top[last] + rows.height[last]);
  return { t0: 0, t1: state.end, y0, y1 };
}

function select(index) {
  state.index = index;
  const trace = state.trace = traceAt(index);
  state.home = { t0: 0, t1: trace.view[0], y0: trace.view[1], y1: trace.view[2] };
  state.end = trace.end;
  state.view = { ...state.home };
  state.chosen = state.pointed = null;
  $('story').hidden = true;
  $('tip').hidden = true;
  const heights = [...trace.rows.height].sort((a, b) => a - b);
  state.typicalHeight = heights[heights.length >> 1] || 1;
  const most = String(trace.rows.number[trace.rows.number.length - 1] || 0);
  gutter = Math.max(46, most.length * 7 + 14);
  $('panels').replaceChildren();
  state.panels = trace.runs.map((run, i) => makePanel(run, trace, i));
  $('key-failed').hidden = !trace.runs.some(run => run.bars.some(bar => bar.outcome === 1));
  if ($('trace')) $('trace').value = String(index);
  layOut();
}

function makePanel(run, trace, i) {
  const section = element('section', 'panel');
  const title = element('h2', '', run.label);
  title.id = 'panel-' + i;
  section.setAttribute('aria-labelledby', title.id);
  const plot = element('div', 'plot');
  const base = element('canvas'), over = element('canvas');
  base.tabIndex = 0;
  base.setAttribute('role', 'application');
  base.setAttribute('aria-roledescription', 'picture of a replay');
  base.setAttribute('aria-label',
    `${trace.name}, ${run.label}: rows over time. ${run.numbers}`);
  base.setAttribute('aria-describedby', 'help');
  over.setAttribute('aria-hidden', 'true');
  plot.append(base, over);
  section.append(title, element('p', 'numbers', run.numbers), plot);
  $('panels').append(section);
  const panel = {
    run, trace, base, over, context: base.getContext('2d'), overlay: over.getContext('2d'),
    width: 0, height: 0, plotHeight: 0, ratio: 1,
  };
  attach(panel);
  return panel;
}

function layOut() {
  const ratio = Math.max(window.devicePixelRatio || 1, state.isPrinting ? 2 : 1);
  const room = window.innerHeight - 250, count = state.panels.length || 1;
  const plotHeight = Math.round(Math.max(210, Math.min(420, room / Math.min(count, 2) - below)));
  for (const panel of state.panels) {
    panel.width = Math.max(240, panel.base.parentElement.clientWidth);
    panel.plotHeight = plotHeight;
    panel.height = head + plotHeight + below;
    panel.ratio = ratio;
    for (const canvas of [panel.base, panel.over]) {
      canvas.width = Math.round(panel.width * ratio);
      canvas.height = Math.round(panel.height * ratio);
      canvas.style.height = panel.height + 'px';
    }
  }
  draw();
}

function draw() {
  for (const panel of state.panels) drawRun(panel);
  const { t0, t1, y0, y1 } = state.view;
  $('panels').dataset.view = [t0, t1, y0, y1].map(Math.round).join(' ');
  drawOver();
}

let isDue = false;
function drawSoon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; draw(); });
}

// What follows the pointer and the keys, in all panels alike.
function drawOver() {
  for (const panel of state.panels) {
    const c = panel.overlay, p = place(panel), rows = panel.trace.rows;
    c.setTransform(panel.ratio, 0, 0, panel.ratio, 0, 0);
    c.clearRect(0, 0, panel.width, panel.height);
    for (const mark of [state.chosen, state.pointed]) {
      if (!mark) continue;
      const i = rows.place.get(mark.row);
      if (i !== undefined) {
        const y = p.y(rows.top[i]), height = Math.max(2, rows.height[i] * p.sy);
        const top = Math.max(p.y0, y), bottom = Math.min(p.y1, y + height);
        if (bottom > top) {
          c.globalAlpha = mark === state.chosen ? 1 : .55;
          c.strokeStyle = colours.hover; c.lineWidth = mark === state.chosen ? 1.5 : 1;
          c.strokeRect(p.x0 + .5, top + .5, p.x1 - p.x0 - 1, bottom - top - 1);
          c.globalAlpha = 1;
        }
      }
      if (mark === state.pointed && mark.time !== undefined) {
        const x = p.x(mark.time);
        if (x >= p.x0 && x <= p.x1) {
          c.fillStyle = colours.hover;
          c.fillRect(x - .5, p.y0, 1, stripPlaces(p).axis - p.y0);
          const text = ms(mark.time);
          c.font = font(11); c.textBaseline = 'middle';
          const width = c.measureText(text).width;
          const left = Math.max(p.x0, Math.min(x - width / 2, p.x1 - width));
          c.fillStyle = colours.bg;
          c.fillRect(left - 22, stripPlaces(p).axis + 4, width + 44, 15);
          c.fillStyle = colours.ink; c.textAlign = 'left';
          c.fillText(text, left, stripPlaces(p).axis + 11);
        }
      }
    }
  }
}

// Shows the whole story of a row under the panels, for each of the runs.
function choose(row) {
  const box = $('story');
  state.chosen = row === null ? null : { row };
  box.hidden = row === null;
  box.replaceChildren();
  if (row !== null) {
    const all = element('div', 'stories');
    for (const panel of state.panels) {
      const one = element('div');
      one.append(storyOf(panel.run, row, state.trace, Infinity));
      all.append(one);
    }
    box.append(all);
  }
  drawOver();
}
