// One request per line in, one report per line out, from the wasm module under node: what `xuanka batch` does natively.
//
//     node batch.mjs FOLDER_OF_xuanka_api.js [rank|view-zh|view-en|explain-zh|explain-en] < requests.jsonl
import { readFileSync, writeSync } from 'node:fs';
import { withCore } from '../tools/wasm_core.mjs';

const [folder, what = 'rank'] = process.argv.slice(2);
await withCore(folder, (core) => {
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
});
