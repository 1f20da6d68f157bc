// @ts-check
/** QR codes (ISO/IEC 18004) of addresses: bytes, error correction level M, versions 1 to 13. */

/** Codewords of error correction a block, and blocks, by version. */
const CORRECTION = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22];
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9];

/**
 * Products in the field of 256 elements with the polynomial 0x11D.
 * @param {number} a
 * @param {number} b
 */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/**
 * The remainder that corrects errors.
 * @param {number[]} data
 * @param {number} count
 */
function correction(data, count) {
  let divisor = [...new Array(count - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < count; step += 1) {
    divisor = divisor.map((value, index) => multiply(value, root) ^ (divisor[index + 1] ?? 0));
    root = multiply(root, 2);
  }
  const rest = new Array(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ /** @type {number} */ (rest.shift());
    rest.push(0);
    divisor.forEach((value, index) => { rest[index] ^= multiply(value, factor); });
  }
  return rest;
}

/**
 * How many codewords fit into a version.
 * @param {number} version
 */
function capacity(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2;
    modules -= (25 * marks - 10) * marks - 55;
    if (version >= 7) modules -= 36;
  }
  return modules >>> 3;
}

/**
 * The codewords of a text, data and correction interleaved.
 * @param {Uint8Array} text
 * @param {number} version
 */
function codewords(text, version) {
  const blocks = BLOCKS[version];
  const own = CORRECTION[version];
  const total = capacity(version);
  const room = total - blocks * own;
  const bits = [0, 1, 0, 0];
  const push = (/** @type {number} */ value, /** @type {number} */ count) => { for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1); };
  push(text.length, version < 10 ? 8 : 16);
  for (const byte of text) push(byte, 8);
  push(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(parseInt(bits.slice(at, at + 8).join(''), 2));
  for (let pad = 0; data.length < room; pad ^= 1) data.push(pad ? 0x11 : 0xec);
  const short = Math.floor(room / blocks);
  const long = room % blocks;
  const parts = [];
  for (let index = 0, at = 0; index < blocks; index += 1) {
    const size = short + (index >= blocks - long ? 1 : 0);
    parts.push(data.slice(at, at + size));
    at += size;
  }
  const corrections = parts.map((part) => correction(part, own));
  const out = [];
  for (let at = 0; at <= short; at += 1) for (const part of parts) if (at < part.length) out.push(part[at]);
  for (let at = 0; at < own; at += 1) for (const part of corrections) out.push(part[at]);
  return out;
}

const MASKS = [
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 2 === 0, (/** @type {number} */ x, /** @type {number} */ y) => y % 2 === 0,
  (/** @type {number} */ x) => x % 3 === 0, (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * How hard a code is to read (section 7.8.3).
 * @param {boolean[][]} modules
 */
function penalty(modules) {
  const size = modules.length;
  let sum = 0;
  let dark = 0;
  for (const get of [(/** @type {number} */ a, /** @type {number} */ b) => modules[a][b], (/** @type {number} */ a, /** @type {number} */ b) => modules[b][a]]) {
    for (let a = 0; a < size; a += 1) {
      let line = '';
      for (let b = 0; b < size; b += 1) line += get(a, b) ? '1' : '0';
      for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
      for (let b = 0; b + 11 <= size; b += 1) { const part = line.slice(b, b + 11); if (part === '10111010000' || part === '00001011101') sum += 40; }
    }
  }
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (modules[y][x]) dark += 1;
      if (x + 1 < size && y + 1 < size && modules[y][x] === modules[y][x + 1] && modules[y][x] === modules[y + 1][x] && modules[y][x] === modules[y + 1][x + 1]) sum += 3;
    }
  }
  return sum + Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size)) * 10;
}

/**
 * The bits of a number with a remainder behind them.
 * @param {number} value
 * @param {number} polynomial
 * @param {number} count
 */
function protectedBits(value, polynomial, count) {
  let rest = value;
  for (let step = 0; step < count; step += 1) rest = (rest << 1) ^ ((rest >>> (count - 1)) * polynomial);
  return (value << count) | rest;
}

