// How long the wasm module takes under node: the default ranking and every count from 1 to 1024 in powers of two.
//
//     node bench.mjs FOLDER_OF_xuanka_api.js
//
// A request goes in as text and the report comes out as text, as on the page. Prints the median of the runs, in
// processor time: a busy machine changes little.
import { withCore } from '../tools/wasm_core.mjs';

const [folder] = process.argv.slice(2);
const job = { kind: 'finetune', model: { id: 'llama-2-7b' }, data: { tokens: 5e7 }, seq_len: 4096 };
const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const QUESTIONS = [
  ['wasm default_ranking', { version: 1, workload: job }, 41],
  ['wasm counts_to_1024', { version: 1, workload: job, hardware: { counts } }, 11],
];
await withCore(folder, (core) => {
  for (const [name, request, runs] of QUESTIONS) {
    const text = Buffer.from(JSON.stringify(request));
    const times = [];
    for (let i = 0; i < runs; ++i) {
      const start = process.cpuUsage();
      core.bytes('xuanka_rank', text);
      times.push(process.cpuUsage(start).user / 1000);
    }
    times.sort((a, b) => a - b);
    console.log(`${name.padEnd(24)} ${times[runs >> 1].toFixed(1).padStart(8)} ms   (${times[0].toFixed(1)} at best, ${runs} runs)`);
  }
});
