import type { RequestKey } from '@auction/domain/request-key'
import { replaced, type StoreMutation } from '../planted.ts'

const both = (test: string) => [`${test}, of auctions`, `${test}, of entries`]
const similar = both('distinguishes keys that differ only in letter case, length or the last of 255 characters')
const ascii = both('accepts every visible ASCII character in keys')
const names = both('accepts keys that are names of built-in properties')
const callers = both('distinguishes the callers of keys by every character')

/** A store that keeps keys under other names, which some keys share. */
const named = (bug: string, nameOf: (key: RequestKey) => string, ...caughtBy: readonly string[]): StoreMutation =>
  replaced(
    bug,
    (right) => {
      const keyOf = new Map<RequestKey, RequestKey>()
      const stored = (key: RequestKey) => {
        const name = nameOf(key) as RequestKey // The stored form of a key.
        if (!keyOf.has(name)) keyOf.set(name, key)
        return name
      }
      return {
        insertAuction: ({ requestKey, ...auction }) =>
          right.insertAuction({ ...auction, ...(requestKey && { requestKey: stored(requestKey) }) }),
        findAuctionByKey: (key) => right.findAuctionByKey(stored(key)),
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
    },
    ...caughtBy,
  )

/** A store that looks up keys among the names of an object, which inherits some names. */
const amongNames = replaced(
  'looks keys up among the names of an object',
  (right) => {
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
  },
  ...names,
)

export const requestKeyMutations: readonly StoreMutation[] = [
  named('does not know letter cases of keys', (key) => key.toLowerCase(), ...similar, ...callers),
  named('cuts keys at 128 characters', (key) => key.slice(0, 128), ...similar),
  named('cuts keys at 255 characters, caller and all', (key) => key.slice(0, 255), ...similar),
  named('takes backslashes for slashes', (key) => key.replaceAll('\\', '/'), ...ascii),
  named('drops quotes', (key) => key.replaceAll(/["']/g, ''), ...ascii),
  named(
    'trims callers',
    (key) =>
      key
        .split(' ')
        .filter((part) => part !== '')
        .join(' '),
    ...callers,
  ),
  named('ignores the widths of characters', (key) => key.normalize('NFKC').replaceAll('e\u0301', 'é'), ...callers),
  named('drops invisible characters', (key) => key.replaceAll(/[\u00AD\u200B]/g, ''), ...callers),
  named('drops nuls', (key) => key.replaceAll('\u0000', ''), ...callers),
  named('writes ß as ss', (key) => key.replaceAll('ß', 'ss'), ...callers),
  named('normalises callers', (key) => key.normalize('NFC'), ...callers),
  amongNames,
]
