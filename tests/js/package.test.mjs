// The npm package under node, installed as npm would lay it out: node --test package.test.mjs, with XUANKA_JS_DIR set.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const built = process.env.XUANKA_JS_DIR;
const LORA = {
  version: 1,
  id: 'lora',
  workload: { kind: 'lora', model: { id: 'llama-2-7b' }, data: { tokens: 50e6 } },
  hardware: { gpus: ['rtx-4090-24gb'], counts: [1, 2] },
};
let folder;
let xuanka;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xuanka-js-'));
  mkdirSync(join(folder, 'node_modules'));
  cpSync(built, join(folder, 'node_modules', 'xuanka'), { recursive: true });
  // From a user's own file: the package is found by its name.
  writeFileSync(join(folder, 'user.mjs'), "export * from 'xuanka';\n");
  xuanka = await import(pathToFileURL(join(folder, 'user.mjs')));
});
after(() => rmSync(folder, { recursive: true }));

test('a report is the command line\'s', async () => {
  const report = await xuanka.rank(LORA);
  assert.equal(report.id, 'lora');
  const line = spawnSync(process.env.XUANKA_CLI, ['batch'], { input: `${JSON.stringify(LORA)}\n`, encoding: 'utf8' });
  assert.deepEqual(report, JSON.parse(line.stdout));
  assert.equal(report.candidates[report.recommended].gpu, 'rtx-4090-24gb');
  assert.deepEqual(await xuanka.rank(JSON.stringify(LORA)), report);
});

test('view and explain speak both languages', async () => {
  const [en, zh] = [await xuanka.view(LORA), await xuanka.view(LORA, { lang: 'zh' })];
  assert.match(en.answer.headline, /RTX 4090/);
  assert.match(zh.answer.why, /[\u4e00-\u9fff]/);
  const { candidate, steps } = await xuanka.explain(LORA);
  assert.equal(candidate.gpu, 'rtx-4090-24gb');
  assert.ok(steps.length > 5 && steps.every((step) => step.title && step.source !== undefined));
});

test('the catalog is what ships, a fresh copy each time', async () => {
  const shipped = JSON.parse(readFileSync(join(process.env.XUANKA_SOURCE_DIR, 'assets/catalog/gpus.json'))).gpus;
  const gpus = await xuanka.catalog('gpus');
  assert.deepEqual(gpus, shipped);
  gpus.length = 0;
  assert.equal((await xuanka.catalog('gpus')).length, shipped.length);
  for (const what of ['models', 'offers', 'datasets', 'sources', 'purchase']) assert.ok((await xuanka.catalog(what)).length > 10);
  await assert.rejects(xuanka.catalog('prices'), TypeError);
});

test('a wrong request is a RequestError with every issue', async () => {
  const wrong = { ...LORA, workload: { ...LORA.workload, kind: 'loar', seq_len: -1 } };
  await assert.rejects(xuanka.rank(wrong), (error) => {
    assert.ok(error instanceof xuanka.RequestError && error instanceof xuanka.XuankaError && error instanceof Error);
    assert.equal(error.name, 'RequestError');
    assert.equal(error.id, 'lora');
    assert.deepEqual(error.issues.map((issue) => issue.path).sort(), ['workload.kind', 'workload.seq_len']);
    return true;
  });
  await assert.rejects(xuanka.rank(wrong, { lang: 'zh' }), (error) => /[\u4e00-\u9fff]/.test(error.issues[0].message));
  await assert.rejects(xuanka.rank('{'), xuanka.RequestError);
  await assert.rejects(xuanka.rank(7), TypeError);
  await assert.rejects(xuanka.rank(LORA, { lang: 'fr' }), TypeError);
});

