// White balance by a click on something that was gray.
import { endMode } from './modes.js';
import { startPointing } from './pointing.js';
import { api } from './protocol.js';
import { store } from './store.js';
import { signed } from './toolparts.js';

/** Begins to pick; `announce` is told what came of it. */
export function pickWhite(viewer, announce) {
  if (!store.picture?.state) return;
  if (store.withoutEffect('neutralTemperature')) {
    announce(`White balance: ${store.withoutEffect('neutralTemperature')}.`, 'error');
    return;
  }
  startPointing('white', viewer, {
    label: 'Click what was neutral gray or white · arrow keys and Enter · Esc ends',
    async onPick({ x, y }) {
      const { picture } = store;
      try {
        const white = await api.white(picture.id, picture.own, x, y);
        if (picture !== store.picture) return;
        set(white);
        endMode();
        announce(`White balance ${Math.round(white.neutralTemperature)} K, tint `
          + `${signed(white.neutralTint)}.`);
      } catch (error) {
        announce(error.message, 'error');
      }
    },
  });
}

/** Sets temperature and tint, written as people would. */
function set({ neutralTemperature, neutralTint }) {
  const changes = {
    neutralTemperature: Math.round(neutralTemperature),
    neutralTint: Math.round(neutralTint * 10) / 10,
  };
  // Given elsewhere, it would override what was picked.
  if (store.inherited('isAutomaticWhiteBalanceEnabled')?.value === true) {
    changes.isAutomaticWhiteBalanceEnabled = false;
  }
  store.set(changes, { step: 'White balance picked' });
}
