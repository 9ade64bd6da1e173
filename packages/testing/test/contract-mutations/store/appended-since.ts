import { createMemoryStore } from '@auction/adapters/memory'
import { type Appended, type AppendedSince, maxAppended, type Store } from '@auction/domain/store'
import { type StoreMutation, wrongCalls, wrongHandles, wrongReopened } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { breakable, type Power } from '../subjects.ts'

const handles = 'reports the appends of every handle, if it has appendedSince'
const atOnce = 'reports every append at once with others, and of none that a read does not show'
const large = 'reports large appends that commit after later small ones'
const foreign = 'does not know what was appended after a mark of other data'
const bounded = 'reports a bounded number of appends, and of all of them if it knows'
const reopened = 'reports the appends after a mark from before it was reopened, or does not know'

type Since = (mark: string | undefined) => Promise<AppendedSince | undefined>
/** What a wrong store keeps: the appends in the order of their numbers. */
type Numbered = Appended & { readonly number: number }

const tailOf = ({ appendedSince }: Store): Since => appendedSince ?? (async () => undefined)

/** A store that changes what the right one tells. */
const changing =
  (change: (appended: readonly Appended[], mark: string | undefined) => readonly Appended[]) => (right: Store) => ({
    appendedSince: async (mark: string | undefined) => {
      const since = await tailOf(right)(mark)
      return since && { ...since, appended: since.appended && change(since.appended, mark) }
    },
  })

/** A store that numbers appends with `store`, and reports those whose numbers are above the mark, unless it is wrong. */
function numbering(shared: { readonly appends: Numbered[]; begun: number; right: Store }): Partial<Store> {
  return {
    async append(entries) {
      shared.begun += 1
      const number = shared.begun
      // Every other append commits late, and so do large ones.
      const late = entries.length > 100 ? 20 : number % 2 === 0 ? 5 : 0
      for (let turns = 0; turns < late; turns++) await pause()
      const stored = await shared.right.append(entries)
      const last = entries[stored - 1]
      if (last !== undefined) shared.appends.push({ number, auctionId: last.auctionId, sequence: last.sequence })
      return stored
    },
    async appendedSince(mark) {
      const newest = Math.max(0, ...shared.appends.map(({ number }) => number))
      const appended = shared.appends.filter(({ number }) => number > Number(mark))
      return { mark: String(newest), appended: mark === undefined ? undefined : appended }
    },
  }
}

/** A store that reports its entries in the order of their appends by another rule than the right one. */
function listing(
  right: Store,
  tell: (all: readonly Appended[], mark: string) => readonly Appended[],
  isEarly = false,
): Partial<Store> {
  const all: Appended[] = []
  const note = ({ auctionId, sequence }: Appended) => all.push({ auctionId, sequence })
  return {
    async append(entries, options) {
      if (isEarly) entries.forEach(note)
      for (let turns = 0; isEarly && turns < 5; turns++) await pause()
      const stored = await right.append(entries, options)
      if (!isEarly) entries.slice(0, stored).forEach(note)
      return stored
    },
    appendedSince: async (mark) => ({
      mark: String(all.length),
      appended: mark === undefined ? undefined : tell(all, mark),
    }),
  }
}

const allAfter = (all: readonly Appended[], mark: string) => all.slice(Number(mark))

export const appendedSinceMutations: readonly StoreMutation[] = [
  wrongCalls('knows no appends, although it should', handles, (right) => ({
    appendedSince: async (mark) => {
      const since = await tailOf(right)(mark)
      return since && { mark: since.mark, appended: undefined }
    },
  })),
  wrongCalls('always has the same mark and no appends', [handles, atOnce], () => ({
    appendedSince: async () => ({ mark: 'same', appended: [] }),
  })),
  wrongHandles('tells only of the appends of the same handle', [handles, atOnce], (shared) =>
    listing(shared, allAfter),
  ),
  wrongHandles('tells only of the appends of other handles', [handles, atOnce], (shared) => {
    const own = new Set<string>()
    const keyOf = ({ auctionId, sequence }: Appended) => `${auctionId} ${sequence}`
    return {
      async append(entries, options) {
        for (const entry of entries) own.add(keyOf(entry))
        return shared.append(entries, options)
      },
      ...changing((appended) => appended.filter((each) => !own.has(keyOf(each))))(shared),
    }
  }),
  wrongCalls('reports the first entry of an append only', [handles, atOnce], (right) => {
    const later = new Set<string>()
    return {
      async append(entries, options) {
        for (const { auctionId, sequence } of entries.slice(1)) later.add(`${auctionId} ${sequence}`)
        return right.append(entries, options)
      },
      ...changing((appended) => appended.filter(({ auctionId, sequence }) => !later.has(`${auctionId} ${sequence}`)))(
        right,
      ),
    }
  }),
  wrongCalls('reports an append again and again', handles, (right) => ({
    appendedSince: async (mark) => {
      const since = await tailOf(right)(mark)
      return since && { ...since, mark: mark ?? since.mark }
    },
  })),
  wrongCalls('misses an append that commits after later ones', [atOnce, large], (right) =>
    numbering({ appends: [], begun: 0, right }),
  ),
  wrongCalls('returns a mark that is newer than what it tells', atOnce, (right) => ({
    appendedSince: async (mark) => {
      const since = await tailOf(right)(mark)
      for (let turns = 0; turns < 5; turns++) await pause()
      return since && { ...since, mark: (await tailOf(right)(mark))?.mark ?? since.mark }
    },
    append: async (entries, options) => {
      for (let turns = 0; turns < entries.length * 3; turns++) await pause()
      return right.append(entries, options)
    },
  })),
  wrongCalls('reports an append before it is stored', atOnce, (right) => listing(right, allAfter, true)),
  wrongCalls('knows of nothing after a mark of other data', foreign, (right) => ({
    appendedSince: async (mark) => {
      const since = await tailOf(right)(mark)
      return since && { ...since, appended: since.appended ?? (mark === undefined ? undefined : []) }
    },
  })),
  wrongCalls('fails for a mark of other data', foreign, (right) => ({
    appendedSince: async (mark) => {
      if (mark !== undefined && !mark.startsWith('0.')) throw new RangeError('the mark is invalid')
      return tailOf(right)(mark)
    },
  })),
  wrongCalls('reports any number of appends', bounded, (right) => listing(right, allAfter)),
  wrongCalls('cuts what it tells at the maximum', bounded, (right) =>
    listing(right, (all, mark) => allAfter(all, mark).slice(0, maxAppended)),
  ),
  wrongReopened('knows of nothing that was appended before it was reopened', reopened, (right) => {
    let isFirst = true
    return {
      appendedSince: async (mark) => {
        const since = await tailOf(right)(mark)
        const appended = isFirst ? [] : since?.appended
        isFirst = false
        return since && { ...since, appended }
      },
    }
  }),
  {
    bug: 'numbers appends from the beginning when it is reopened',
    caughtBy: reopened,
    makeSubject: () => {
      const power: Power = { isOff: false }
      const right = createMemoryStore()
      const handle = () => ({ ...right, ...numbering({ appends: [], begun: 0, right }) })
      return { ...breakable(handle(), power), reopen: async () => handle() }
    },
  },
]
