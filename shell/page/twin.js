// The live HTML twin: the wizard's inputs as a form, its results as tables, both from the same core and state as the
// canvas. Whatever changes on one side shows on the other.

import { answerDetailsHtml, answerSentence, fieldHtml, formHtml, tableHtml, twinHtml, escapeHtml } from './render.js';

const SETTLE_MS = 250; // typing pauses this long before it counts

export class Twin {
  constructor(root, core) {
    this.root = root;
    this.core = core;
    this.lang = '';
    this.answer = {};
    this.shape = '';
    this.fields = new Map();
    this.tables = new Map();
    this.timer = 0;
    this.typing = 0;
    this.typed = null;
    root.addEventListener('input', (event) => this.onInput(event));
    root.addEventListener('change', (event) => this.onChange(event));
    root.addEventListener('submit', (event) => event.preventDefault());
  }

  // Results settle before they are told: a live region that changes with each key is noise.
  schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), SETTLE_MS);
  }

  refresh() {
    this.commitTyped(); // a form drawn anew must not lose what is being typed
    const lang = this.core.text('xuanka_page_lang') === 'en' ? 'en' : 'zh';
    const form = JSON.parse(this.core.text('xuanka_page_form'));
    const results = JSON.parse(this.core.text('xuanka_page_results'));
    this.answer = results.answer;
    if (lang !== this.lang || !this.root.querySelector('#twin-form')) {
      this.lang = lang;
      this.root.innerHTML = twinHtml(form, results, lang);
      this.remember(form, results);
      return;
    }
    this.patchForm(form);
    this.patchResults(results);
  }

  // The answer of now, for the panel that stands in for a lost canvas.
  answerHtml() {
    return `<p class="sentence">${escapeHtml(answerSentence(this.answer))}</p>${answerDetailsHtml(this.answer, this.lang)}`;
  }

  remember(form, results) {
    this.shape = form.fields.map((field) => field.key).join();
    this.fields = new Map(form.fields.map((field) => [field.key, JSON.stringify(field)]));
    this.tables = new Map(results.tables.map((table) => [table.id, JSON.stringify(table)]));
  }

  patchForm(form) {
    const shape = form.fields.map((field) => field.key).join();
    const target = this.root.querySelector('#twin-form');
    if (shape !== this.shape) {
      target.innerHTML = formHtml(form, this.lang);
    } else {
      for (const field of form.fields) {
        const text = JSON.stringify(field);
        if (this.fields.get(field.key) !== text) this.patchField(field);
      }
      for (const group of target.querySelectorAll('.group')) {
        const heading = group.querySelector('[data-group]');
        if (heading) heading.hidden = !group.querySelector('.field:not([hidden])');
      }
    }
    this.shape = shape;
    this.fields = new Map(form.fields.map((field) => [field.key, JSON.stringify(field)]));
    const notices = this.root.querySelector('#twin-notices');
    const html = (form.notices || []).map((n) => `<li>${escapeHtml(n.text ?? n)}</li>`).join('');
    if (notices.innerHTML !== html) notices.innerHTML = html;
    notices.hidden = !html;
  }

  // A field is made anew, but the one that is being typed in keeps its text and its caret.
  patchField(field) {
    const old = this.root.querySelector(`[data-field="${CSS.escape(field.key)}"]`);
    if (!old) return;
    const active = document.activeElement;
    const focused = active && old.contains(active) ? active : null;
    const holder = document.createElement('template');
    holder.innerHTML = fieldHtml(field, this.lang);
    const fresh = holder.content.firstElementChild;
    if (focused) {
      const twin = fresh.querySelector(`#${CSS.escape(focused.id)}`);
      if (twin && twin.tagName === focused.tagName) {
        for (const name of ['aria-invalid', 'aria-describedby']) {
          if (twin.hasAttribute(name)) focused.setAttribute(name, twin.getAttribute(name));
          else focused.removeAttribute(name);
        }
        // Everything around the control is new, the control itself stays in the document.
        for (const note of old.querySelectorAll('.hint, .error')) note.remove();
        old.append(...fresh.querySelectorAll('.hint, .error'));
        if (focused.tagName === 'SELECT') focused.value = field.value;
        else if (focused.type === 'checkbox') focused.checked = twin.checked;
        return;
      }
    }
    old.replaceWith(fresh);
  }

  patchResults(results) {
    const sentence = this.root.querySelector('#twin-sentence');
    const said = answerSentence(results.answer);
    if (sentence.textContent !== said) sentence.textContent = said;
    const details = answerDetailsHtml(results.answer, this.lang);
    const target = this.root.querySelector('#twin-details');
    if (target.innerHTML !== details) target.innerHTML = details;
    const tables = this.root.querySelector('#twin-tables');
    const ids = results.tables.map((table) => table.id).join();
    if (ids !== [...this.tables.keys()].join()) {
      tables.innerHTML = results.tables.map((table) => tableHtml(table, this.lang)).join('');
    } else {
      results.tables.forEach((table, i) => {
        if (this.tables.get(table.id) === JSON.stringify(table)) return;
        const holder = document.createElement('template');
        holder.innerHTML = tableHtml(table, this.lang);
        tables.children[i].replaceWith(holder.content.firstElementChild);
      });
    }
    this.tables = new Map(results.tables.map((table) => [table.id, JSON.stringify(table)]));
  }

  onInput(event) {
    if (!event.target.dataset.key || event.target.tagName === 'SELECT') return;
    clearTimeout(this.typing);
    this.typed = event.target;
    this.typing = setTimeout(() => this.commitTyped(), SETTLE_MS);
  }

  onChange(event) {
    clearTimeout(this.typing);
    this.typed = null;
    this.commit(event.target);
  }

  commitTyped() {
    clearTimeout(this.typing);
    const control = this.typed;
    this.typed = null;
    if (control) this.commit(control);
  }

  commit(control) {
    const many = control.dataset.many;
    if (many) {
      const boxes = this.root.querySelectorAll(`[data-many="${CSS.escape(many)}"]`);
      this.set(many, [...boxes].filter((box) => box.checked).map((box) => box.value).join(','));
    } else if (control.dataset.key) {
      this.set(control.dataset.key, control.value);
    }
  }

  set(key, value) {
    this.core.invoke('xuanka_page_set_field', key, value);
    this.schedule();
  }
}
