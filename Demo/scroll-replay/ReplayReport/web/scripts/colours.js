let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['bg', 'soft', 'ink', 'muted', 'line', 'grid', 'band', 'band-edge', 'seen',
    'seen-pale', 'wasted', 'wasted-pale', 'back', 'back-pale', 'blank', 'blank-pale', 'target',
    'complete', 'complete-ink', 'frame', 'late', 'queue', 'hover']) {
    colours[name] = style.getPropertyValue('--' + name).trim();
  }
}

// A pattern that repeats every `size` px whatever the screen's density.
function pattern(context, ratio, size, draw) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(size * ratio);
  const inner = tile.getContext('2d');
  inner.scale(tile.width / size, tile.height / size);
  draw(inner, size);
  const made = context.createPattern(tile, 'repeat');
  return made;
}

function hatch(context, ratio) {
  return pattern(context, ratio, 6, (inner, size) => {
    inner.strokeStyle = colours.wasted;
    inner.lineWidth = 1.1;
    inner.beginPath();
    for (const x of [-size, 0, size]) {
      inner.moveTo(x - 1, size + 1); inner.lineTo(x + size + 1, -1);
    }
    inner.stroke();
  });
}

function dots(context, ratio) {
  return pattern(context, ratio, 5, (inner) => {
    inner.fillStyle = colours['blank-pale'];
    inner.fillRect(0, 0, 5, 5);
    inner.fillStyle = colours.blank;
    inner.beginPath(); inner.arc(2.5, 2.5, 1.05, 0, 7); inner.fill();
  });
}

// The smallest of 1, 2 and 5 times a power of ten that isn't less.
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5]) if (factor * power >= least) return factor * power;
  return 10 * power;
}

function timeLabel(time, step) {
  if (step >= 100000) {
    const digits = step % 1000000 === 0 ? 0 : step % 100000 === 0 ? 1 : 2;
    return time === 0 ? '0' : (time / 1e6).toFixed(digits) + ' s';
  }
  const digits = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
  return (time / 1000).toFixed(digits) + ' ms';
}

// Labels that would cover one that is there already are left out.
function labelPlaces() {
  const taken = [];
  return (x, y, width, height) => {
    const box = [x - 3, y, x + width + 3, y + height];
    const isFree = taken.every(
      t => box[2] <= t[0] || box[0] >= t[2] || box[3] <= t[1] || box[1] >= t[3]);
    if (isFree) taken.push(box);
    return isFree;
  };
}
