import { replaced, type StoreMutation } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const largest = 'takes the largest append, and finds all of it at once'
const many = 'lists as much of the agenda as closing asks for at once, and updates it at once'
const several = 'takes several of the longest appends at once'
const heads = 'finds the heads of as many auctions as are named at once'

export const sizeMutations: readonly StoreMutation[] = [
  replaced(
    'takes 499 entries in one append',
    (right) => ({ append: (entries) => right.append(entries.slice(0, 499)) }),
    largest,
  ),
  replaced(
    'takes appends of less than a megabyte',
    (right) => ({
      append: async (entries) => {
        if (JSON.stringify(entries).length > 2 ** 20) throw new RangeError('the packet is too large')
        return right.append(entries)
      },
    }),
    largest,
  ),
  replaced(
    'finds the heads of 250 auctions',
    (right) => ({ findHeads: (ids) => right.findHeads(ids.slice(0, 250)) }),
    heads,
  ),
  replaced('finds 100 entries', (right) => ({ findEntries: (ids) => right.findEntries(ids.slice(0, 100)) }), largest),
  replaced(
    'finds 30 keys',
    (right) => ({ findEntriesByKey: (keys) => right.findEntriesByKey(keys.slice(0, 30)) }),
    largest,
  ),
  replaced(
    'lists 500 auctions at the most',
    (right) => ({ listAuctions: (query) => right.listAuctions({ ...query, limit: Math.min(query.limit, 500) }) }),
    many,
  ),
  replaced(
    'updates 500 places at the most',
    (right) => ({ updateAgenda: (updates) => right.updateAgenda(updates.slice(0, 500)) }),
    many,
  ),
  replaced(
    'takes 2,000 entries at once at the most',
    (right) => {
      let underWay = 0
      return {
        append: async (entries) => {
          underWay += entries.length
          const taken = entries.slice(0, Math.max(0, 2_000 - underWay + entries.length))
          await pause()
          underWay -= entries.length
          return right.append(taken)
        },
      }
    },
    several,
  ),
]
