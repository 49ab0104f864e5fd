// Files and folders that are dropped on the page. Browsers tell no paths: a picture that the folder
// has is found by its name and length and opened; of others the page says how they are opened.

import { show } from './filmstrip.js';
import { say } from './messages.js';
import { api } from './protocol.js';

/** The picture of the list, from index `from`, that `file` is a copy of; null for none. */
async function find(file, from = 0) {
  const { count, pictures } = await api.pictures(from, 1000);
  const next = from + pictures.length;
  return pictures.find(({ name, bytes }) => (
    bytes === file.size && name.split('/').at(-1) === file.name))
    ?? (pictures.length && next < count ? find(file, next) : null);
}

async function take({ items, files: [file] }) {
  const isFolder = items[0]?.webkitGetAsEntry?.()?.isDirectory;
  const entry = isFolder || !file ? null : await find(file).catch(() => null);
  if (entry) show(entry);
  else if (file) {
    say(`“${file.name}” is ${isFolder ? 'a folder' : 'not in this folder'}, and browsers do not `
      + 'tell pages where what is dropped is. To open it, run in a terminal: rawdev tune '
      + (isFolder ? file.name : 'FOLDER'), { key: 'drop', stays: true });
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
