// Files and folders that are dropped on the page. Browsers tell no paths: a picture that the folder
// has is found by its name and size and opened; of others the page says how they are opened.

import { show } from './filmstrip.js';
import { say } from './messages.js';
import { api } from './protocol.js';

/** The picture of the list that `file` is a copy of; undefined where there is none. */
async function find({ name, size }) {
  for (let from = 0, count = 1; from < count;) {
    const answer = await api.pictures(from, 1000);
    const found = answer.pictures.find((entry) => (
      entry.bytes === size && entry.name.split('/').at(-1) === name));
    if (found || !answer.pictures.length) return found;
    from += answer.pictures.length;
    ({ count } = answer);
  }
  return undefined;
}

async function take({ items, files: [file] }) {
  const isFolder = [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
  if (!file) return;
  try {
    const entry = isFolder ? null : await find(file);
    if (entry) show(entry);
    else {
      say(`“${file.name}” is ${isFolder ? 'a folder' : 'not in this folder'}, and browsers do not `
        + 'tell pages where what is dropped is. To open it, run in a terminal: rawdev tune '
        + (isFolder ? file.name : 'FOLDER'), { key: 'drop', stays: true });
    }
  } catch (error) {
    say(error.message, { key: 'drop', kind: 'bad' });
  }
}

for (const name of ['dragover', 'dragleave', 'drop']) {
  addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    document.documentElement.classList.toggle('is-dropping', name === 'dragover');
    if (name === 'drop') take(event.dataTransfer);
  });
}
