// <xuanka-calculator>: the calculator inside another page. One script without dependencies:
//
//     <script src="https://…/xuanka-embed.js" defer></script>
//     <xuanka-calculator view="answer" request="v=1&m=llama-2-7b&k=lora" lock="model"></xuanka-calculator>
//
// Attributes: lang (zh | en), theme (auto | light | dark | contrast), currency (CNY, USD, ...), view (full | answer |
// table | wizard, or a tab: plans, charts, gpus, offers, value, own, measured, how, yours), lock (inputs that readers
// cannot change), request (the part of a link after #, or a JSON request), height (auto or pixels), src (another
// embed.html). Events: ready, change, result, error, with `detail`. The element makes one iframe when it comes near the
// window, and touches nothing else of the page. Messages: shell/embed/README.md.
(() => {
  'use strict';
  const TAG = 'xuanka-calculator';
  if (typeof customElements === 'undefined' || customElements.get(TAG)) return;

  const script = document.currentScript || document.querySelector('script[src*="xuanka-embed"]');
  const BASE = script && script.src ? script.src : document.baseURI;
  // From disk only the one file that needs no other can start.
  const PAGE = BASE.startsWith('file:') ? 'xuanka-single.html' : 'embed.html';
  const MIN_HEIGHT = 120;
  const MAX_HEIGHT = 12000;
  const START_HEIGHT = 420;
  const PATIENCE_MS = 45000; // without a word from the frame by then, something keeps it from starting
  const TEXT = {
    zh: {
      title: '选卡 Xuanka 计算器', blocked: '这个页面的内容安全策略不允许嵌入计算器（{origin}）。',
      silent: '计算器没有打开（{origin} 没有回应）。', address: '计算器的地址无效：{reason}', open: '在新窗口打开',
    },
    en: {
      title: 'Xuanka calculator', blocked: 'The content security policy of this page does not allow the calculator ({origin}).',
      silent: 'The calculator did not open ({origin} does not answer).', address: 'The address of the calculator is not valid: {reason}',
      open: 'Open it in a new window',
    },
  };

  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const isText = (value, most) => typeof value === 'string' && value.length <= most;

  // ---- light or dark, as the page itself has it

  const DARK = /^(dark|slate|night|black)|[_-]dark/i;
  const LIGHT = /^(light|default|day|white)|[_-]light/i;
  const DARK_CLASS = /(^|\s)(theme-|mode-)?dark(-mode|-theme)?(\s|$)/i;
  const LIGHT_CLASS = /(^|\s)(theme-|mode-)?light(-mode|-theme)?(\s|$)/i;
  const MARKS = ['data-md-color-scheme', 'data-theme', 'data-bs-theme', 'data-color-mode', 'data-color-scheme', 'data-mode', 'class'];

  // MkDocs Material, furo, Docusaurus, VitePress, Bootstrap and others mark <html> or <body>; else the system decides.
  function pageTheme() {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    for (const node of [document.body, document.documentElement]) {
      for (const name of node ? MARKS : []) {
        const value = node.getAttribute(name);
        if (!value) continue;
        const list = name === 'class';
        if ((list ? DARK_CLASS : DARK).test(value)) return 'dark';
        if ((list ? LIGHT_CLASS : LIGHT).test(value)) return 'light';
        if (value === 'auto') return system;
      }
    }
    // VitePress and Tailwind mark only the dark one.
    return system === 'dark' && getComputedStyle(document.documentElement).colorScheme === 'light' ? 'light' : system;
  }

  const watching = new Set();
  let watchers = null;
  function watchTheme(element) {
    watching.add(element);
    if (watchers) return;
    const tell = () => { for (const each of watching) each.followTheme(); };
    const observer = new MutationObserver(tell);
    for (const node of [document.documentElement, document.body]) {
      if (node) observer.observe(node, { attributes: true, attributeFilter: MARKS });
    }
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);
    watchers = observer;
  }

  // ---- the fragment that the frame starts with

  function fragmentOf(element) {
    const request = (element.getAttribute('request') || '').trim();
    const asJson = request.startsWith('{');
    const link = asJson ? '' : request.replace(/^.*#/, '');
    const parts = [link || 'v=1'];
    const add = (key, value) => {
      if (value === null || value === '') return;
      parts.push(`${key}=${encodeURIComponent(value)}`);
    };
    if (asJson) add('req', request);
    add('lang', element.language());
    add('theme', element.theme());
    add('cur', element.getAttribute('currency'));
    add('view', element.getAttribute('view'));
    add('lock', element.getAttribute('lock'));
    add('height', element.fixedHeight() ? 'fixed' : 'auto');
    add('host', location.origin);
    return parts.join('&');
  }

  class XuankaCalculator extends HTMLElement {
    static get observedAttributes() {
      return ['lang', 'theme', 'currency', 'view', 'lock', 'request', 'height', 'src'];
    }

    constructor() {
      super();
      this.frame = null;
      this.heard = false;
      this.last = {};
      this.onMessage = this.onMessage.bind(this);
      this.onViolation = this.onViolation.bind(this);
    }

    // ---- attributes

    language() {
      const asked = this.getAttribute('lang') || document.documentElement.lang || navigator.language || '';
      return this.hasAttribute('lang') ? asked : /^zh/i.test(asked) ? 'zh' : 'en';
    }
    theme() {
      const asked = this.getAttribute('theme') || 'auto';
      return asked === 'auto' ? pageTheme() : asked;
    }
    fixedHeight() {
      const asked = (this.getAttribute('height') || 'auto').trim();
      const pixels = /^\d{2,5}(px)?$/.test(asked) ? Number.parseInt(asked, 10) : 0;
      return pixels ? Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, pixels)) : 0;
    }
    words() { return TEXT[/^zh/i.test(this.language()) ? 'zh' : 'en']; }
    /** The request of now, as an object; null before the calculator is ready. */
    get request() { return this.last.request || null; }
    set request(value) { this.setAttribute('request', typeof value === 'string' ? value : JSON.stringify(value)); }
    /** The report on it. */
    get report() { return this.last.report || null; }

    attributeChangedCallback(name, before, after) {
      if (before === after || !this.frame) return;
      if (name === 'src') return void this.restart();
      if (name === 'height') return void this.size(this.fixedHeight() || this.natural || START_HEIGHT);
      if (name === 'theme') return void this.followTheme();
      if (!this.heard) return void this.restart();
      if (name === 'request') {
        const text = (after || '').trim();
        this.post('set', text.startsWith('{') ? { request: text } : { fragment: text.replace(/^.*#/, '') || 'v=1' });
      } else {
        this.post('set', { [name]: name === 'lang' ? this.language() : after || '' });
      }
    }

    // ---- life

    connectedCallback() {
      if (!this.style.display) this.style.display = 'block';
      addEventListener('message', this.onMessage);
      document.addEventListener('securitypolicyviolation', this.onViolation);
      watchTheme(this);
      if (typeof IntersectionObserver === 'undefined') return void this.start();
      this.style.minHeight = `${this.fixedHeight() || START_HEIGHT}px`;
      this.sight = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.start();
      }, { rootMargin: '400px' });
      this.sight.observe(this);
    }

    disconnectedCallback() {
      removeEventListener('message', this.onMessage);
      document.removeEventListener('securitypolicyviolation', this.onViolation);
      watching.delete(this);
      if (this.sight) this.sight.disconnect();
      clearTimeout(this.patience);
      this.replaceChildren();
      this.frame = null;
      this.heard = false;
    }

    restart() {
      this.replaceChildren();
      this.frame = null;
      this.heard = false;
      this.start();
    }

    start() {
      if (this.sight) this.sight.disconnect();
      if (this.frame || !this.isConnected) return;
      let address;
      try {
        address = new URL(this.getAttribute('src') || PAGE, this.hasAttribute('src') ? document.baseURI : BASE);
        if (!/^(https?|file):$/.test(address.protocol)) throw new TypeError(address.protocol);
      } catch (error) {
        return void this.say('bad_address', 'address', { reason: error.message });
      }
      // Files have no origin of their own, and a message can only be addressed to everyone.
      this.origin = address.protocol === 'file:' ? 'null' : address.origin;
      address.hash = fragmentOf(this);
      this.address = address.href;
      const frame = document.createElement('iframe');
      frame.title = this.getAttribute('title') || this.words().title;
      frame.allow = 'clipboard-write; fullscreen';
      frame.style.cssText = 'display:block;width:100%;border:0;color-scheme:normal';
      this.frame = frame;
      this.size(this.fixedHeight() || START_HEIGHT);
      frame.src = this.address;
      frame.addEventListener('load', () => this.post('hello'));
      this.replaceChildren(frame);
      clearTimeout(this.patience);
      this.patience = setTimeout(() => { if (!this.heard) this.say('silent', 'silent', { origin: this.origin }); }, PATIENCE_MS);
    }

    size(pixels) {
      if (!this.frame) return;
      const height = `${Math.round(Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, pixels)))}px`;
      this.frame.style.height = height;
      this.style.minHeight = '';
    }

    // ---- what cannot be helped is said where the calculator would be

    say(code, key, values) {
      const words = this.words();
      const text = words[key].replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
      const box = document.createElement('p');
      box.setAttribute('role', 'alert');
      box.style.cssText = 'margin:0;padding:12px 16px;border:1px solid;border-radius:8px;font:inherit';
      box.append(`${text} `);
      if (this.address) {
        const link = document.createElement('a');
        link.href = this.address.replace(/&host=[^&]*/, '');
        link.target = '_blank';
        link.rel = 'noopener';
        link.textContent = words.open;
        box.append(link);
      }
      clearTimeout(this.patience);
      this.style.minHeight = '';
      this.frame = null;
      this.replaceChildren(box);
      this.tell('error', { code, message: text });
    }

    onViolation(event) {
      if (!this.frame || this.heard || !/^(frame-src|child-src|default-src)$/.test(event.effectiveDirective)) return;
      const blocked = event.blockedURI || '';
      if (blocked && this.address.startsWith(blocked)) this.say('blocked', 'blocked', { origin: this.origin });
    }

    // ---- messages

    post(type, data) {
      if (!this.frame || !this.frame.contentWindow) return;
      const target = this.origin === 'null' ? '*' : this.origin;
      this.frame.contentWindow.postMessage({ source: 'xuanka', v: 1, type, ...data }, target);
    }

    followTheme() {
      if (this.frame && this.heard) this.post('theme', { theme: this.theme() });
    }

    // Listeners of the page may fail; that is theirs, and the element goes on.
    tell(type, detail) {
      this.dispatchEvent(new CustomEvent(type, { detail }));
    }

    onMessage(event) {
      if (!this.frame || event.source !== this.frame.contentWindow || event.origin !== this.origin) return;
      const data = event.data;
      if (!isObject(data) || data.source !== 'xuanka' || data.v !== 1) return;
      const first = !this.heard;
      switch (data.type) {
        case 'height':
          if (typeof data.height !== 'number' || !Number.isFinite(data.height) || data.height <= 0) return;
          this.natural = data.height;
          if (!this.fixedHeight()) this.size(data.height);
          return;
        case 'scroll':
          if (typeof data.dy === 'number' && Number.isFinite(data.dy)) scrollBy(0, Math.max(-2000, Math.min(2000, data.dy)));
          return;
        case 'ready':
        case 'result':
          if (!isObject(data.request) || !isObject(data.report)) return;
          this.last = { request: data.request, report: data.report };
          break;
        case 'change':
          if (!isObject(data.request) || !isText(data.fragment, 8000)) return;
          this.last = { ...this.last, request: data.request };
          break;
        case 'error':
          if (!isText(data.code, 64) || !isText(data.message, 2000)) return;
          break;
        default:
          return;
      }
      this.heard = true;
      clearTimeout(this.patience);
      const { source, v, type, ...detail } = data;
      this.tell(type, detail);
      if (first) this.followTheme();
    }
  }
  customElements.define(TAG, XuankaCalculator);
})();
