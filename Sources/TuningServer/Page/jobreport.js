// How one development goes: its progress, its files, what failed.
import { element } from './element.js';
import { api } from './protocol.js';
import { button, bytes } from './toolparts.js';

const states = {
  running: 'Developing', done: 'Developed', failed: 'Failed', cancelled: 'Cancelled',
};

/** A job of the server, shown by its events. */
export class JobReport {
  /** `title` tells it from other jobs. */
  constructor(job, title) {
    this.job = job;
    this.event = { state: 'running', done: 0, total: 0 };
    this.progress = element('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
    this.line = element('p', { role: 'status' });
    this.cancel = button('Cancel', 'Cancel the development', () => this.stop());
    this.failures = element('ul', { class: 'develop-failures', 'aria-label': 'Failures' });
    this.files = element('ul', { class: 'develop-files', 'aria-label': 'Files' });
    this.element = element('section', { class: 'develop-report', 'aria-label': 'Development' },
      element('h3', {}, title), element('div', { class: 'tool-row' }, this.progress, this.cancel),
      this.line, this.failures, this.files);
  }

  get isRunning() { return this.event.state === 'running'; }

  /** The same in a sentence. */
  get words() {
    const { state, done, total, failed, error } = this.event;
    const word = this.isWaiting ? 'Waiting for the job before' : states[state];
    return error
      ?? `${word}: ${done} of ${total}${failed.length ? `, ${failed.length} failed` : ''}.`;
  }

  show(event) {
    this.event = event;
    this.isWaiting = false;
    [this.progress.max, this.progress.value] = [Math.max(event.total, 1), event.done];
    this.line.className = event.state === 'failed' ? 'is-bad' : '';
    this.line.textContent = this.words;
    this.cancel.hidden = !this.isRunning;
    for (const file of event.files.slice(this.files.childElementCount)) {
      this.files.append(element('li', {}, element('a', {
        href: api.fileURL(event.job, file.n), target: '_blank',
      }, file.name), ` ${bytes(file.bytes)}`));
    }
    this.failures.replaceChildren(...event.failed.map(({ name, error }) =>
      element('li', {}, error.includes(name) ? error : `${name}: ${error}`)));
  }

  /** Says whether another job has to end first. */
  setWaiting(isWaiting) {
    this.isWaiting = isWaiting;
    this.line.textContent = this.words;
  }

  async stop() {
    this.cancel.disabled = true;
    try {
      await api.cancel(this.job);
    } catch (error) {
      this.line.textContent = error.message;
      this.cancel.disabled = false;
    }
  }
}
