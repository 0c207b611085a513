/** SHA-256 (FIPS 180-4), for pages without `crypto.subtle`: browsers offer that on HTTPS only. */

const isPrime = (n: number): boolean => {
  for (let factor = 2; factor * factor <= n; factor++) if (n % factor === 0) return false
  return true
}
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(n => n > 1 && isPrime(n))
/** The first 32 bits of a number’s fraction. */
const fractionBits = (n: number): number => ((n % 1) * 2 ** 32) | 0
const ROUND_CONSTANTS = Int32Array.from(PRIMES, prime => fractionBits(Math.cbrt(prime)))
const START = PRIMES.slice(0, 8).map(prime => fractionBits(Math.sqrt(prime)))
const BLOCK = 64

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

function addBlock(state: Int32Array, words: Int32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const near = words[i - 2]!
    const far = words[i - 15]!
    const s0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    const s1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i]! + words[i]!) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i]! + word) | 0))
}

export const sha256OfText = (text: string): string => sha256(new TextEncoder().encode(text))

/** In lower-case hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const state = Int32Array.from(START)
  const words = new Int32Array(64)
  const whole = bytes.length - (bytes.length % BLOCK)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 0; offset < whole; offset += BLOCK) addBlock(state, words, view, offset)

  const rest = bytes.subarray(whole)
  const end = new Uint8Array(rest.length + 9 > BLOCK ? 2 * BLOCK : BLOCK)
  end.set(rest)
  end[rest.length] = 0x80
  const endView = new DataView(end.buffer)
  endView.setBigUint64(end.length - 8, BigInt(bytes.length) * 8n)
  for (let offset = 0; offset < end.length; offset += BLOCK) addBlock(state, words, endView, offset)
  return [...state].map(word => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
