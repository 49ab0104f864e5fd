// Asks for renderings one after the other, so that pictures follow the hand as fast as they can be
// made, and the last values are always those that are shown.

import { api, ConnectionError, ServerError } from './protocol.js';

export class Rendering {
  /**
   * `request()` gives `{id, version, body}` of what is wanted now, null for nothing;
   * `deliver(result, wanted)` gets it; `fail(error)` what went wrong, null when that is over;
   * `busy(isBusy)` is told when the first request begins and the last one ends.
   */
  constructor({ request, deliver, fail = () => {}, busy = () => {} }) {
    Object.assign(this, { request, deliver, fail, busy });
    this.isWanted = false;
    this.current = null;
  }

  /**
   * A picture of the values of now is wanted. One on its way is waited for, unless `isLast`: then
   * the hand rests, and nothing shall delay the picture that stays.
   */
  want({ isLast = false } = {}) {
    if (this.current && isLast) {
      if (keyOf(this.request()) === this.key) {
        // Just that is on its way.
        this.isWanted = false;
        return;
      }
      this.current.abort();
    }
    this.isWanted = true;
    if (!this.isRunning) this.run();
  }

  /** The hand rests at `version`: nothing more is needed if that is on its way or here. */
  settle(version) {
    if (this.requested !== version) this.want({ isLast: true });
  }

  /** Nothing is wanted any more. */
  cancel() {
    this.isWanted = false;
    this.current?.abort();
  }

  async run() {
    this.isRunning = true;
    let repeats = 0;
    while (this.isWanted) {
      this.isWanted = false;
      const wanted = this.request();
      if (!wanted) break;
      this.requested = wanted.version;
      this.key = keyOf(wanted);
      const current = this.current = new AbortController();
      this.busy(true);
      try {
        const result = await api.render(wanted.id, wanted.body, current.signal);
        this.current = null;
        if (!current.signal.aborted) await this.deliver(result, wanted);
        repeats = 0;
        this.fail(null);
      } catch (error) {
        if (error.name === 'AbortError') continue;
        if (error instanceof ServerError && error.code === 'replaced') {
          // Another page of the same picture was first; once more, but not for ever.
          if (repeats++ < 3) this.isWanted = true;
        } else if (error.code === 'busy') {
          await new Promise((resolve) => { setTimeout(resolve, 250); });
          this.isWanted = true;
        } else if (!(error instanceof ConnectionError)) {
          this.fail(error);
        }
      }
    }
    this.current = null;
    this.isRunning = false;
    this.busy(false);
  }
}

function keyOf(wanted) { return wanted && JSON.stringify([wanted.id, wanted.body]); }
