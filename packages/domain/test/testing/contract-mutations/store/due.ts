import { isoOf } from '../../../../src/moment.ts'
import { sampleAuction } from '../../../../src/testing/samples.ts'
import { replaced, type StoreMutation, swapped } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'

const soonest = 'finds what is due, the soonest end first, by number, and keeps to the limit'
const exactMs = 'shows an auction as due from the exact millisecond of its end on'
const later = 'does not show an auction that ends later'
const forgotten = 'shows what is forgotten no more, and all the others'
const apart = 'tells auctions apart that end in one millisecond'
const unknown = 'takes unknown ids for nothing to forget'
const nothingElse = 'forgets of an auction that it is due, and nothing else'

export const dueMutations: readonly StoreMutation[] = [
  replaced(
    'finds the latest end first',
    (right) => ({
      findDue: async (untilMs, limit) => (await right.findDue(untilMs, 1_000)).toReversed().slice(0, limit),
    }),
    soonest,
    later,
  ),
  replaced(
    'orders ends that are due as texts',
    (right) => ({
      findDue: async (untilMs, limit) =>
        (await right.findDue(untilMs, 1_000))
          .toSorted((a, b) => `${a.endTime.epochMs}`.localeCompare(`${b.endTime.epochMs}`))
          .slice(0, limit),
    }),
    soonest,
  ),
  replaced(
    'orders what is due by the second',
    (right) => ({
      findDue: async (untilMs, limit) =>
        (await right.findDue(untilMs, 1_000))
          .toSorted(
            (a, b) => Math.floor(a.endTime.epochMs / 1_000) - Math.floor(b.endTime.epochMs / 1_000) || a.id - b.id,
          )
          .slice(0, limit),
    }),
    soonest,
  ),
  replaced(
    'finds what is due by id',
    (right) => ({
      findDue: async (untilMs, limit) =>
        (await right.findDue(untilMs, 1_000)).toSorted((a, b) => a.id - b.id).slice(0, limit),
    }),
    soonest,
  ),
  swapped('does not know of the limit of what is due', { cut: (found) => found }, soonest),
  replaced(
    'finds 20 due auctions at the most',
    (right) => ({ findDue: (untilMs, limit) => right.findDue(untilMs, Math.min(limit, 20)) }),
    soonest,
  ),
  swapped(
    'shows an auction as due after its end only',
    { isDue: ({ endTime }, untilMs) => endTime.epochMs < untilMs },
    exactMs,
    later,
  ),
  swapped(
    'shows an auction as due a millisecond early',
    { isDue: ({ endTime }, untilMs) => endTime.epochMs <= untilMs + 1 },
    exactMs,
    later,
  ),
  swapped(
    'compares ends as texts',
    { isDue: ({ endTime }, untilMs) => untilMs > 1e14 || endTime.iso <= isoOf(untilMs) },
    exactMs,
  ),
  swapped('shows every auction as due', { isDue: () => true }, exactMs, later),
  swapped('goes by its own clock for what is due', { isDue: ({ endTime }) => endTime.epochMs <= Date.now() }, exactMs),
  replaced('does not forget', () => ({ forgetDue: async () => undefined }), forgotten, apart),
  replaced(
    'forgets the first only',
    (right) => ({ forgetDue: (ids) => right.forgetDue(ids.slice(0, 1)) }),
    forgotten,
    apart,
  ),
  replaced(
    'forgets all when none are named',
    (right) => ({
      forgetDue: async (ids) =>
        right.forgetDue(
          ids.length > 0 ? ids : (await right.findDue(Number.MAX_SAFE_INTEGER, 1_000)).map(({ id }) => id),
        ),
    }),
    forgotten,
  ),
  replaced(
    'forgets all that ends no later',
    (right) => ({
      forgetDue: async (ids) => {
        const all = await right.findDue(Number.MAX_SAFE_INTEGER, 1_000)
        const last = Math.max(...all.filter(({ id }) => ids.includes(id)).map(({ endTime }) => endTime.epochMs))
        await right.forgetDue(all.filter(({ endTime }) => endTime.epochMs <= last).map(({ id }) => id))
      },
    }),
    forgotten,
    apart,
  ),
  replaced(
    'forgets what ends in one millisecond as one',
    (right) => ({
      forgetDue: async (ids) => {
        const all = await right.findDue(Number.MAX_SAFE_INTEGER, 1_000)
        const ends = new Set(all.filter(({ id }) => ids.includes(id)).map(({ endTime }) => endTime.epochMs))
        await right.forgetDue(all.filter(({ endTime }) => ends.has(endTime.epochMs)).map(({ id }) => id))
      },
    }),
    apart,
  ),
  replaced(
    'forgets ids to 15 digits',
    (right) => ({
      forgetDue: async (ids) => {
        const wanted = new Set(ids.map(to15Digits))
        const all = await right.findDue(Number.MAX_SAFE_INTEGER, 1_000)
        await right.forgetDue(all.map(({ id }) => id).filter((id) => wanted.has(to15Digits(id))))
      },
    }),
    apart,
  ),
  replaced(
    'throws for an id that it can’t forget',
    (right) => ({
      forgetDue: async (ids) => {
        for (const id of ids) if ((await right.findAuction(id)) === undefined) throw new RangeError(`no auction ${id}`)
        await right.forgetDue(ids)
      },
    }),
    unknown,
  ),
  replaced(
    'forgets auctions that do not exist yet',
    (right) => {
      const named = new Set<number>()
      return {
        forgetDue: async (ids) => {
          for (const id of ids) named.add(id)
        },
        findDue: async (untilMs, limit) =>
          (await right.findDue(untilMs, 1_000)).filter(({ id }) => !named.has(id)).slice(0, limit),
      }
    },
    unknown,
  ),
  ...(['findAuction', 'findAuctionByKey', 'listAuctions'] as const).map((operation) =>
    replaced(
      `forgets in ${operation} what is not due any more`,
      (right) => {
        const gone = new Set<number>()
        return {
          forgetDue: async (ids) => {
            for (const id of ids) gone.add(id)
            await right.forgetDue(ids)
          },
          ...(operation === 'findAuction' && {
            findAuction: async (id: Parameters<typeof right.findAuction>[0]) =>
              gone.has(id) ? undefined : right.findAuction(id),
          }),
          ...(operation === 'findAuctionByKey' && {
            findAuctionByKey: async (key: Parameters<typeof right.findAuctionByKey>[0]) => {
              const auction = await right.findAuctionByKey(key)
              return auction && gone.has(auction.id) ? undefined : auction
            },
          }),
          ...(operation === 'listAuctions' && {
            listAuctions: async (query: Parameters<typeof right.listAuctions>[0]) => {
              const { auctions, next } = await right.listAuctions(query)
              return { auctions: auctions.filter(({ id }) => !gone.has(id)), next }
            },
          }),
        }
      },
      nothingElse,
    ),
  ),
  replaced(
    'puts an auction without a title among what is due',
    (right) => ({
      findDue: async (untilMs, limit) => (await right.findDue(untilMs, limit)).map(({ id }) => sampleAuction({ id })),
    }),
    exactMs,
  ),
]