test('numbers that JSON cannot carry are refused, not dropped', async () => {
  const request = { ...LORA, hardware: { counts: [1, NaN] } };
  await assert.rejects(xuanka.rank(request), (error) => {
    assert.deepEqual([error.issues[0].code, error.issues[0].path], ['not_finite', 'hardware.counts[1]']);
    return true;
  });
  await assert.rejects(xuanka.rank({ ...LORA, decision: { deadline_hours: Infinity } }), xuanka.RequestError);
  await assert.rejects(xuanka.rank({ ...LORA, id: 1n }), /id: JSON has no bigint/);
});

test('check tells instead of throwing', async () => {
  assert.deepEqual(await xuanka.check(LORA), { ok: true, issues: [], unknown: [] });
  const odd = await xuanka.check({ ...LORA, hardwear: {} });
  assert.deepEqual([odd.ok, odd.unknown], [true, ['hardwear']]);
  const bad = await xuanka.check({ version: 1 });
  assert.equal(bad.ok, false);
  assert.equal(bad.issues[0].path, 'workload');
});

test('hundreds of reports in one instance, of any size and character', async () => {
  const program = await xuanka.load();
  const first = JSON.stringify(program.rank(LORA));
  for (let i = 0; i < 300; i++) program.rank({ ...LORA, id: '题'.repeat(i * 20) });
  assert.equal(JSON.stringify(program.rank(LORA)), first);
  assert.equal(await xuanka.load(), program);
});

test('what cannot be loaded is a LoadError, and the next load can succeed', async () => {
  const whole = readFileSync(join(built, 'xuanka_api.wasm'));
  await assert.rejects(xuanka.load({ wasm: whole.subarray(0, 5000) }), xuanka.LoadError);
  await assert.rejects(xuanka.load({ wasm: new URL('file:///no/such/file.wasm') }), xuanka.LoadError);
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/ok' ? 200 : 404, { 'content-type': 'text/plain' });
    response.end(request.url === '/ok' ? whole : 'no');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  await assert.rejects(xuanka.load({ wasm: `${base}/none` }), /404/);
  // A server that does not know the content type of wasm is no obstacle.
  assert.equal((await xuanka.load({ wasm: `${base}/ok` })).rank(LORA).ok, true);
  server.close();
  assert.equal((await xuanka.load({ wasm: await WebAssembly.compile(whole) })).rank(LORA).ok, true);
  assert.equal((await xuanka.load({ wasm: new Response(whole) })).check(LORA).ok, true);
});

test('after a crash the instance says so and the next load is a new one', async () => {
  const broken = new xuanka.Xuanka({ rank() { throw new WebAssembly.RuntimeError('unreachable'); } });
  assert.throws(() => broken.rank(LORA), xuanka.CrashError);
  assert.throws(() => broken.catalog('gpus'), xuanka.CrashError);
  assert.equal(broken.usable, false);
});

test('the package has what its manifest says, and no more than it may weigh', () => {
  const manifest = JSON.parse(readFileSync(join(built, 'package.json')));
  assert.match(manifest.version, /^\d+\.\d+\.\d+/);
  for (const target of [manifest.exports['.'].types, manifest.exports['.'].default, manifest.exports['./xuanka_api.wasm'], 'LICENSE', 'README.md', 'schema/request.schema.json']) {
    assert.ok(readFileSync(join(built, target)).length > 100, target);
  }
  let size = 0;
  for (const name of readdirSync(built).filter((file) => /\.(js|wasm)$/.test(file))) {
    size += brotliCompressSync(readFileSync(join(built, name)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
    assert.doesNotMatch(name, /app|canvas/);
  }
  console.log(`brotli: ${(size / 1000).toFixed(1)} of 250 kB`);
  assert.ok(size <= 250_000, `${size} bytes`);
});

test('the example of the README runs', () => {
  const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(built, 'README.md'), 'utf8'))[1];
  writeFileSync(join(folder, 'example.mjs'), example);
  const run = spawnSync(process.execPath, [join(folder, 'example.mjs')], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /^\d+ x [a-z0-9-]+: [\d.]+ h, [\d.]+ CNY\n$/);
});
