import { replaced, type StoreMutation } from '../planted.ts'

const largest = 'takes the largest append, and finds all of it at once'
const heads = 'finds the heads of as many auctions as are named at once'
const due = 'finds and forgets as many as are due at once'

export const sizeMutations: readonly StoreMutation[] = [
  replaced(
    'takes 499 entries in one append',
    (right) => ({ append: (entries) => right.append(entries.slice(0, 499)) }),
    largest,
  ),
  replaced(
    'takes appends of less than a quarter of a megabyte',
    (right) => ({
      append: async (entries) => {
        if (JSON.stringify(entries).length > 2 ** 18) throw new RangeError('the packet is too large')
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
    'finds 500 that are due',
    (right) => ({ findDue: (untilMs, limit) => right.findDue(untilMs, Math.min(limit, 500)) }),
    due,
  ),
  replaced('forgets 99', (right) => ({ forgetDue: (ids) => right.forgetDue(ids.slice(0, 99)) }), due),
]
