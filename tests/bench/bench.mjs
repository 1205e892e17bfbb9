// How long the wasm module takes under node: the default ranking, every count from 1 to 1024 in powers of two, and
// what the page computes when an input changes.
//
//     node bench.mjs FOLDER_OF_xuanka_api.js
//
// A request goes in as text and the report comes out as text. Prints the median of the runs and the best, by the clock,
// after some runs that the engine needs to compile the module for speed. On a busy machine the best says more.
import { withCore } from '../tools/wasm_core.mjs';

const [folder] = process.argv.slice(2);
const job = { kind: 'finetune', model: { id: 'llama-2-7b' }, data: { tokens: 5e7 }, seq_len: 4096 };
const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const QUESTIONS = [
  ['wasm default_ranking', 'xuanka_rank', () => ({ version: 1, workload: job }), 61],
  ['wasm counts_to_1024', 'xuanka_rank', () => ({ version: 1, workload: job, hardware: { counts } }), 15],
  // Another amount of data each time, as when a number is typed: request, ranking and every text that is shown.
  ['wasm changed_input', 'xuanka_view', (i) => ({ version: 1, workload: { ...job, data: { tokens: 5e7 + i } } }), 61],
];
const WARM_UP = 15;
await withCore(folder, (core) => {
  for (const [name, call, request, runs] of QUESTIONS) {
    const times = [];
    for (let i = -WARM_UP; i < runs; ++i) {
      const text = Buffer.from(JSON.stringify(request(i)));
      const language = call === 'xuanka_view' ? [1] : [];
      const start = performance.now();
      core.bytes(call, text, ...language);
      if (i >= 0) times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    console.log(`${name.padEnd(24)} ${times[runs >> 1].toFixed(1).padStart(8)} ms   (${times[0].toFixed(1)} at best, ${runs} runs)`);
  }
});
