import { sampleLots } from '@auction/testing/samples'
import type { SaleEntry } from '../../../src/sale/events.ts'
import type { AnyEntry, Entry } from '../../../src/store/store.ts'
import { ledgerIdOf, toAuctionId } from '../../../src/values/ids.ts'
import { momentAt } from '../../../src/values/moment.ts'
import { type Planted, withService, withStoreOfProcess } from '../planted-bugs/planted.ts'

type LotsAdded = Extract<SaleEntry['event'], { readonly type: 'lots-added' }>

/** The entries with other additions of lots. The cast: a store keeps entries of any kind. */
const withAdditions = (entries: readonly AnyEntry[], plant: (lots: LotsAdded['lots']) => LotsAdded['lots']) =>
  entries.map((entry) =>
    entry.kind === 'sale' && entry.event.type === 'lots-added'
      ? { ...entry, event: { ...entry.event, lots: plant(entry.event.lots) } }
      : entry,
  ) as AnyEntry[] as Entry[]

const isAddition = ([first]: readonly AnyEntry[]): boolean =>
  first?.kind === 'sale' && first.event.type === 'lots-added'

/** Plausible bugs in sales, and the problem by which the simulation must detect each one. */
export const bugsInSales: Readonly<Record<string, readonly [plant: () => Planted, problem: RegExp]>> = {
  'an extension that is repeated extends a lot again': [
    withStoreOfProcess((right) => ({
      append: (entries, options) =>
        right.append(
          entries.map(({ requestKey, ...entry }) =>
            entry.event.type === 'extended' || requestKey === undefined ? entry : { ...entry, requestKey },
          ),
          options,
        ),
    })),
    /has extension \d+ 2 times, at most 1/,
  ],

  'a lot that is stored late gets an extension that its end includes': [
    withStoreOfProcess((right) => ({
      insertAuction: (auction) =>
        right.insertAuction(auction.saleId === undefined ? auction : { ...auction, saleSequence: 2 }),
    })),
    /was created with the end \d+ instead of \d+/,
  ],

  'a lot that is stored late lacks an extension that was recorded since its end was computed': [
    withStoreOfProcess((right) => ({
      async insertAuction(auction) {
        if (auction.saleId === undefined) return right.insertAuction(auction)
        const [head] = await right.findHeads([ledgerIdOf(auction.saleId)])
        return right.insertAuction({ ...auction, saleSequence: head?.sequence ?? 0 })
      },
    })),
    /was created with the end \d+ instead of \d+/,
  ],

  'auctions are stored before the entry that lists them is known to be': [
    withStoreOfProcess((right) => ({
      async append(entries, options) {
        if (!isAddition(entries)) return right.append(entries, options)
        right.append(entries, options).catch(() => undefined)
        return entries.length
      },
    })),
    /is stored as lot .*, and listed as lot undefined/,
  ],

  'a number with other content counts as the same lot': [
    withService((right) => ({
      async addLots(request, retry, arrivedAtMs) {
        const added = await right.addLots(request, retry, arrivedAtMs)
        if (added.ok || added.refusal.code !== 'lot-taken') return added
        const { lots: taken } = added.refusal
        const others = request.lots.lots.filter(({ lot }) => !taken.includes(lot))
        if (others.length === 0) return added
        const lots = sampleLots(...others.map((sent) => ({ ...sent.fields, lot: sent.lot })))
        const rest = await right.addLots({ ...request, lots }, undefined, arrivedAtMs)
        if (!rest.ok) return rest
        const endTime = rest.value.lots[0]?.endTime ?? momentAt(0)
        const rows = request.lots.lots.map(
          ({ lot }) => rest.value.lots.find((row) => row.lot === lot) ?? { lot, auctionId: undefined, endTime },
        )
        return { ...rest, value: { ...rest.value, lots: rows } }
      },
    })),
    /addition .*: lot \S+ is stored as|is no addition that was sent/,
  ],

  'a repetition stores the lots of another process under other ids': [
    withStoreOfProcess((right) => {
      const own = new Set<number>()
      return {
        append(entries, options) {
          for (const { id } of entries) own.add(id)
          return right.append(entries, options)
        },
        async listEntries(id, query) {
          const entries = await right.listEntries(id, query)
          return entries.map((entry) =>
            own.has(entry.id)
              ? entry
              : (withAdditions([entry], (lots) =>
                  lots.map((lot) => ({ ...lot, auctionId: toAuctionId(lot.auctionId + 1_000_000) })),
                )[0] ?? entry),
          )
        },
      }
    }),
    /is stored as lot .*, and listed as lot undefined/,
  ],

  'an addition is recorded in part': [
    withStoreOfProcess((right) => ({
      append: (entries, options) =>
        right.append(
          withAdditions(entries, (lots) => lots.slice(0, 2)),
          options,
        ),
    })),
    /is no addition that was sent/,
  ],

  'an extension counts lots that the store did not extend': [
    withService((right) => ({
      async extendSale(request, retry, arrivedAtMs) {
        const extended = await right.extendSale(request, retry, arrivedAtMs)
        if (!extended.ok) return extended
        const lots = extended.value.lots.map((lot) =>
          lot.outcome === 'store-unavailable' ? { ...lot, outcome: 'extended' as const } : lot,
        )
        return { ...extended, value: { ...extended.value, lots } }
      },
    })),
    /extended is not true of lot/,
  ],

  'a page of lots ends with the one that begins the next page': [
    withService((right) => ({
      listLots: (saleId, { after, ...query }) =>
        right.listLots(saleId, { ...query, ...(after !== undefined && { after: after - 1 }) }),
    })),
    /the list of lots of sale \d+ at \d+ is out of order/,
  ],
}
