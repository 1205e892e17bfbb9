// One request per line in, one report per line out, from the wasm module under node: what `xuanka batch` does natively.
//
//     node batch.mjs FOLDER_OF_xuanka_api.js [rank|view-zh|view-en|explain-zh|explain-en] < requests.jsonl
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [folder, what = 'rank'] = process.argv.slice(2);
const page = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'shell', 'page');
const work = mkdtempSync(join(tmpdir(), 'xuanka-parity-'));
try {
  // Older versions of node tell ES modules by the nearest package.json.
  writeFileSync(join(work, 'package.json'), '{"type": "module"}');
  copyFileSync(join(folder, 'xuanka_api.js'), join(work, 'xuanka_api.js'));
  copyFileSync(join(page, 'core.js'), join(work, 'core.js'));
  const load = (name) => import(pathToFileURL(join(work, name)));
  const { Core } = await load('core.js');
  const { default: create } = await load('xuanka_api.js');
  const core = new Core(await create({ wasmBinary: readFileSync(join(folder, 'xuanka_api.wasm')) })).init();
  const [name, lang] = what.split('-');
  const answer = (line) => (lang ? core.bytes(`xuanka_${name}`, line, lang === 'zh' ? 0 : 1) : core.bytes(`xuanka_${name}`, line));

  const input = readFileSync(0);
  const write = (bytes) => { for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at); };
  for (let start = 0; start < input.length;) {
    let end = input.indexOf(10, start);
    if (end < 0) end = input.length;
    write(answer(input.subarray(start, end)));
    write(Buffer.from('\n'));
    start = end + 1;
  }
} finally {
  rmSync(work, { recursive: true });
}
