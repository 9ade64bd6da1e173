import { readFileSync } from 'node:fs'
import { sampleAuction, sampleEntry, sampleFallingAuction, samplePurchased } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { initialStateOf } from '../../src/auction/state.ts'
import { versionOfAuction, versionOfEntry } from '../../src/store/stored.ts'

type Parse = (stored: object) => object

/** The parser as it was before formats, in one file with its libraries. It drops members that it does not know. */
const recorded = readFileSync(new URL('./recorded/parser-of-version-1.txt', import.meta.url))
// The cast: the file exports these two.
const { parseStoredAuction, parseStoredEntry } = (await import(
  `data:text/javascript;base64,${recorded.toString('base64')}`
)) as Readonly<Record<'parseStoredAuction' | 'parseStoredEntry', Parse>>

const bidSteps = [{ fromPriceMinor: 0, amountsMinor: [20_00] }]
const ladder = sampleAuction({ bidSteps })
const { version = 2 } = initialStateOf(ladder)
const onLadder = { ...sampleEntry(), state: { ...sampleEntry().state, version } }

const read = (version: number, value: object): object => JSON.parse(JSON.stringify({ version, ...value }))

describe('a server of the first version', () => {
  test('reads auctions and entries that need no later one', () => {
    expect(parseStoredAuction(read(versionOfAuction(sampleAuction()), sampleAuction()))).toEqual(sampleAuction())
    expect(parseStoredEntry(read(versionOfEntry(sampleEntry()), sampleEntry()))).toEqual(sampleEntry())
  })

  test.each([
    { what: 'an auction whose price falls', auction: sampleFallingAuction() },
    { what: 'an auction with a ladder', auction: ladder },
  ])('refuses $what by the name of its version', ({ auction }) => {
    const stored = read(versionOfAuction(auction), auction)
    expect(() => parseStoredAuction(stored)).toThrow('an invalid field version')
  })

  test('would run an auction of the second version as another one, so it has to refuse it', () => {
    expect(parseStoredAuction(read(1, ladder))).toEqual(sampleAuction())
  })

  test.each([
    { what: 'a purchase at a falling price', entry: samplePurchased() },
    { what: 'a bid on a ladder', entry: onLadder },
  ])('refuses the entry of $what by the name of its version', ({ entry }) => {
    const stored = read(versionOfEntry(entry), entry)
    expect(() => parseStoredEntry(stored)).toThrow('an invalid field version')
  })
})
