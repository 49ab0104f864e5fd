// What page.py asks of a batch's report, by name.
({
  counts: () => Object.fromEntries([...document.querySelectorAll('[data-count]')]
    .map(e => [e.dataset.count, [+e.dataset.n, e.textContent]])),

  cards: () => [...document.querySelectorAll('#items > li')].map(card => ({
    id: card.querySelector('h3').textContent, image: !!card.querySelector('img'),
    warnings: [...card.querySelectorAll('.warn')].map(e => e.textContent),
    histogram: [...card.querySelectorAll('svg.hist path')].map(e => e.getAttribute('d')),
    label: card.querySelector('svg.hist')?.getAttribute('aria-label') ?? '',
    links: [...card.querySelectorAll('.out a')].map(e => e.href),
  })),

  // Pictures, and those of them that do not decode or have no words.
  decode: async () => {
    const bad = [];
    for (const image of document.images) {
      image.loading = 'eager';
      try { await image.decode(); } catch { bad.push(image.alt); continue; }
      if (!(image.naturalWidth > 0) || !image.alt) bad.push(image.alt || 'without words');
    }
    return [document.images.length, bad];
  },

  rows: selector => [...document.querySelectorAll(selector)]
    .map(row => [...row.children].map(cell => cell.textContent)),

  names: id => [...document.querySelectorAll(`#${id} bdi`)].map(e => e.textContent),

  text: () => document.body.textContent,

  // Pictures without words, columns without heads, a page without a language.
  bare: () => document.querySelectorAll(
    'img:not([alt]), svg:not([aria-label]), thead th:not([scope=col]), html:not([lang])').length,

  // Whether the filter shows exactly what has the word.
  filtered: word => [...document.querySelectorAll('.f')]
    .every(e => e.hidden !== e.textContent.toLowerCase().includes(word)),

  shown: () => document.querySelectorAll('.f:not([hidden])').length,

  shownCards: () => document.querySelectorAll('#items > li:not([hidden])').length,

  seconds: () => [...document.querySelectorAll('#items > li')].map(e => +e.dataset.s),

  width: () => document.documentElement.scrollWidth,

  // Text against what is painted behind it: relative luminance and contrast as WCAG 2 defines them.
  contrast: () => {
    const parse = text => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
    const light = c => [0, 1, 2].map(i => c[i] / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = e => { for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; } return [255, 255, 255, 1]; };
    const seen = new Map();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    while (walk.nextNode() && count < 20000) {
      const e = walk.currentNode.parentElement;
      if (!walk.currentNode.textContent.trim() || ['SCRIPT', 'STYLE', 'OPTION'].includes(e.tagName)) continue;
      count++;
      const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const name = e.tagName + '.' + e.className;
      if (!(seen.get(name) <= ratio)) seen.set(name, ratio);
    }
    return [...seen];
  },

  // Whether scripts and requests that are put in afterwards are refused.
  refuses: async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = 1';
    document.head.append(script);
    const asked = await fetch('data:text/plain,1').then(() => true, () => false);
    return !window.ran && !asked;
  },
})
