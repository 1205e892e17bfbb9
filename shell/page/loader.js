// Brings the page up: language and theme at once, the wasm module with honest progress, then canvas and twin. Every
// way it can fail ends in words on the page, never in a blank one.

import createModule from './xuanka_app.js';
import { Core } from './core.js';
import { Frame } from './frame.js';
import { Host, preferredLanguage } from './host.js';
import { OptionError } from './options.js';
import { hasPackedProgram, packedProgram } from './packed.js';
import { STRINGS, fill } from './strings.js';
import { Twin } from './twin.js';

const WORKER_MS = 1500; // the copy for offline use waits until the page is up
// What the canvas is asked for; the first to ask decides.
const WEBGL = { alpha: false, depth: false, stencil: false, antialias: false, powerPreference: 'low-power' };
const root = document.documentElement;
const element = (id) => document.getElementById(id);

class Fault extends Error {
  constructor(key, reason = '') {
    super(reason || key);
    this.key = key;
    this.reason = reason;
  }
}

// The state's fragment; anything else behind the # is an ordinary anchor.
function stateFragment(address = location) {
  const hash = address.hash.slice(1);
  return /^(v=|z\d+=)/.test(hash) ? hash : '';
}

class Page {
  constructor() {
    this.host = new Host(this);
    this.core = null;
    this.twin = null;
    this.failed = false;
    this.problem = null; // [code, message] once something keeps the page from working
    this.currentLang = '';
    this.embedded = root.dataset.page === 'embed' || (root.dataset.page === 'single' && window.parent !== window);
    this.frame = null;
    root.dataset.js = '';
    if (this.embedded) root.dataset.page = 'embed';
    const asked = new URLSearchParams(stateFragment());
    const lang = asked.get('lang') || this.host.remembered('lang') || preferredLanguage();
    this.setLang(lang === 'en' ? 'en' : 'zh');
    this.setTheme(asked.get('theme') || this.host.remembered('theme') || 'auto');
  }

  lang() { return this.currentLang; }

  setLang(lang) {
    if (lang === this.currentLang) return;
    this.currentLang = lang;
    const text = STRINGS[lang];
    root.lang = lang === 'zh' ? 'zh-CN' : 'en';
    document.title = lang === 'zh' ? `${text.title} · ${text.tagline}` : `${text.title} · ${text.tagline}`;
    for (const node of document.querySelectorAll('[data-text]')) node.textContent = text[node.dataset.text];
    element('canvas').setAttribute('aria-label', text.canvas);
  }

  setTheme(theme) {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const more = matchMedia('(prefers-contrast: more)').matches;
    root.toggleAttribute('data-dark', dark);
    root.dataset.theme = theme === 'auto' ? (more ? 'contrast' : dark ? 'dark' : 'light') : theme;
  }

  progress(have, all) {
    const text = STRINGS[this.lang()];
    const bar = element('progress');
    if (all) {
      bar.max = all;
      bar.value = Math.min(have, all);
    }
    element('status').textContent = have < all
      ? fill(text.loadingBytes, { have: Math.round(have / 1024), all: Math.round(all / 1024) })
      : text.starting;
  }

  // Fetches the module once, counting bytes; compiles while they arrive where the server names the right type.
  async instantiate(address, imports, bytes) {
    const response = await fetch(address).catch((error) => { throw new Fault('noFetch', error.message); });
    if (!response.ok) throw new Fault('noFetch', `${response.status} ${address.pathname.split('/').pop()}`);
    let have = 0;
    const counted = response.body.pipeThrough(new TransformStream({
      transform: (chunk, controller) => {
        have += chunk.byteLength;
        this.progress(have, bytes);
        controller.enqueue(chunk);
      },
    }));
    const type = (response.headers.get('Content-Type') || '').split(';')[0].trim();
    const body = new Response(counted, { headers: { 'Content-Type': type } });
    try {
      if (type === 'application/wasm' && WebAssembly.instantiateStreaming) {
        return await WebAssembly.instantiateStreaming(body, imports);
      }
      return await WebAssembly.instantiate(await body.arrayBuffer(), imports);
    } catch (error) {
      if (error instanceof WebAssembly.CompileError && !/Content Security Policy|unsafe-eval/i.test(error.message)) {
        throw new Fault('noFetch', error.message);
      }
      throw new Fault('noWasm', error.message);
    }
  }

  // The single file carries its program as text.
  async unpack(imports) {
    try {
      return await WebAssembly.instantiate(await packedProgram(), imports);
    } catch (error) {
      throw new Fault('noWasm', error.message);
    }
  }

