// The embedded page's side of the conversation with the page around it (shell/embed/README.md). Nothing is sent to
// an origin that the site does not allow, and nothing from elsewhere than the parent window is read.

import { OptionError, checkOption, lockedKeys, splitFragment, viewFields } from './options.js';

const BURST_MS = 80; // a burst of changes is told once
const MAX_STAGE = 4000; // CSS pixels of canvas; what is longer scrolls inside

// Origins that may embed this site: <meta name="xuanka-hosts" content="*"> or a list separated by spaces.
function allowedOrigins() {
  const meta = document.querySelector('meta[name="xuanka-hosts"]');
  return ((meta && meta.content) || '*').split(/\s+/).filter(Boolean);
}

function parentOrigin() {
  const ancestors = location.ancestorOrigins;
  if (ancestors && ancestors.length) return ancestors[0];
  try {
    return document.referrer ? new URL(document.referrer).origin : '';
  } catch {
    return '';
  }
}

export class Frame {
  constructor(page, core) {
    this.page = page;
    this.core = core; // null until the program runs
    this.inside = window.parent !== window;
    this.allowed = allowedOrigins();
    this.target = '';
    this.state = 'v=1';
    this.options = {};
    this.told = { request: '', report: '' };
    this.isReady = false;
  }

  allows(origin) {
    return origin !== '' && (this.allowed.includes('*') || this.allowed.includes(origin) || origin === location.origin);
  }

  // Reads the fragment and finds out who is around. Throws an OptionError, or an Error with code 'notAllowed'.
  open(fragment) {
    const known = parentOrigin();
    if (this.inside) {
      addEventListener('message', (event) => this.onMessage(event));
      if (known && this.allows(known)) this.address(known);
      else if (known) throw Object.assign(new Error(known), { code: 'notAllowed' });
    }
    const { state, options } = splitFragment(fragment || 'v=1');
    this.state = state;
    this.options = options;
    if (this.inside && !known && options.host) {
      if (!this.allows(options.host)) throw Object.assign(new Error(options.host), { code: 'notAllowed' });
      this.address(options.host);
    }
    if (options.lang) this.page.setLang(options.lang);
    if (options.theme) this.page.setTheme(options.theme);
  }

  // Pages without an origin (files, sandboxed frames) can only be reached by a message to everyone.
  address(origin) { this.target = origin === 'null' || origin === 'file://' ? '*' : origin; }

  // The program runs: gives it state and options.
  start(core) {
    this.core = core;
    core.invoke('xuanka_page_set_fragment', this.state);
    const { options } = this;
    if (options.request && !core.invoke('xuanka_page_set_request', options.request)) {
      throw new OptionError('req', options.request);
    }
    this.setFields(viewFields(options.view || 'full'));
    if (options.lang) core.invoke('xuanka_page_set_lang', options.lang);
    if (options.theme) core.invoke('xuanka_page_set_theme', options.theme);
    if (options.currency) core.invoke('xuanka_page_set_currency', options.currency);
    this.lock(options.lock || '');
    document.documentElement.dataset.height = options.height && options.height !== 'auto' ? 'fixed' : 'auto';
    new ResizeObserver(() => this.tellHeight()).observe(document.body);
  }

  setFields(fields) {
    for (const [key, value] of Object.entries(fields)) this.core.invoke('xuanka_page_set_field', key, value);
  }

  lock(words) {
    const { fields } = JSON.parse(this.core.text('xuanka_page_form'));
    this.core.invoke('xuanka_page_set_field', 'lock', lockedKeys(words, fields));
  }

  // ---- out

  post(type, data = {}) {
    if (!this.inside || !this.target) return;
    window.parent.postMessage({ source: 'xuanka', v: 1, type, ...data }, this.target);
  }

  ready() {
    if (!this.core || !this.target) return;
    this.isReady = true;
    this.told = this.answer();
    this.post('ready', { request: JSON.parse(this.told.request), report: JSON.parse(this.told.report) });
    this.tellHeight();
  }

  answer() { return { request: this.core.text('xuanka_page_request'), report: this.core.text('xuanka_page_report') }; }

