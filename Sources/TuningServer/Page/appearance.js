// Light or dark around the picture, and of the panels.

import { iconButton } from './element.js';
import { menu } from './menu.js';
import { remembered, remember } from './remembered.js';

const { dataset } = document.documentElement;
const choices = {
  surround: { title: 'Around the picture', options: ['dark', 'grey', 'light'] },
  panels: { title: 'Panels', options: ['system', 'dark', 'light'] },
};
const names = { system: 'As the system', dark: 'Dark', grey: 'Middle grey', light: 'Light' };

for (const [key, { options }] of Object.entries(choices)) {
  const kept = remembered(key, dataset[key]);
  if (options.includes(kept)) dataset[key] = kept;
}

const button = iconButton('appearance', 'Appearance', () => {});
document.getElementById('view-buttons').append(button);
menu(button, () => Object.entries(choices).map(([key, { title, options }]) => ({
  title,
  items: options.map((option) => ({
    label: names[option], isChecked: dataset[key] === option,
    run: () => {
      dataset[key] = option;
      remember(key, option);
    },
  })),
})));
