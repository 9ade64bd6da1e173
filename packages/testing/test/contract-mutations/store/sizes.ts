import { replaced, type StoreMutation } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const largest = 'stores the largest append, and finds all its entries at once'
const many = 'lists the largest page of the agenda that the closer reads, and updates it in one call'
const several = 'stores several of the largest appends at once'
const heads = 'finds the heads of the maximum number of auctions in one call'

export const sizeMutations: readonly StoreMutation[] = [
  replaced(
    'accepts at most 499 entries in one append',
    (right) => ({ append: (entries) => right.append(entries.slice(0, 499)) }),
    largest,
  ),
  replaced(
    'accepts only appends below a megabyte',
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
    'lists at most 500 auctions',
    (right) => ({ listAuctions: (query) => right.listAuctions({ ...query, limit: Math.min(query.limit, 500) }) }),
    many,
  ),
  replaced(
    'updates at most 500 places',
    (right) => ({ updateAgenda: (updates) => right.updateAgenda(updates.slice(0, 500)) }),
    many,
  ),
  replaced(
    'accepts at most 2,000 entries at once',
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
