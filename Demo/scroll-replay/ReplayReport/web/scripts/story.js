const ms = time => {
  const value = time / 1000;
  return (Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10) + ' ms';
};

// When a row was on screen: [from, to], and on how many frames.
function onScreen(run, row) {
  const spans = [];
  let count = 0, open = null;
  for (const frame of run.frames) {
    const isOn = row >= frame.first && row < frame.first + frame.count;
    if (isOn) count++;
    if (isOn && !open) spans.push(open = [frame.due, frame.due]);
    if (open) open[1] = isOn ? frame.due + 1e6 / run.hz : frame.due;
    if (!isOn) open = null;
  }
  return { spans, count };
}

function whatBecame(run, row, lines) {
  const bars = run.barsOf.get(row) || [];
  const loaded = bars.find(bar => bar.outcome === 0);
  const why = (...kinds) => {
    const line = [...lines].reverse().find(line => kinds.includes(line.kind));
    return line && line.reason ? ' (' + line.reason + ')' : '';
  };
  if (run.warm.has(row)) {
    return lines.length && lines[0].kind === 'failed'
      ? 'Failed before the trace began' + why('failed') + '.' : 'There before the trace began.';
  }
  if (loaded) {
    const cost = (run.slicesOf.get(row) || []).reduce((sum, s) => sum + s.end - s.start, 0);
    return `Loaded at ${ms(loaded.end)}, ${ms(loaded.end - loaded.asked)} after it was asked `
      + `for, with ${ms(cost)} of work` + (loaded.useful ? '.' : '; wasted: hardly seen.');
  }
  const last = bars[bars.length - 1];
  if (!last) return 'Never loaded: the rule didn’t ask for it.';
  if (last.outcome === 1) return 'Failed' + why('failed') + '.';
  if (last.outcome === 2) {
    return `Never loaded: taken back at ${ms(last.end)}`
      + why('dropped', 'cancelled', 'released') + '.';
  }
  return 'Never loaded: still waiting when the trace was over.';
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// A row's story as elements; `limit` lines at most.
function storyOf(run, row, trace, limit) {
  if (run.storyText) unpackStories(run);
  const part = document.createDocumentFragment();
  const lines = run.stories.get(row) || [];
  const place = trace.rows.place.get(row);
  const { spans, count } = onScreen(run, row);
  const blank = (run.blanksOf.get(row) || []).reduce((sum, span) => sum + span.count, 0);
  part.append(element('p', 'story-title',
    `${run.label}: row ${row}, ${trace.rows.height[place] / 10} px`));
  const shown = spans.slice(0, 3).map(s => `${ms(s[0])} to ${ms(s[1])}`).join(', ')
    + (spans.length > 3 ? ' and more' : '');
  const seen = spans.length
    ? `On screen ${shown}: ${count} frames` + (blank ? `, blank in ${blank}.` : '.')
    : 'Never on screen.';
  part.append(element('p', 'story-what', whatBecame(run, row, lines) + ' ' + seen));
  const list = element('ol', 'story-lines');
  for (const line of lines.slice(0, limit)) {
    const item = element('li');
    item.append(element('time', '', ms(line.time)));
    item.append(element('span', '', line.text));
    list.append(item);
  }
  if (lines.length > limit) {
    const item = element('li');
    item.append(element('time', '', '…'),
      element('span', '', `${lines.length - limit} more; click to see all`));
    list.append(item);
  }
  if (lines.length) part.append(list);
  return part;
}

function frameStory(run, frame) {
  const part = document.createDocumentFragment();
  const late = frame.spare < 0 ? `late by ${ms(-frame.spare)}` : `${ms(frame.spare)} to spare`;
  part.append(element('p', 'story-title', `${run.label}: frame ${frame.number}`));
  part.append(element('p', 'story-what',
    `Due at ${ms(frame.due)}, begun ${ms(frame.start - frame.due)} after, took `
    + `${ms(frame.end - frame.start)}; ${late}. Rows ${frame.first} to `
    + `${frame.first + frame.count - 1} on screen, ${frame.missing} of them blank; `
    + `${frame.queued} in the queue.`));
  return part;
}
