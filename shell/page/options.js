// The options of an embedded page: what stands in its fragment beside the state. A wrong one is told in words instead
// of being guessed at.

const TABS = ['plans', 'charts', 'gpus', 'offers', 'value', 'own', 'measured', 'how', 'yours'];
const VIEWS = ['full', 'answer', 'table', 'wizard', ...TABS];
const THEMES = ['auto', 'light', 'dark', 'contrast'];
export const MAX_REQUEST = 200000; // characters
const MAX_FRAGMENT = 8000;

export class OptionError extends Error {
  constructor(name, value, known) {
    super(`${name}="${String(value).slice(0, 60)}"${known ? ` (${known})` : ''}`);
    this.name = 'OptionError';
  }
}

const oneOf = (words) => ({ test: (value) => words.includes(value), known: words.join(' | ') });
const CHECKS = {
  lang: { test: (value) => /^(zh|en)(-[\w-]+)?$/i.test(value), known: 'zh | en' },
  theme: oneOf(THEMES),
  currency: { test: (value) => /^[A-Z]{3}$/.test(value), known: 'CNY | USD | ...' },
  view: oneOf(VIEWS),
  height: { test: (value) => /^(auto|fixed|\d{2,5}(px)?)$/.test(value), known: 'auto | 640' },
  lock: { test: (value) => value.length < 1000, known: '' },
  request: { test: (value) => value.length <= MAX_REQUEST, known: '' },
  fragment: { test: (value) => value.length <= MAX_FRAGMENT, known: '' },
  host: { test: (value) => value === 'null' || isOrigin(value), known: 'https://example.org' },
};
const KEYS = { cur: 'currency', req: 'request' };

function isOrigin(value) {
  try {
    return new URL(value).origin === value;
  } catch {
    return false;
  }
}

// Checks one option; the value in its usual form, or an OptionError.
export function checkOption(name, value) {
  const check = CHECKS[name];
  if (typeof value !== 'string' || !check || !check.test(value)) throw new OptionError(name, value, check && check.known);
  return name === 'lang' ? value.slice(0, 2).toLowerCase() : value;
}

// Splits a fragment into the state and the options; both plain and packed states keep their own keys.
export function splitFragment(fragment) {
  const options = {};
  const rest = [];
  for (const part of fragment.split('&')) {
    const at = part.indexOf('=');
    const key = at < 0 ? part : part.slice(0, at);
    const name = KEYS[key] || key;
    if (key === 'embed') continue;
    if (key === 'fragment' || key === 'currency' || key === 'request' || !(name in CHECKS)) {
      rest.push(part);
      continue;
    }
    let value = part.slice(at + 1);
    try {
      value = decodeURIComponent(value.replace(/\+/g, ' '));
    } catch {
      throw new OptionError(key, value);
    }
    if (value) options[name] = checkOption(name, value);
  }
  return { state: rest.join('&'), options };
}

// view -> what the wizard draws (its field `embed`) and which tab.
export function viewFields(view) {
  if (TABS.includes(view)) return { embed: '1', view };
  return { embed: view === 'full' ? '1' : view };
}

// The inputs that words of `lock` stand for: a link's key, a path of the request, or a part of one ("model", "gpu",
// "seq_len", "deadline").
export function lockedKeys(words, fields) {
  const keys = new Set();
  for (const word of words.split(/[\s,]+/).filter(Boolean)) {
    const meant = (field) => field.key === word || field.path === word
      || (word === 'currency' && field.key === 'cur')
      || field.path.split('.').some((part) => part === word || part === `${word}s` || part.startsWith(`${word}_`));
    const found = fields.filter(meant);
    if (!found.length) throw new OptionError('lock', word, 'model, gpu, count, tokens, precision, deadline, ...');
    for (const field of found) keys.add(field.key);
  }
  return [...keys].join(',');
}