  async loadModule() {
    if (typeof WebAssembly !== 'object') throw new Fault('noWasm');
    const { bytes, program } = element('cover').dataset;
    this.progress(0, Number(bytes) || 0);
    const address = new URL(program || 'program.wasm', document.baseURI);
    let failed;
    const started = new Promise((resolve, reject) => { failed = reject; });
    const module = createModule({
      canvas: element('canvas'),
      field: element('field'),
      webgl: WEBGL,
      host: this.host,
      locateFile: () => address.href,
      instantiateWasm: (imports, done) => {
        const made = hasPackedProgram() ? this.unpack(imports) : this.instantiate(address, imports, Number(bytes) || 0);
        made.then((result) => done(result.instance, result.module), failed);
        return {};
      },
      onAbort: (reason) => this.crash(String(reason)),
      printErr: (line) => console.error(line),
    });
    // The graphics process starts while the program is on its way.
    setTimeout(() => element('canvas').getContext('webgl2', WEBGL));
    return Promise.race([module, started]);
  }

  async start() {
    if (this.embedded) {
      this.frame = new Frame(this);
      this.frame.open(stateFragment());
    }
    const core = new Core(await this.loadModule());
    try {
      core.init();
    } catch (error) {
      throw new Fault('badData', error.message);
    }
    this.core = core;
    core.invoke('xuanka_page_create');
    if (this.frame) this.frame.start(core);
    else core.invoke('xuanka_page_set_fragment', stateFragment());
    window.xuanka = Object.freeze({
      call: (request) => core.rank(request),
      explain: (request, lang = this.lang()) => core.explain(request, lang),
      view: (request, lang = this.lang()) => core.view(request, lang),
      catalog: (what) => core.catalog(what),
      request: () => core.text('xuanka_page_request'),
      report: () => core.text('xuanka_page_report'),
      fragment: () => core.text('xuanka_page_fragment'),
      // For tests that drive the canvas.
      item: (key) => this.itemRect(key),
      idOf: (key) => core.invoke('xuanka_item_id', key) >>> 0,
      focused: () => core.invoke('xuanka_item_focused') >>> 0,
      updateMs: () => core.invoke('xuanka_page_update_ms'),
      frames: () => core.module.xuankaFrames(),
      busy: () => core.module.xuankaBusy(),
    });
    this.twin = new Twin(element('twin'), core);
    this.syncPage();
    this.twin.refresh();
    if (!this.embedded) addEventListener('hashchange', (event) => this.onHash(event));
    this.watchDrops();
    if (!core.invoke('xuanka_page_open')) throw new Fault('noWebgl');
    // Usable once the first picture is on the screen.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    if (this.failed) return;
    element('cover').hidden = true;
    root.dataset.xuanka = 'ready';
    if (this.frame) {
      this.frame.fit();
      this.frame.ready();
    }
    this.keepForOffline();
  }

  // Offline after the first visit, for the page itself: frames on other people's pages leave nothing behind.
  keepForOffline() {
    if (root.dataset.page !== 'page' || !/^https?:$/.test(location.protocol) || !navigator.serviceWorker) return;
    setTimeout(() => navigator.serviceWorker.register('sw.js').catch(() => {}), WORKER_MS);
  }

  // Where an item of the canvas is, in CSS pixels of the browser's window; null when it is not drawn.
  itemRect(key) {
    const { module } = this.core;
    const out = module._malloc(32);
    const found = this.core.invoke('xuanka_item_rect', key, out);
    const [x, y, width, height, sx, sy, sw, sh] = new Float32Array(module.HEAPU8.buffer, out, 8);
    module._free(out);
    if (!found) return null;
    const canvas = element('canvas').getBoundingClientRect();
    return {
      x: canvas.x + x, y: canvas.y + y, width, height,
      shown: { x: canvas.x + sx, y: canvas.y + sy, width: Math.max(0, sw), height: Math.max(0, sh) },
    };
  }

  // A link was followed, or a step in the history taken. The event says which: the address may have been written over
  // since, by what the wizard held before.
  onHash(event) {
    const fragment = stateFragment(new URL(event.newURL));
    if (!fragment || `#${fragment}` === this.host.written) return;
    this.host.written = `#${fragment}`;
    this.core.invoke('xuanka_page_set_fragment', fragment);
    this.stateChanged();
  }

  // Language, theme or inputs changed in the wizard: the page follows.
  stateChanged() {
    if (!this.core || this.syncing) return;
    this.syncing = true;
    queueMicrotask(() => {
      this.syncing = false;
      this.syncPage();
      if (this.twin) this.twin.schedule();
      if (this.frame) this.frame.changed();
    });
  }

