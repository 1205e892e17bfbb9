// The wasm module under node, for the programs that ask it many requests.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const page = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'shell', 'page');

/** Calls `use` with the page's Core over the xuanka_api.wasm in `folder`. */
export async function withCore(folder, use) {
  const work = mkdtempSync(join(tmpdir(), 'xuanka-wasm-'));
  try {
    // Older versions of node tell ES modules by the nearest package.json.
    writeFileSync(join(work, 'package.json'), '{"type": "module"}');
    copyFileSync(join(folder, 'xuanka_api.js'), join(work, 'xuanka_api.js'));
    copyFileSync(join(page, 'core.js'), join(work, 'core.js'));
    const load = (name) => import(pathToFileURL(join(work, name)));
    const { Core } = await load('core.js');
    const { default: create } = await load('xuanka_api.js');
    await use(new Core(await create({ wasmBinary: readFileSync(join(folder, 'xuanka_api.wasm')) })).init());
  } finally {
    rmSync(work, { recursive: true });
  }
}
