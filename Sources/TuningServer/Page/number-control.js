// A number: a slider for the hand and a field that takes all of the range.

import { element } from './element.js';
import { on, store } from './store.js';
import { number, title, typed, unit, words } from './wording.js';

/**
 * How the slider runs: `{from, to, position(value), value(position), step}`, in the numbers that
 * are shown; ranges over more than a decade run in ratios.
 */
function scale({ minimum, maximum, display: { factor, from, to, step } }) {
  if (minimum > 0 && maximum / minimum > 20 && maximum > 100) {
    const decimals = (value) => Number(value.toPrecision(value < 10000 ? 3 : 4));
    return {
      from: 0, to: 1000, step: 1, isRatio: true,
      position: (value) => 1000 * Math.log(value / minimum) / Math.log(maximum / minimum),
      value: (at) => decimals(minimum * (maximum / minimum) ** (at / 1000)),
    };
  }
  return {
    from: from * factor, to: to * factor, step: step * factor,
    position: (value) => value * factor, value: (at) => exact(at / factor),
  };
}

const exact = (value) => Number(value.toFixed(6));

export function numberControl(property, commit) {
  const { name, minimum, maximum, display: { factor, step: change } } = property;
  const run = scale(property);
  const label = title(name);
  let value = null;

  const input = element('input', {
    type: 'range', min: String(run.from), max: String(run.to), step: String(run.step),
  });
  const field = element('input', {
    type: 'text', class: 'number', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false',
    'aria-label': `${label}, ${property.unit || 'value'}`,
  });
  // Stops are plain from the name.
  const behind = property.unit === 'stops' ? '' : unit(property);
  const neutral = Number(property.neutral);
  const middle = Number.isFinite(neutral) ? run.position(neutral) : run.from;

  const clamped = (wanted) => Math.min(maximum, Math.max(minimum, wanted));
  const rounded = (wanted) => exact(Math.round(wanted / change) * change);

  function paint(shown) {
    const along = (at) => (at - run.from) / (run.to - run.from);
    const share = (at) => `${100 * Math.min(1, Math.max(0, along(at)))}%`;
    const at = run.position(shown);
    input.style.setProperty('--low', share(Math.min(at, middle)));
    input.style.setProperty('--high', share(Math.max(at, middle)));
    input.setAttribute('aria-valuetext', words(shown, property));
  }

  /** The picture that the pointer moves a value of. */
  let held = null;
  input.addEventListener('input', () => {
    held = store.picture;
    value = run.value(Number(input.value));
    field.value = number(value, property);
    paint(value);
    commit(value, { isLive: true });
  });
  input.addEventListener('change', () => {
    // Another picture was opened while the button was down: the step is made already.
    if (held !== store.picture) return;
    value = run.value(Number(input.value));
    commit(value);
  });
  /** Whether the event is a key that changes the value by a step, or ten. */
  function isStep({ key, shiftKey, ctrlKey, altKey, metaKey }, others = {}) {
    const way = { ArrowUp: 1, ArrowDown: -1, ...others }[key];
    if (!way || ctrlKey || altKey || metaKey || value === null) return false;
    step(way * (shiftKey ? 10 : 1));
    return true;
  }
  // In ratios, and outside of what the slider shows, steps of keys are those of the value.
  input.addEventListener('keydown', (event) => {
    if (!isStep(event, { ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10 })) return;
    event.preventDefault();
    event.stopPropagation();
  });

  field.addEventListener('keydown', (event) => {
    // Letters are typed here; undo and save are those of the page.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (isStep(event)) {
      event.preventDefault();
    } else if (event.key === 'Enter') {
      take();
      // From here arrow keys go on, and undo is that of the page.
      input.focus();
    } else if (event.key === 'Escape') {
      show();
      field.blur();
    }
  });
  field.addEventListener('focus', () => field.select());
  field.addEventListener('blur', take);

  // Steps of a key that is held are one change, which ends with the picture at the latest.
  let settled;
  on('leave', () => clearTimeout(settled));
  function step(by) {
    value = rounded(clamped(value + by * change));
    show();
    commit(value, { isLive: true });
    clearTimeout(settled);
    const wanted = value;
    settled = setTimeout(() => { if (value === wanted) commit(wanted); }, 300);
  }

  function take() {
    const wanted = exact(typed(field.value) / factor);
    if (Number.isNaN(wanted) || value !== null && field.value === number(value, property)) {
      show();
      return;
    }
    value = clamped(wanted);
    show();
    commit(value);
  }

  function show() {
    field.value = value === null ? '' : number(value, property);
    // A value between the steps of the slider stays what it is.
    input.step = 'any';
    input.value = String(value === null ? middle : run.position(value));
    input.step = String(run.step);
    paint(value ?? run.value(middle));
    input.classList.toggle('is-unknown', value === null);
  }

  return {
    input,
    body: input,
    value: element('span', { class: 'value' }, field,
      element('span', { class: 'unit', 'aria-hidden': 'true' }, behind)),
    update(now, isDisabled) {
      const shown = typeof now === 'number' ? now : null;
      input.disabled = isDisabled;
      field.disabled = isDisabled;
      if (shown === value && field.value !== '') return;
      value = shown;
      if (document.activeElement !== field || exact(typed(field.value) / factor) !== value) show();
    },
  };
}
