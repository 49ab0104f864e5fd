// Developing from the page: what, into which format, and how it goes.
import { told } from './edits.js';
import { element } from './element.js';
import { JobReport } from './jobreport.js';
import { api } from './protocol.js';
import { on, store } from './store.js';
import { check, counted, dialog, field, option, percent, showDialog } from './toolparts.js';

/** Formats in words; others are shown by their names. */
const titles = {
  'heif-hlg': 'HEIF, HLG', 'heif-pq': 'HEIF, PQ', 'heif-sdr': 'HEIF', tiff: 'TIFF, 16 bits',
  'tiff-float': 'TIFF, floating point', png: 'PNG, PQ', 'png-hlg': 'PNG, HLG', 'png-sdr': 'PNG',
  'jpeg-sdr': 'JPEG', 'jpeg-gainmap': 'JPEG with gain map', 'heic-gainmap': 'HEIC with gain map',
  jxl: 'JPEG XL, PQ', 'jxl-hlg': 'JPEG XL, HLG', 'jxl-sdr': 'JPEG XL',
  'jxl-gainmap': 'JPEG XL with gain map', avif: 'AVIF, PQ',
  'avif-hlg': 'AVIF, HLG', 'avif-sdr': 'AVIF', 'avif-gainmap': 'AVIF with gain map',
};
const hasQuality = (name) => /^(heif|heic|avif|jpeg|jxl)/.test(name);
/** Jobs that are shown; those that run always are. */
const most = 4;

