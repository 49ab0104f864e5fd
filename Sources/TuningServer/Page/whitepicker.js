// White balance by a click on something that was gray: as temperature and tint, or where the file
// has no temperatures as the location.
import { endMode } from './modes.js';
import { startPointing } from './pointing.js';
import { api } from './protocol.js';
import { store } from './store.js';
import { signed } from './toolparts.js';

/** Begins to pick; `announce` is told what came of it. */
export function pickWhite(viewer, announce) {
  if (!store.picture?.state) return;
  if (store.withoutEffect('neutralLocation')) {
    announce(`White balance: ${store.withoutEffect('neutralLocation')}.`, 'error');
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
        announce(white.neutralTemperature === undefined
          ? `White balance by pixel ${white.neutralLocation.join(', ')}.`
          : `White balance ${Math.round(white.neutralTemperature)} K, tint `
            + `${signed(white.neutralTint)}.`);
      } catch (error) {
        announce(error.message, 'error');
      }
    },
  });
}

/** Sets temperature and tint, written as people would, else the location. */
function set({ neutralTemperature, neutralTint, neutralLocation }) {
  const changes = neutralTemperature === undefined ? { neutralLocation } : {
    neutralTemperature: Math.round(neutralTemperature),
    neutralTint: Math.round(neutralTint * 10) / 10,
  };
  // Given elsewhere, it would override what was picked.
  if (store.inherited('isAutomaticWhiteBalanceEnabled')?.value === true) {
    changes.isAutomaticWhiteBalanceEnabled = false;
  }
  store.set(changes, { step: 'White balance picked' });
}