  syncPage() {
    this.setLang(this.core.text('xuanka_page_lang') === 'en' ? 'en' : 'zh');
    this.setTheme(this.core.text('xuanka_page_theme') || 'auto');
  }

  sheetClosed(key, value) {
    this.core.invoke('xuanka_page_sheet', key, value);
    this.stateChanged();
  }
  // As if the request had been dropped on the page.
  openRequest(request) {
    this.core.invoke('xuanka_page_file', 'request.json', new TextEncoder().encode(JSON.stringify(request)));
    this.stateChanged();
  }
  focusCanvas() { element('canvas').focus({ preventScroll: true }); }

  // A file dropped beside the canvas must not replace the page.
  watchDrops() {
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer && event.dataTransfer.files[0];
      if (!file || event.target === element('canvas')) return;
      file.slice(0, 8 * 1024 * 1024 + 1).arrayBuffer().then((buffer) => {
        this.core.invoke('xuanka_page_file', file.name, new Uint8Array(buffer));
        this.stateChanged();
      }, (error) => this.notice(error.message));
    });
  }

  // ---- what went wrong

  panel(message, { cover = true, link = null } = {}) {
    const box = element('problem');
    const words = document.createElement('p');
    words.textContent = message;
    box.replaceChildren(words);
    const twinWorks = this.twin && this.twin.lang;
    const anchor = document.createElement('a');
    anchor.href = link || '#twin';
    anchor.textContent = STRINGS[this.lang()][link ? 'restore' : 'toText'];
    if (link) anchor.addEventListener('click', (event) => { event.preventDefault(); location.hash = link; location.reload(); });
    else anchor.addEventListener('click', (event) => this.toTwin(event));
    // A frame without a program has no text version to go to.
    if (link || twinWorks || !this.embedded) box.append(anchor);
    box.hidden = false;
    element('loading').hidden = true;
    if (this.embedded) {
      // The default answer would be an answer to another question.
      if (!twinWorks) for (const first of document.querySelectorAll('.first')) first.replaceChildren();
      else if (cover) this.showTwin(true);
    }
    if (twinWorks) {
      for (const first of document.querySelectorAll('.first')) {
        first.innerHTML = first.lang === root.lang ? this.twin.answerHtml() : '';
      }
    }
    if (cover) element('cover').hidden = false;
  }

  notice(text) { this.host.announce(text); }

  fail(error) {
    this.failed = true;
    const text = STRINGS[this.lang()];
    const key = error instanceof OptionError ? 'badOption' : error.code === 'notAllowed' ? 'notAllowed'
      : error instanceof Fault ? error.key : 'crashed';
    if (key === 'crashed') console.error(error);
    root.dataset.xuanka = 'error';
    root.dataset.problem = key;
    this.report(key, fill(text[key], { reason: error.reason || error.message }));
  }

  // Words on the page, and a message to the page around it.
  report(key, message, link = null) {
    this.problem = [key, message];
    this.panel(message, { link });
    if (this.frame) {
      this.frame.failed(key, message);
      this.frame.tellHeight();
    }
  }

  fatal(reason) { this.fail(new Fault('noWebgl', reason)); }

  crash(reason) {
    if (this.failed) return;
    this.failed = true;
    root.dataset.xuanka = 'error';
    root.dataset.problem = 'crashed';
    this.host.flush();
    this.report('crashed', fill(STRINGS[this.lang()].crashed, { reason }), location.hash || '#v=1');
  }

  contextLost() {
    root.dataset.context = 'lost';
    this.panel(STRINGS[this.lang()].lost);
  }
  contextRestored() {
    delete root.dataset.context;
    element('problem').hidden = true;
    element('cover').hidden = true;
  }

  // In a frame the text version is folded away until it is asked for.
  showTwin(open) {
    root.dataset.twin = open ? 'open' : 'folded';
    element('text-version').setAttribute('aria-expanded', String(open));
  }

  toTwin(event) {
    event.preventDefault();
    this.showTwin(true);
    const title = element('twin-title') || element('twin');
    title.focus({ preventScroll: true });
    element('twin').scrollIntoView();
  }
}

const page = new Page();
element('skip').addEventListener('click', (event) => page.toTwin(event));
element('text-version').addEventListener('click', () => page.showTwin(root.dataset.twin !== 'open'));
element('open-full').addEventListener('click', () => {
  // The present inputs go along.
  const fragment = page.core ? page.core.text('xuanka_page_fragment') : stateFragment();
  element('open-full').href = `${page.host.pageAddress()}#${fragment.replace(/(^|&)(embed|lock)=[^&]*/g, '')}`;
});
addEventListener('error', (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) page.crash(event.error.message);
});
page.start().catch((error) => page.fail(error));
