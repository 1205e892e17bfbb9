// The wasm module in pages, workers, node, Deno and Bun. Nothing here is read or fetched but the one file.

import { Core } from './core.js';
import { LoadError } from './errors.js';
import create from './xuanka_api.js';

async function readFile(url) {
  // The name in a variable: bundlers for the browser need not find it.
  const name = 'node:fs/promises';
  const { readFile: read } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  return read(url);
}

async function fetched(response) {
  if (!response.ok) throw new LoadError(`${response.url}: HTTP status ${response.status}`);
  return response.arrayBuffer();
}

// Bytes or a compiled module of whatever the caller has.
async function bytesOf(wasm) {
  if (wasm instanceof WebAssembly.Module || wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return wasm;
  if (typeof Response === 'function' && wasm instanceof Response) return fetched(wasm);
  const url = wasm instanceof URL ? wasm : new URL(wasm, globalThis.location?.href ?? import.meta.url);
  return url.protocol === 'file:' ? readFile(url) : fetched(await fetch(url));
}

/** A core that has loaded its catalog. */
export async function instantiate(wasm = new URL('./xuanka_api.wasm', import.meta.url)) {
  try {
    const source = await bytesOf(wasm);
    const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const module = await new Promise((resolve, reject) => {
      create({
        instantiateWasm(imports, use) {
          WebAssembly.instantiate(compiled, imports).then(use, reject);
          return {};
        },
        printErr() {},
      }).then(resolve, reject);
    });
    return new Core(module).init();
  } catch (cause) {
    if (cause instanceof LoadError) throw cause;
    throw new LoadError(`the program cannot be loaded: ${cause?.message ?? cause}`, { cause });
  }
}
