function stripPlaces(p) {
  const frames = p.y1 + strips.gap, inputs = frames + strips.frames + strips.gap;
  const queue = inputs + strips.inputs + strips.gap;
  return { frames, inputs, queue, axis: queue + strips.queue };
}

function drawStrips(c, panel, p) {
  const { run } = panel, at = stripPlaces(p), view = state.view;
  c.fillStyle = colours.muted; c.textAlign = 'right'; c.font = font(10.5);
  c.fillText('frames', gutter - 4, at.frames + strips.frames / 2);
  c.fillText('input', gutter - 4, at.inputs + strips.inputs / 2);
  const most = run.frames.reduce((most, f) => Math.max(most, f.queued), 0);
  c.fillText('queue', gutter - 4, at.queue + 7);
  c.fillText('≤ ' + most, gutter - 4, at.queue + 19);
  c.save();
  c.beginPath(); c.rect(p.x0, p.y1, p.x1 - p.x0, below); c.clip();
  drawFrames(c, run, p, at.frames, view);
  drawInputs(c, run, p, at.inputs, view);
  drawQueue(c, run, p, at.queue, most);
  c.restore();
  drawAxis(c, p, at.axis, view);
}

function drawFrames(c, run, p, y, view) {
  const period = 1e6 / run.hz, height = strips.frames, width = period * p.sx;
  const gap = width > 4 ? 1 : 0;
  let previous = null;
  c.fillStyle = colours.frame;
  for (const f of run.frames) {
    if (f.due + period < view.t0 || f.due > view.t1) continue;
    c.fillRect(p.x(f.due), y + 2, Math.max(1, width - gap) + (gap ? 0 : .5), height - 4);
  }
  for (const f of run.frames) {
    const dropped = previous ? f.number - previous.number - 1 : f.number;
    previous = f;
    if (f.due < view.t0 - 20 * period || f.due > view.t1 + 20 * period) continue;
    for (let i = 1; i <= dropped; i++) {
      const x = p.x(f.due - i * period), size = Math.min(4, Math.max(1.5, width / 2 - 1));
      const middle = x + width / 2;
      c.strokeStyle = colours.late; c.lineWidth = 1.25;
      c.beginPath();
      c.moveTo(middle - size, y + height / 2 - size); c.lineTo(middle + size, y + height / 2 + size);
      c.moveTo(middle - size, y + height / 2 + size); c.lineTo(middle + size, y + height / 2 - size);
      c.stroke();
    }
    if (f.spare < 0) {
      c.fillStyle = colours.late;
      c.fillRect(p.x(f.due), y, Math.max(2, width - gap), height);
    }
  }
}

function drawInputs(c, run, p, y, view) {
  const middle = y + strips.inputs / 2;
  for (const input of run.inputs) {
    if (input.time < view.t0 || input.time > view.t1) continue;
    const x = p.x(input.time);
    c.fillStyle = colours.muted; c.strokeStyle = colours.muted; c.lineWidth = 1.25;
    c.beginPath();
    switch (input.kind) {
      case 0: c.moveTo(x - 4, y + 1); c.lineTo(x + 4, y + 1); c.lineTo(x, y + 10); c.fill(); break;
      case 2: c.moveTo(x - 4, y + 10); c.lineTo(x + 4, y + 10); c.lineTo(x, y + 1); c.fill(); break;
      case 3: c.moveTo(x - 4, y + 2); c.lineTo(x + 4, y + 10);
        c.moveTo(x + 4, y + 2); c.lineTo(x - 4, y + 10); c.stroke(); break;
      case 4: c.arc(x, middle, 3, 0, 7); c.stroke(); break;
      case 5: c.rect(x - 3, middle - 3, 6, 6); c.stroke(); break;
      default: c.fillRect(x - .5, middle - 2.5, 1, 5);
    }
    if (input.wait > 4000) {
      c.fillStyle = colours.late;
      c.fillRect(x, middle + 4, Math.max(2, input.wait * p.sx), 2);
    }
  }
}

function drawQueue(c, run, p, y, most) {
  const floor = y + strips.queue - 2, scale = (strips.queue - 4) / Math.max(1, most);
  c.fillStyle = colours.queue;
  c.beginPath(); c.moveTo(p.x0, floor);
  let height = 0;
  for (const f of run.frames) {
    const x = p.x(f.due);
    c.lineTo(x, floor - height);
    height = f.queued * scale;
    c.lineTo(x, floor - height);
  }
  c.lineTo(p.x(state.end), floor - height); c.lineTo(p.x(state.end), floor);
  c.fill();
  c.fillStyle = colours.line; c.fillRect(p.x0, floor, p.x1 - p.x0, 1);
}

function drawAxis(c, p, y, view) {
  c.font = font(11); c.fillStyle = colours.muted; c.textAlign = 'center';
  const step = niceStep((view.t1 - view.t0) / Math.max(2, (p.x1 - p.x0) / 80));
  for (let k = Math.ceil(view.t0 / step); k * step <= view.t1; k++) {
    const x = p.x(k * step), text = timeLabel(k * step, step);
    const half = c.measureText(text).width / 2;
    c.fillRect(x - .5, y, 1, 4);
    c.fillText(text, Math.max(p.x0 + half - 4, Math.min(x, p.x1 - half + 8)), y + 11);
  }
}