/**
 * The modules of the code of a text, row by row, true for dark ones; `null` for one that is too long.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  let version = 1;
  while (version < CORRECTION.length && capacity(version) - BLOCKS[version] * CORRECTION[version] < bytes.length + (version < 10 ? 2 : 3)) version += 1;
  if (version >= CORRECTION.length) return null;
  const size = version * 4 + 17;
  /** @type {boolean[][]} */
  const modules = Array.from({ length: size }, () => new Array(size).fill(false));
  const fixed = Array.from({ length: size }, () => new Array(size).fill(false));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ isDark) => { modules[y][x] = isDark; fixed[y][x] = true; };
  for (let at = 0; at < size; at += 1) { set(6, at, at % 2 === 0); set(at, 6, at % 2 === 0); }
  for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const far = Math.max(Math.abs(dx), Math.abs(dy));
        if (left + dx >= 0 && left + dx < size && top + dy >= 0 && top + dy < size) set(left + dx, top + dy, far !== 2 && far !== 4);
      }
    }
  }
  const marks = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const step = marks < 2 ? 0 : Math.ceil((version * 4 + 4) / (marks * 2 - 2)) * 2;
  const places = Array.from({ length: marks }, (_, index) => (index === 0 ? 6 : size - 7 - (marks - 1 - index) * step));
  for (const x of places) {
    for (const y of places) {
      if (fixed[y][x] && (x === 6 || y === 6) && !(x > 6 && x < size - 7) && !(y > 6 && y < size - 7)) continue;
      for (let dy = -2; dy <= 2; dy += 1) for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  }
  const format = (/** @type {number} */ mask) => {
    const bits = protectedBits(mask, 0x537, 10) ^ 0x5412;
    const bit = (/** @type {number} */ at) => ((bits >>> at) & 1) === 1;
    for (let at = 0; at <= 5; at += 1) set(8, at, bit(at));
    set(8, 7, bit(6)); set(8, 8, bit(7)); set(7, 8, bit(8));
    for (let at = 9; at < 15; at += 1) set(14 - at, 8, bit(at));
    for (let at = 0; at < 8; at += 1) set(size - 1 - at, 8, bit(at));
    for (let at = 8; at < 15; at += 1) set(8, size - 15 + at, bit(at));
    set(8, size - 8, true);
  };
  format(0);
  if (version >= 7) {
    const bits = protectedBits(version, 0x1f25, 12);
    for (let at = 0; at < 18; at += 1) {
      const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)];
      set(a, b, ((bits >>> at) & 1) === 1);
      set(b, a, ((bits >>> at) & 1) === 1);
    }
  }
  const words = codewords(bytes, version);
  let next = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let row = 0; row < size; row += 1) {
      for (let side = 0; side < 2; side += 1) {
        const x = right - side;
        const y = ((right + 1) & 2) === 0 ? size - 1 - row : row;
        if (fixed[y][x] || next >= words.length * 8) continue;
        modules[y][x] = ((words[next >>> 3] >>> (7 - (next & 7))) & 1) === 1;
        next += 1;
      }
    }
  }
  const flip = (/** @type {number} */ mask) => { for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) if (!fixed[y][x] && MASKS[mask](x, y)) modules[y][x] = !modules[y][x]; };
  let [best, least] = [0, Infinity];
  for (let mask = 0; mask < 8; mask += 1) {
    flip(mask);
    format(mask);
    const found = penalty(modules);
    if (found < least) [best, least] = [mask, found];
    flip(mask);
  }
  flip(best);
  format(best);
  return modules;
}

/**
 * A picture of the code, dark on light whatever the page's colors.
 * @param {string} text
 * @param {string} label
 * @returns {SVGSVGElement | null}
 */
export function qrPicture(text, label) {
  const modules = qr(text);
  if (!modules) return null;
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', `-4 -4 ${modules.length + 8} ${modules.length + 8}`);
  svg.setAttribute('class', 'qr');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join(''));
  svg.append(path);
  return svg;
}
