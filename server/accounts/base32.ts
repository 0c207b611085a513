const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5

/** RFC 4648 without padding: five bits a letter. Bits beyond the last whole letter are zeros. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map(group => LETTERS[Number.parseInt(group.padEnd(BITS, '0'), 2)])
    .join('')
}