/** The dialog in `host`; returns `{open}`. `told(text)` is what the toolbar shows of a job. */
export function startDevelop(host, announce, told) {
  /** The jobs of this page that are shown, by their numbers. */
  const jobs = new Map();
  let isBeginning = false;
  const scopes = element('fieldset', { class: 'tool-choices' });
  const format = element('select', { autofocus: true, onchange: () => show() });
  const quality = element('input', {
    type: 'range', min: 0.3, max: 1, step: 0.01, value: 0.8, oninput: () => show(),
  });
  const qualityText = element('output');
  const isDefault = element('input', { type: 'checkbox', checked: true, onchange: () => show() });
  const qualityField = element('div', { class: 'tool-row' },
    field('Quality', quality), qualityText,
    check(isDefault, 'automatic'));
  const size = element('select', {}, option('', 'All pixels'),
    ...[4096, 2560, 1920, 1080].map((side) => option(String(side), `${side} pixels`)));
  const metadata = element('select', {}, option('all', 'All'),
    option('noLocation', 'Without location'), option('minimal', 'Camera, date and rights'),
    option('none', 'None'));
  const folder = element('input', {
    type: 'text', value: 'developed', maxlength: 100, required: true, spellcheck: 'false',
    pattern: '[^.\\/][^\\/]*', title: 'The name of a folder, without slashes',
    oninput: () => show(),
  });
  const replaces = element('input', { type: 'checkbox' });
  const note = element('p', { class: 'tool-note' });
  const start = element('button', { type: 'submit', class: 'primary' }, 'Develop');
  const form = element('form', {
    method: 'dialog', class: 'tool-form',
    onsubmit: (event) => {
      event.preventDefault();
      begin();
    },
  }, scopes, field('Format', format), qualityField, field('Longer side at most', size),
  field('Metadata', metadata), field('Folder', folder),
  check(replaces, 'Replace files there that rawdev did not write'), note,
  element('div', { class: 'buttons' }, start));

  const failure = element('p', { class: 'is-bad', role: 'status', hidden: true });
  const reports = element('div', { class: 'develop-reports' });
  const modal = dialog(host, 'develop', 'Develop', form, failure, reports);

  const scope = () => form.elements.scope?.value;

  /** The identities of what is to be developed; of all, those that were opened here. */
  function known() {
    if (scope() === 'all') return [...store.opened.keys()];
    if (scope() === 'selection') return [...store.selection];
    return store.picture ? [store.picture.id] : [];
  }

  /** How many pictures are to be developed. */
  const amount = () => (scope() === 'all' ? store.start.count : known().length);

  /** The identities of all that is to be developed. */
  async function allChosen() {
    if (scope() !== 'all') return known();
    const ids = [];
    for (let count = 1, from = 0; from < count; from += 500) {
      const answer = await api.pictures(from, 500);
      ids.push(...answer.pictures.map(({ id }) => id));
      ({ count } = answer);
    }
    return ids;
  }

  function makeScopes() {
    const count = store.selection.length;
    const choices = [['picture', store.picture?.name ?? 'No picture is open', !store.picture]];
    if (count > 1) choices.push(['selection', `The ${counted(count, 'selected picture')}`, false]);
    const all = store.start.count;
    if (all > 1) choices.push(['all', `All ${all} of the folder`, false]);
    const chosen = count > 1 ? 'selection' : store.picture ? 'picture' : 'all';
    scopes.replaceChildren(element('legend', {}, 'Pictures'),
      ...choices.map(([value, text, disabled]) => check(element('input', {
        type: 'radio', name: 'scope', value, disabled, checked: value === chosen,
        onchange: () => show(),
      }), text)));
  }

  function makeFormats() {
    if (format.options.length) return;
    for (const isHDR of [true, false]) {
      const group = element('optgroup', { label: isHDR ? 'HDR' : 'SDR' });
      group.append(...store.start.formats.filter((each) => each.isHDR === isHDR)
        .map(({ name, extension }) => option(name, `${titles[name] ?? name}  (.${extension})`)));
      format.append(group);
    }
  }

  function show() {
    qualityField.hidden = !hasQuality(format.value);
    quality.disabled = isDefault.checked;
    qualityText.textContent = isDefault.checked ? '' : percent(Number(quality.value));
    const count = amount();
    note.textContent = `Files go into the folder “${folder.value}” in ${store.start.folder}.`;
    start.disabled = isBeginning || count === 0;
    start.textContent = count > 1 ? `Develop ${counted(count, 'picture')}` : 'Develop';
  }

  async function begin() {
    const options = {
      metadata: metadata.value, folder: folder.value, overwrite: replaces.checked,
    };
    if (hasQuality(format.value) && !isDefault.checked) options.quality = Number(quality.value);
    if (size.value) options.maxSize = Number(size.value);
    failure.hidden = isBeginning = true;
    show();
    try {
      await told();
      const chosen = await allChosen();
      const { job } = await api.develop({ ids: chosen, format: format.value, options });
      for (const [number, each] of jobs) {
        if (jobs.size < most || each.isRunning) continue;
        each.element.remove();
        jobs.delete(number);
      }
      const made = new JobReport(job, format.selectedOptions[0].textContent);
      jobs.set(job, made);
      reports.prepend(made.element);
      // The first events may have come before the answer.
      follow(early.get(job) ?? { job, done: 0, total: chosen.length, state: 'running', files: [],
        failed: [] });
    } catch (error) {
      failure.textContent = error.message;
      failure.hidden = false;
    }
    early.clear();
    isBeginning = false;
    show();
  }

  /** The last events of jobs that nobody follows yet. */
  const early = new Map();

  /** Shows how a job goes. */
  function follow(event) {
    const report = jobs.get(event.job);
    const wasRunning = report.isRunning;
    report.show(event);
    const running = [...jobs.values()].filter((each) => each.isRunning);
    // They run one after the other, in the order of their numbers.
    running.forEach((each, index) => each.setWaiting(index > 0));
    const sum = (key) => running.reduce((total, each) => total + each.event[key], 0);
    told(running.length ? `${sum('done')} / ${sum('total')}` : null);
    if (wasRunning && !report.isRunning && !modal.open) {
      announce(report.words, event.failed.length ? 'error' : '');
    }
  }

  on('server.job', (event) => {
    if (jobs.has(event.job)) follow(event);
    else if (isBeginning) early.set(event.job, event);
  });
  on('selection', () => {
    if (!modal.open) return;
    makeScopes();
    show();
  });

  return {
    open() {
      if (!store.start || modal.open) return;
      makeScopes();
      makeFormats();
      show();
      showDialog(modal);
    },
  };
}
