import type { RequestKey } from '@auction/domain/request-key'
import { type Plant, type StoreMutation, wrongCalls } from '../planted.ts'

const both = (test: string) => [`${test}, of auctions`, `${test}, of entries`]
const similar = both('distinguishes keys that differ only in letter case, length or the last of 255 characters')
const ascii = both('accepts every visible ASCII character in keys')
const names = both('accepts keys that are names of built-in properties')
const callers = both('distinguishes the callers of keys by every character')

/** A store that keeps keys under other names, which some keys share. */
const named: Plant<(key: RequestKey) => string> = (bug, caughtBy, nameOf) =>
  wrongCalls(bug, caughtBy, (right) => {
    const keyOf = new Map<RequestKey, RequestKey>()
    const stored = (key: RequestKey) => {
      const name = nameOf(key) as RequestKey // The stored form of a key.
      if (!keyOf.has(name)) keyOf.set(name, key)
      return name
    }
    return {
      insertAuction: ({ requestKey, ...auction }) =>
        right.insertAuction({ ...auction, ...(requestKey && { requestKey: stored(requestKey) }) }),
      findAuctions: async (wanted) =>
        'ids' in wanted ? right.findAuctions(wanted) : right.findAuctions({ keys: wanted.keys.map(stored) }),
      append: (entries) =>
        right.append(
          entries.map(({ requestKey, ...entry }) => ({
            ...entry,
            ...(requestKey && { requestKey: stored(requestKey) }),
          })),
        ),
      findEntriesByKey: async (keys) =>
        (await right.findEntriesByKey(keys.map(stored))).map((entry) => ({
          ...entry,
          ...(entry.requestKey && { requestKey: keyOf.get(entry.requestKey) ?? entry.requestKey }),
        })),
    }
  })

/** A store that looks up keys among the names of an object, which inherits some names. */
const amongNames = wrongCalls('looks keys up among the names of an object', names, (right) => {
  const known: Record<string, boolean> = {}
  const nameOf = (key: RequestKey) => key.split(' ').at(-1) ?? ''
  const isKnown = (key: RequestKey) => Boolean(known[nameOf(key)])
  return {
    insertAuction: async (auction) => {
      const { requestKey } = auction
      if (requestKey !== undefined && isKnown(requestKey) && !Object.hasOwn(known, nameOf(requestKey))) return 'taken'
      if (requestKey !== undefined) known[nameOf(requestKey)] = true
      return right.insertAuction(auction)
    },
    append: async (entries) => {
      const keys = entries.flatMap(({ requestKey }) => requestKey ?? [])
      if (keys.some((key) => isKnown(key) && !Object.hasOwn(known, nameOf(key)))) return 0
      for (const key of keys) known[nameOf(key)] = true
      return right.append(entries)
    },
  }
})

export const requestKeyMutations: readonly StoreMutation[] = [
  named('does not know letter cases of keys', [...similar, ...callers], (key) => key.toLowerCase()),
  named('cuts keys at 128 characters', similar, (key) => key.slice(0, 128)),
  named('cuts keys at 255 characters, caller and all', similar, (key) => key.slice(0, 255)),
  named('takes backslashes for slashes', ascii, (key) => key.replaceAll('\\', '/')),
  named('drops quotes', ascii, (key) => key.replaceAll(/["']/g, '')),
  named('trims callers', callers, (key) =>
    key
      .split(' ')
      .filter((part) => part !== '')
      .join(' '),
  ),
  named('ignores the widths of characters', callers, (key) => key.normalize('NFKC').replaceAll('e\u0301', 'é')),
  named('drops invisible characters', callers, (key) => key.replaceAll(/[\u00AD\u200B]/g, '')),
  named('drops nuls', callers, (key) => key.replaceAll('\u0000', '')),
  named('writes ß as ss', callers, (key) => key.replaceAll('ß', 'ss')),
  named('normalises callers', callers, (key) => key.normalize('NFC')),
  amongNames,
]
