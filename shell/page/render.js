// The HTML twin as text: the page shows it live, the build writes it into index.html so that the default answer is
// there before any script has run. Pure functions of the wizard's JSON (form_json and results_json).

import { STRINGS } from './strings.js';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(value) {
  return String(value ?? '').replace(/[&<>"']/g, (c) => ENTITIES[c]);
}

const textOf = (item) => (typeof item === 'object' && item !== null ? item.text : item);

export function answerSentence(answer) {
  return [answer.headline, answer.range].filter(Boolean).join(' ');
}

// The answer without the sentence, which has a live region of its own.
export function answerDetailsHtml(answer, lang) {
  const text = STRINGS[lang];
  let html = answer.why ? `<p class="why">${escapeHtml(answer.why)}</p>` : '';
  if (answer.pills && answer.pills.length) {
    const pill = (item) => `<li class="pill ${escapeHtml((item && item.tone) || 'neutral')}">${escapeHtml(textOf(item))}</li>`;
    html += `<ul class="pills">${answer.pills.map(pill).join('')}</ul>`;
  }
  if (answer.alternatives && answer.alternatives.length) {
    const one = (item) => `<li><span>${escapeHtml(item.title)}</span> <b>${escapeHtml(item.headline)}</b> `
      + `<span>${escapeHtml(item.detail)}</span></li>`;
    html += `<ul class="alternatives">${answer.alternatives.map(one).join('')}</ul>`;
  }
  if (answer.watch && answer.watch.length) {
    html += `<h3>${escapeHtml(text.watch)}</h3><ul>${answer.watch.map((w) => `<li>${escapeHtml(textOf(w))}</li>`).join('')}</ul>`;
  }
  return html;
}

export function tableHtml(table, lang) {
  const id = `twin-${escapeHtml(table.id)}`;
  const head = table.head.map((cell) => `<th scope="col">${escapeHtml(textOf(cell))}</th>`).join('');
  const data = (cell, i) => (i === 0 ? `<th scope="row">${escapeHtml(textOf(cell))}</th>` : `<td>${escapeHtml(textOf(cell))}</td>`);
  const row = (cells) => `<tr>${cells.map(data).join('')}</tr>`;
  // A region that scrolls sideways must be reachable by keyboard, and then needs a name.
  const label = `${textOf(table.caption)} (${STRINGS[lang].scrolls})`;
  const long = table.rows.length > 60 && table.id !== 'plans' ? ' long' : '';
  return `<div class="sideways${long}" role="region" tabindex="0" aria-label="${escapeHtml(label)}"><table id="${id}">`
    + `<caption>${escapeHtml(table.caption)}</caption><thead><tr>${head}</tr></thead>`
    + `<tbody>${table.rows.map(row).join('')}</tbody></table></div>`;
}

function optionHtml(option, value) {
  const selected = option.value === value ? ' selected' : '';
  return `<option value="${escapeHtml(option.value)}"${selected}>${escapeHtml(option.label)}</option>`;
}

// The control alone; `id` also names its hint and error.
function controlHtml(field, id, lang) {
  const text = STRINGS[lang];
  const described = [field.hint && `${id}-hint`, field.error && `${id}-error`].filter(Boolean).join(' ');
  const common = `id="${id}" name="${escapeHtml(field.key)}" data-key="${escapeHtml(field.key)}"`
    + (described ? ` aria-describedby="${described}"` : '')
    + (field.error ? ' aria-invalid="true"' : '')
    + (field.locked ? ' disabled' : '');
  const options = field.options || [];
  if (field.type === 'toggle') {
    const words = options.length ? options
      : [{ value: '', label: text.auto }, { value: '1', label: text.yes }, { value: '0', label: text.no }];
    return `<select ${common}>${words.map((o) => optionHtml(o, field.value)).join('')}</select>`;
  }
  if (field.type === 'choice' && options.length) {
    const known = options.some((o) => o.value === field.value);
    const extra = known ? '' : optionHtml({ value: field.value, label: field.value || field.placeholder || text.auto }, field.value);
    return `<select ${common}>${extra}${options.map((o) => optionHtml(o, field.value)).join('')}</select>`;
  }
  const placeholder = field.placeholder ? ` placeholder="${escapeHtml(field.placeholder)}"` : '';
  if (field.type === 'long') {
    return `<textarea ${common}${placeholder} rows="3" spellcheck="false">${escapeHtml(field.value)}</textarea>`;
  }
  const mode = field.type === 'number' ? ' inputmode="decimal"' : '';
  return `<input type="text" ${common}${placeholder}${mode} value="${escapeHtml(field.value)}" autocomplete="off" spellcheck="false">`;
}

function manyHtml(field, id) {
  const chosen = new Set(String(field.value).split(',').filter(Boolean));
  const box = (option, i) => `<label><input type="checkbox" data-many="${escapeHtml(field.key)}" value="${escapeHtml(option.value)}"`
    + ` id="${i ? `${id}-${i}` : id}"${chosen.has(option.value) ? ' checked' : ''}${field.locked ? ' disabled' : ''}> ${escapeHtml(option.label)}</label>`;
  return `<div class="boxes">${field.options.map(box).join('')}</div>`;
}

export function fieldHtml(field, lang) {
  const id = `in-${escapeHtml(field.key)}`;
  const many = field.type === 'many' && field.options && field.options.length;
  const hint = field.hint ? `<p class="hint" id="${id}-hint">${escapeHtml(field.hint)}</p>` : '';
  const error = field.error ? `<p class="error" id="${id}-error">${escapeHtml(field.error)}</p>` : '';
  const unit = field.unit ? ` <span class="unit">${escapeHtml(field.unit)}</span>` : '';
  const shown = field.visible ? '' : ' hidden';
  if (many) {
    return `<fieldset class="field many" data-field="${escapeHtml(field.key)}"${shown}><legend>${escapeHtml(field.label)}</legend>`
      + `${manyHtml(field, id)}${hint}${error}</fieldset>`;
  }
  return `<div class="field" data-field="${escapeHtml(field.key)}"${shown}><label for="${id}">${escapeHtml(field.label)}${unit}</label>`
    + `${controlHtml(field, id, lang)}${hint}${error}</div>`;
}

// One fieldset per step, one heading per group.
export function formHtml(form, lang) {
  const text = STRINGS[lang];
  return form.steps.map((step) => {
    const fields = form.fields.filter((field) => field.step === step.id);
    if (!fields.length) return '';
    const groups = [...new Set(fields.map((field) => field.group || ''))];
    const body = groups.map((group) => {
      const members = fields.filter((field) => (field.group || '') === group);
      const hidden = members.some((field) => field.visible) ? '' : ' hidden';
      const heading = group ? `<p class="group-name"${hidden} data-group>${escapeHtml(text[group] || group)}</p>` : '';
      return `<div class="group">${heading}<div class="fields">${members.map((f) => fieldHtml(f, lang)).join('')}</div></div>`;
    }).join('');
    return `<fieldset class="step"><legend>${escapeHtml(step.title)}</legend>${body}</fieldset>`;
  }).join('');
}

// The whole inside of <main id="twin">. Without a form (before any script has run) only answer and tables.
export function twinHtml(form, results, lang) {
  const text = STRINGS[lang];
  const notices = ((form && form.notices) || []).map((n) => `<li>${escapeHtml(textOf(n))}</li>`).join('');
  return `<header><h2 id="twin-title" tabindex="-1">${escapeHtml(text.twin)}</h2><p>${escapeHtml(text.twinHint)}</p></header>`
    + `<section id="twin-answer" aria-labelledby="twin-results-title"><h2 id="twin-results-title" class="offscreen">${escapeHtml(text.results)}</h2>`
    + `<p class="sentence"><output id="twin-sentence" role="status" aria-live="polite"${form ? ' for="twin-form"' : ''}>${escapeHtml(answerSentence(results.answer))}</output></p>`
    + `<div id="twin-details">${answerDetailsHtml(results.answer, lang)}</div></section>`
    + `<ul id="twin-notices" role="alert"${notices ? '' : ' hidden'}>${notices}</ul>`
    + (form ? `<section aria-labelledby="twin-inputs-title"><h2 id="twin-inputs-title">${escapeHtml(text.inputs)}</h2>`
      + `<form id="twin-form" autocomplete="off" novalidate>${formHtml(form, lang)}</form></section>` : '')
    + `<div id="twin-tables">${results.tables.map((t) => tableHtml(t, lang)).join('')}</div>`;
}
