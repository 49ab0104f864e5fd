// Starts the page.

import './viewer.js';
import './zoom.js';
import './controls.js';
import './history.js';
import './facts.js';
import './filmstrip.js';
import './failures.js';
import './saving.js';
import './state.js';
import './screens.js';
import './appearance.js';
import './drop.js';
import './tools.js';
import { resume } from './edits.js';
import { say, unsay } from './messages.js';
import { reopen } from './opening.js';
import { api, ConnectionError, listen } from './protocol.js';
import { emit, store } from './store.js';

let isStarting = false;

async function start() {
  if (isStarting) return;
  isStarting = true;
  try {
    store.setStart(await api.start());
  } catch (error) {
    if (!(error instanceof ConnectionError)) say(error.message, { kind: 'bad' });
  } finally {
    isStarting = false;
  }
}

function connection(state) {
  const wasLost = store.connection !== 'connected';
  store.connection = state;
  document.documentElement.dataset.connection = state;
  if (state === 'connected') {
    unsay('connection');
    if (!store.start) start();
    else if (wasLost) resume().then(reopen);
  } else {
    say(state === 'refused'
      ? 'rawdev tune was restarted. Open the address that it printed; '
        + 'earlier edits are in its journal.'
      : 'rawdev tune does not answer. Changes are kept as long as this page is open; '
        + 'they are saved once rawdev tune runs again.', { key: 'connection', kind: 'bad' });
  }
  emit('connection', { state, isBack: state === 'connected' && wasLost });
}

listen((event) => emit(`server.${event.type}`, event), connection);
start();
