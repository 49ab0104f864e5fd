// The embedded preview of the picture that the page opens with, asked for before anything else is
// known. Needs no other module, and runs as soon as it is here.

/** The picture that the address names; null for the first one, which has no name here yet. */
export const firstId = location.hash.slice(1) || null;

export const thumbnailURL = (id, side) => `/api/pictures/${id}/thumbnail?side=${side}`;

/** The identity of the first picture, once it is known. */
let first = null;
export function nameFirst(id) { first = id; }

/** Where the embedded preview of a picture is. The server has that of the first one ready. */
export const previewURL = (id) => (
  thumbnailURL(id === null || (firstId === null && id === first) ? 'first' : id, 1440));

const link = document.createElement('link');
Object.assign(link, {
  rel: 'preload', as: 'image', fetchPriority: 'high', href: previewURL(firstId),
});

/** Fulfilled when the first preview is there, or there is none. */
export const firstPreview = new Promise((done) => {
  Object.assign(link, { onload: done, onerror: done });
}).then(({ type }) => {
  // Shown before the other modules are here, where none of them was faster.
  const embedded = document.getElementById('embedded');
  if (type === 'error' || embedded.hasAttribute('src')) return;
  embedded.src = previewURL(firstId);
  embedded.hidden = false;
});

document.head.append(link);
