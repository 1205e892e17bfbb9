// The program inside the single file: deflated, then written with 85 characters that mean nothing in HTML, four bytes
// to five characters (pack.py writes it).

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=?@[]^_{}';

export const hasPackedProgram = () => document.getElementById('program') !== null;

function decode(text, size) {
  const value = new Uint8Array(128);
  for (let i = 0; i < ALPHABET.length; i += 1) value[ALPHABET.charCodeAt(i)] = i;
  const out = new Uint8Array(Math.ceil(size / 4) * 4);
  let at = 0;
  for (let i = 0; i + 5 <= text.length; i += 5) {
    let word = 0; // up to 85^5 - 1: more than 32 bits, exact in a double
    for (let k = 0; k < 5; k += 1) word = word * 85 + value[text.charCodeAt(i + k)];
    out[at] = word / 16777216;
    out[at + 1] = (word >>> 16) & 255;
    out[at + 2] = (word >>> 8) & 255;
    out[at + 3] = word & 255;
    at += 4;
  }
  return out.subarray(0, size);
}

export async function packedProgram() {
  const holder = document.getElementById('program');
  const bytes = decode(holder.textContent.trim(), Number(holder.dataset.size));
  if (typeof DecompressionStream === 'undefined') throw new Error('DecompressionStream');
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
