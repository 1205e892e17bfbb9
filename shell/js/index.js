// Xuanka for JavaScript: which GPU, and how many, for a deep-learning job. Requests and reports are those of the
// command line (request.schema.json, report.schema.json), computed by the same program as wasm, without a network.

import { CrashError, LoadError, RequestError, XuankaError } from './errors.js';
import { instantiate } from './instance.js';

export { CrashError, LoadError, RequestError, XuankaError };

const KINDS = ['gpus', 'models', 'offers', 'datasets', 'sources', 'purchase'];
const LANGS = ['en', 'zh'];

// JSON has no NaN: `JSON.stringify` would write null, which says "not given". Better an error than another question.
function requestText(request) {
  if (typeof request === 'string') return request;
  if (request === null || typeof request !== 'object') {
    throw new TypeError('a request is an object or the text of one');
  }
  const paths = new Map([[request, '']]);
  return JSON.stringify(request, function member(key, value) {
    const parent = paths.get(this) ?? '';
    const path = Array.isArray(this) ? `${parent}[${key}]` : parent && key ? `${parent}.${key}` : key;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new RequestError([{ code: 'not_finite', path, args: {}, message: `${path}: ${value} is not a number` }], null);
    }
    if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
      throw new TypeError(`${path}: JSON has no ${typeof value}`);
    }
    if (value !== null && typeof value === 'object') paths.set(value, path);
    return value;
  });
}

function languageOf(options) {
  const lang = options?.lang ?? 'en';
  if (!LANGS.includes(lang)) throw new TypeError(`lang is one of ${LANGS.join(', ')}`);
  return lang;
}

/** The program, loaded. Its calls are synchronous; `load` makes one. */
export class Xuanka {
  #core;
  #lists = new Map();

  /** @internal */
  constructor(core) {
    this.#core = core;
  }

  #text(name, ...args) {
    if (!this.#core) throw new CrashError('the program stopped at an earlier call; load it again');
    try {
      return this.#core[name](...args);
    } catch (cause) {
      // A trap leaves the memory as it was in the middle of something: nothing more may be asked of it.
      this.#core = null;
      throw new CrashError('the program stopped', { cause });
    }
  }

  #answer(name, request, options) {
    const lang = languageOf(options);
    const text = requestText(request);
    const answer = JSON.parse(this.#text(name, text, lang));
    if (answer.ok) return answer;
    // Reports are worded in English only; the view has the same issues in any language.
    const { issues, id } = name === 'rank' && lang !== 'en' ? JSON.parse(this.#text('view', text, lang)) : answer;
    throw new RequestError(issues, id);
  }

  rank(request, options) { return this.#answer('rank', request, options); }
  view(request, options) { return this.#answer('view', request, options); }
  explain(request, options) { return this.#answer('explain', request, options); }

  check(request, options) {
    try {
      const { notes } = this.rank(request, options);
      const unknown = notes.filter((note) => note.code === 'unknown_field');
      return { ok: true, issues: [], unknown: unknown.map((note) => note.args.path) };
    } catch (error) {
      if (error instanceof RequestError) return { ok: false, issues: error.issues, unknown: [] };
      throw error;
    }
  }

  catalog(what) {
    if (!KINDS.includes(what)) throw new TypeError(`the catalog has ${KINDS.join(', ')}`);
    if (!this.#lists.has(what)) this.#lists.set(what, this.#text('catalog', what));
    return JSON.parse(this.#lists.get(what));
  }

  get usable() { return this.#core !== null; }
}

let shared = null;

/** Loads the program, once for all callers that give no `wasm`; after a crash, anew. */
export async function load(options = {}) {
  if (options.wasm !== undefined) return new Xuanka(await instantiate(options.wasm));
  const last = shared;
  if (last && !(await last.catch(() => null))?.usable && shared === last) shared = null;
  shared ??= instantiate().then((core) => new Xuanka(core));
  return shared;
}

export const rank = async (request, options) => (await load()).rank(request, options);
export const view = async (request, options) => (await load()).view(request, options);
export const explain = async (request, options) => (await load()).explain(request, options);
export const check = async (request, options) => (await load()).check(request, options);
export const catalog = async (what) => (await load()).catalog(what);
