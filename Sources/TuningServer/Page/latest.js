// Requests that follow the hand: one at a time, and the last one always.

/**
 * What runs `task` for each call, `delay` milliseconds later, so that calls in quick succession are
 * one; never twice at the same time. `task` gets whether a later call waits, which makes its
 * result old. Errors go to `failed`.
 */
export function latest(task, delay = 0, failed = () => {}) {
  let timer;
  let isRunning = false;
  let isWanted = false;

  async function run() {
    timer = undefined;
    if (isRunning) return;
    isRunning = true;
    isWanted = false;
    try {
      await task(() => isWanted);
    } catch (error) {
      if (error.name !== 'AbortError' && error.code !== 'replaced') failed(error);
    } finally {
      isRunning = false;
      if (isWanted) timer ??= setTimeout(run, delay);
    }
  }

  return () => {
    isWanted = true;
    timer ??= setTimeout(run, delay);
  };
}
