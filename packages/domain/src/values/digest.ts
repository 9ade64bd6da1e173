// A digest identifies the content of a request. It is not a cryptographic one, for which pure code has no fast
// function: a client that may send requests could make two with the same digest.

/** The digest of a text: 106 bits as 32 hexadecimal digits or fewer. */
export const digestOf = (text: string): string => [0x9e3779b9, 0x7f4a7c15].map((seed) => hashOf(text, seed)).join('-')

/** A hash of 53 bits: two of 32 bits with other multipliers, mixed at the end. */
function hashOf(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  const mixedHigh = mixed(high, low)
  const mixedLow = mixed(low, high)
  return (2 ** 32 * (mixedLow & 0x1f_ff_ff) + (mixedHigh >>> 0)).toString(16)
}

const mixed = (one: number, other: number): number =>
  Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
