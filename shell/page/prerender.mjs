// Build step: runs the page's own module without a canvas and prints what index.html shows before it has loaded.
//
//     node prerender.mjs FOLDER_OF_THE_PAGE xuanka_app.js    ->  JSON {"twin", "zh", "en"} on standard output
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FIRST_ROWS = 12;
const [folder, program] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'xuanka-'));
try {
  for (const name of ['core.js', 'render.js', 'strings.js']) copyFileSync(join(folder, name), join(work, name));
  copyFileSync(program, join(work, 'xuanka_app.js'));
  writeFileSync(join(work, 'package.json'), '{"type": "module"}');
  const load = (name) => import(pathToFileURL(join(work, name)));
  const { Core } = await load('core.js');
  const { answerDetailsHtml, answerSentence, escapeHtml, twinHtml } = await load('render.js');
  const { default: create } = await load('xuanka_app.js');
  const module = await create({ wasmBinary: readFileSync(program.replace(/\.js$/, '.wasm')), host: {} });
  const core = new Core(module).init();
  if (!core.invoke('xuanka_page_create')) throw new Error('the wizard could not be made');
  const out = {};
  for (const lang of ['en', 'zh']) {
    core.invoke('xuanka_page_set_lang', lang);
    const results = JSON.parse(core.text('xuanka_page_results'));
    out[lang] = `<p class="sentence">${escapeHtml(answerSentence(results.answer))}</p>${answerDetailsHtml(results.answer, lang)}`;
    // The best plans alone: the inputs need a script anyway, more rows and tables would only make the page heavy.
    const best = results.tables.slice(0, 1).map((table) => ({ ...table, rows: table.rows.slice(0, FIRST_ROWS) }));
    if (lang === 'zh') out.twin = twinHtml(null, { ...results, tables: best }, lang);
  }
  process.stdout.write(JSON.stringify(out));
} finally {
  rmSync(work, { recursive: true });
}
