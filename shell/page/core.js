// The wasm module's C interface in JavaScript (shell/wasm/abi.hpp): texts in, texts out.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Core {
  constructor(module) {
    this.module = module;
  }

  // Calls an exported function; texts and byte arrays become (pointer, size) pairs, numbers stay.
  invoke(name, ...args) {
    const { module } = this;
    const owned = [];
    const flat = [];
    for (const arg of args) {
      if (typeof arg === 'number') {
        flat.push(arg);
        continue;
      }
      const bytes = typeof arg === 'string' ? encoder.encode(arg) : arg;
      const pointer = module._malloc(bytes.length + 1);
      module.HEAPU8.set(bytes, pointer);
      module.HEAPU8[pointer + bytes.length] = 0;
      owned.push(pointer);
      flat.push(pointer, bytes.length);
    }
    try {
      return module[`_${name}`](...flat);
    } finally {
      for (const pointer of owned) module._free(pointer);
    }
  }

  // The same for functions that return a text: a copy of its bytes.
  bytes(name, ...args) {
    const pointer = this.invoke(name, ...args);
    const size = this.module._xuanka_length();
    return this.module.HEAPU8.slice(pointer, pointer + size);
  }
  text(name, ...args) {
    return decoder.decode(this.bytes(name, ...args));
  }

  // Throws when the shipped data is faulty.
  init() {
    const faults = this.text('xuanka_init');
    if (faults) throw new Error(faults);
    return this;
  }

  rank(request) { return this.text('xuanka_rank', request); }
  view(request, lang) { return this.text('xuanka_view', request, lang === 'zh' ? 0 : 1); }
  explain(request, lang) { return this.text('xuanka_explain', request, lang === 'zh' ? 0 : 1); }
  catalog(what) { return this.text('xuanka_catalog', what); }
}