  // Inputs, language or view changed.
  changed() {
    this.fit();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.isReady) return;
      const now = this.answer();
      const request = JSON.parse(now.request);
      if (now.request !== this.told.request) this.post('change', { request, fragment: this.core.text('xuanka_page_fragment') });
      if (now.report !== this.told.report) this.post('result', { request, report: JSON.parse(now.report) });
      this.told = now;
    }, BURST_MS);
  }

  failed(code, message) { this.post('error', { code, message: String(message).slice(0, 2000) }); }

  // ---- height: the canvas is as tall as what is on it, so the page around does all the scrolling

  // A change shows two or three frames later.
  fit(frames = 4) {
    if (document.documentElement.dataset.height !== 'auto' || !this.core) return;
    const wanted = Math.min(MAX_STAGE, Math.ceil(this.core.invoke('xuanka_page_height')));
    const stage = document.getElementById('stage');
    if (wanted > 0 && stage.style.height !== `${wanted}px`) stage.style.height = `${wanted}px`;
    if (frames > 0) requestAnimationFrame(() => this.fit(frames - 1));
  }

  tellHeight() {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height > 0 && height !== this.height) {
      this.height = height;
      this.post('height', { height });
    }
    this.fit(1);
  }

  // A finger dragged past the end of what scrolls here.
  scrollBy(dy) { this.post('scroll', { dy }); }

  // ---- in

  onMessage(event) {
    if (event.source !== window.parent || !this.allows(event.origin)) return;
    if (this.target && this.target !== '*' && event.origin !== this.target) return;
    const data = event.data;
    if (typeof data !== 'object' || data === null || data.source !== 'xuanka' || data.v !== 1) return;
    if (!this.target) this.address(event.origin);
    try {
      this.take(data);
    } catch (error) {
      this.failed(error instanceof OptionError ? 'badOption' : 'badMessage', error.message);
    }
  }

  take(data) {
    if (data.type === 'hello') {
      if (this.page.problem) this.failed(...this.page.problem);
      else if (!this.isReady && document.documentElement.dataset.xuanka === 'ready') this.ready();
      return;
    }
    if (!this.core) throw new Error('not ready');
    if (data.type === 'theme') this.core.invoke('xuanka_page_set_theme', checkOption('theme', data.theme));
    else if (data.type === 'set') this.set(data);
    else throw new Error(`type ${JSON.stringify(data.type)}`);
    this.page.stateChanged();
  }

  // Everything is checked before anything is changed.
  set(data) {
    const known = ['request', 'fragment', 'lang', 'currency', 'view', 'lock'];
    const given = Object.keys(data).filter((key) => !['source', 'v', 'type'].includes(key));
    const values = {};
    for (const key of given) {
      if (!known.includes(key)) throw new OptionError(key, data[key], known.join(' | '));
      const asText = key === 'request' && typeof data[key] === 'object' ? JSON.stringify(data[key]) : data[key];
      values[key] = asText === '' ? '' : checkOption(key, asText);
    }
    const { core } = this;
    if (values.fragment !== undefined) {
      const keep = ['embed', 'view', 'lock', 'lang', 'cur', 'theme'];
      const before = new Map(keep.map((key) => [key, this.fieldText(key)]));
      core.invoke('xuanka_page_set_fragment', splitFragment(values.fragment).state || 'v=1');
      for (const [key, text] of before) if (text) core.invoke('xuanka_page_set_field', key, text);
    }
    if (values.request && !core.invoke('xuanka_page_set_request', values.request)) throw new OptionError('request', values.request);
    if (values.lang) core.invoke('xuanka_page_set_lang', values.lang);
    if (values.currency) core.invoke('xuanka_page_set_currency', values.currency);
    if (values.view !== undefined) this.setFields(viewFields(values.view || 'full'));
    if (values.lock !== undefined) this.lock(values.lock);
  }

  // One field of the state, out of the program's own link.
  fieldText(key) {
    return new URLSearchParams(this.core.text('xuanka_page_fragment')).get(key) || '';
  }
}
