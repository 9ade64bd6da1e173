import { type StoreMutation, wrongCall, wrongCalls, wrongCount } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const largest = 'stores the largest append, and finds all its entries at once'
const anywhere = 'stores exactly the entries before a taken key, wherever it is in the largest appends'
const many = 'lists the largest page of the agenda that the closer reads, and updates it in one call'
const several = 'stores several of the largest appends at once'
const heads = 'finds the heads of the maximum number of auctions in one call'

export const sizeMutations: readonly StoreMutation[] = [
  wrongCall('accepts at most 499 entries in one append', largest, 'append', (right, entries) =>
    right.append(entries.slice(0, 499)),
  ),
  wrongCall('accepts only appends below a megabyte', largest, 'append', async (right, entries) => {
    if (JSON.stringify(entries).length > 2 ** 20) throw new RangeError('the packet is too large')
    return right.append(entries)
  }),
  wrongCount('counts only the entries of its last batch of a hundred', anywhere, (stored, { length }) =>
    stored === length ? stored : stored % 100,
  ),
  wrongCall(
    'treats entries of its first batch as taken when a key of another batch is',
    anywhere,
    'append',
    async (right, entries) => {
      const stored = await right.append(entries)
      return stored >= 100 && stored < entries.length ? right.append(entries) : stored
    },
  ),
  wrongCall('makes updates in batches of a hundred', many, 'updateAgenda', async (right, updates) => {
    for (let from = 0; from < updates.length; from += 100) await right.updateAgenda(updates.slice(from, from + 100))
  }),
  wrongCall('finds a hundred auctions', many, 'findAuctions', async (right, wanted) =>
    (await right.findAuctions(wanted)).slice(0, 100),
  ),
  wrongCall('finds the heads of 250 auctions', heads, 'findHeads', (right, ids) => right.findHeads(ids.slice(0, 250))),
  wrongCall('finds 100 entries', largest, 'findEntries', (right, ids) => right.findEntries(ids.slice(0, 100))),
  wrongCall('finds 30 keys', largest, 'findEntriesByKey', (right, keys) => right.findEntriesByKey(keys.slice(0, 30))),
  wrongCall('lists at most 500 auctions', many, 'listAuctions', (right, query) =>
    right.listAuctions({ ...query, limit: Math.min(query.limit, 500) }),
  ),
  wrongCall('updates at most 500 places', many, 'updateAgenda', (right, updates) =>
    right.updateAgenda(updates.slice(0, 500)),
  ),
  wrongCalls('accepts at most 2,000 entries at once', several, (right) => {
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
  }),
]
