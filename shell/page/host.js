// What the wizard asks of the page around its canvas (Module.host of web/platform_web.js). Only texts cross.

import { STRINGS, fill } from './strings.js';

const WRITE_MS = 400; // browsers limit how often the address may be written

// Storage may be blocked (private windows, sandboxed frames): then nothing is remembered.
function storage(use) {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}

export function preferredLanguage() {
  const wanted = navigator.languages && navigator.languages.length ? navigator.languages : [navigator.language || ''];
  return String(wanted[0]).toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export class Host {
  constructor(page) {
    this.page = page; // the loader: lang(), stateChanged(), sheet values, notices
    this.written = null;
    this.timer = 0;
    this.pending = null;
  }

  preferredLanguage() { return preferredLanguage(); }
  // Links that are shared open the whole page, also from an embedded one.
  pageAddress() { return location.href.replace(/#.*/, '').replace(/\/embed\.html$/, '/'); }

  // An embedded page has no address that anyone sees, and no business in the history of the page around it.
  replaceFragment(fragment) {
    if (this.page.embedded) return;
    this.pending = fragment;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), WRITE_MS);
  }
  pushFragment(fragment) {
    if (this.page.embedded) return;
    clearTimeout(this.timer);
    this.pending = fragment;
    this.flush(true);
  }
  flush(push = false) {
    if (this.pending === null) return;
    const hash = `#${this.pending}`;
    this.pending = null;
    if (hash === location.hash) return;
    this.written = hash;
    try {
      if (push) history.pushState(null, '', hash);
      else history.replaceState(null, '', hash);
    } catch {
      // Too many writes in a short time: the next change writes again.
    }
  }

  stateChanged() { this.page.stateChanged(); }
  announce(text) { document.getElementById('live').textContent = text; }
  notice(text) { this.page.notice(text); }
  fatal(text) { this.page.fatal(text); }
  contextLost() { this.page.contextLost(); }
  contextRestored() { this.page.contextRestored(); }

  scrollHost(dy) {
    if (!this.page.frame) return false;
    this.page.frame.scrollBy(dy);
    return true;
  }

  // The measurements beside their estimates: in the page itself where it is one file.
  measurements() {
    const inline = document.getElementById('measured');
    if (inline) return Promise.resolve(inline.textContent);
    const address = new URL(document.getElementById('cover').dataset.measured, document.baseURI);
    return fetch(address).then((response) => (response.ok ? response.text() : ''));
  }

  // Examples, architectures and providers: script and texts come when they are asked for.
  openGuide() {
    const inline = document.getElementById('reference');
    const load = (name) => new URL(document.getElementById('cover').dataset[name], document.baseURI);
    const texts = inline ? Promise.resolve(inline.textContent)
      : fetch(load('reference')).then((response) => (response.ok ? response.text() : Promise.reject(new Error(response.status))));
    const script = globalThis.xuankaGuide ? Promise.resolve() : new Promise((resolve, reject) => {
      document.head.append(Object.assign(document.createElement('script'), { src: load('guide'), onload: resolve, onerror: reject }));
    });
    Promise.all([texts, script]).then(([text]) => globalThis.xuankaGuide(this.page, text))
      .catch((error) => {
        const words = fill(STRINGS[this.page.lang()].noFetch, { reason: error.message || 'guide' });
        const dialog = Object.assign(document.createElement('dialog'), { id: 'guide', textContent: words });
        dialog.onclick = () => dialog.close();
        dialog.onclose = () => dialog.remove();
        document.body.append(dialog);
        dialog.showModal();
      });
  }

  remembered(key) { return this.page.embedded ? null : storage((s) => s.getItem(`xuanka.${key}`)); }
  remember(pair) {
    if (this.page.embedded) return;
    const at = pair.indexOf('=');
    storage((s) => s.setItem(`xuanka.${pair.slice(0, at)}`, pair.slice(at + 1)));
  }

  print() { window.print(); }

  saveBlob(name, blob) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  copyFailed(text) {
    this.openSheet(JSON.stringify({
      key: '', title: STRINGS[this.page.lang()].copyFailed, value: text, unit: '', hint: '', kind: 'long',
    }));
  }

  // A real input in a sheet: soft keyboards and input methods work in it on every device.
  openSheet(json) {
    const request = JSON.parse(json);
    const text = STRINGS[this.page.lang()];
    const sheet = document.getElementById('sheet');
    const form = sheet.querySelector('form');
    const long = request.kind === 'long';
    const input = document.createElement(long ? 'textarea' : 'input');
    input.id = 'sheet-input';
    input.value = request.value;
    if (!long) input.type = 'text';
    if (request.kind === 'number') input.inputMode = 'decimal';
    input.autocomplete = 'off';
    input.setAttribute('autocapitalize', 'off');
    input.spellcheck = false;
    const label = document.createElement('label');
    label.htmlFor = input.id;
    label.textContent = request.title;
    const row = document.createElement('div');
    row.className = 'sheet-row';
    row.append(input);
    if (request.unit) {
      const unit = document.createElement('span');
      unit.className = 'unit';
      unit.textContent = request.unit;
      row.append(unit);
    }
    const parts = [label, row];
    if (request.hint) {
      const hint = document.createElement('p');
      hint.className = 'hint';
      hint.id = 'sheet-hint';
      hint.textContent = request.hint;
      input.setAttribute('aria-describedby', hint.id);
      parts.push(hint);
    }
    const buttons = document.createElement('div');
    buttons.className = 'sheet-buttons';
    const cancel = document.createElement('button');
    cancel.type = 'button';
    cancel.textContent = text.cancel;
    cancel.addEventListener('click', () => sheet.close('cancel'));
    const ok = document.createElement('button');
    ok.type = 'submit';
    ok.className = 'primary';
    ok.textContent = text.ok;
    buttons.append(cancel, ok);
    form.replaceChildren(...parts, buttons);
    form.onsubmit = (event) => {
      event.preventDefault();
      sheet.close('ok');
    };
    sheet.onclose = () => {
      if (sheet.returnValue === 'ok' && request.key) this.page.sheetClosed(request.key, input.value);
      this.page.focusCanvas();
    };
    sheet.returnValue = '';
    sheet.showModal();
    input.focus();
    input.select();
  }
}
