import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { Store } from '@auction/domain/store'
import type { CheckpointsSubject } from './checkpoints-contract.ts'
import type { StoreSubject } from './store-contract/suite.ts'

/** A subject that can be emptied. Its `close` closes all handles, too. */
export type ReusableSubject<Kept extends Store = Store> = Omit<
  StoreSubject,
  'store' | 'openSecondHandle' | 'reopen'
> & {
  readonly store: Kept
  readonly openSecondHandle?: () => Promise<Kept>
  readonly reopen?: () => Promise<Kept>
  /** Removes all stored data, while `store` stays open. */
  readonly empty: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Makes the subjects of a contract suite; `close` closes the last one after the suite. */
export type ReusedSubjects<Kept extends Store> = {
  readonly makeSubject: () => Promise<ReusableSubject<Kept>>
  readonly close: () => Promise<void>
}

export type ReuseOptions = {
  /** False makes a subject for each test, which finds more and takes longer. */
  readonly isReused?: boolean
}

/** The hooks after which a store is not as it was. */
const lastUses = ['reopen', 'breakStore', 'failNext', 'closeStore', 'halt', 'holdKeys', 'otherFormat'] as const

/**
 * A test that has neither closed its store nor made it fail leaves it empty for the next test. A store that takes long
 * to open is opened some 80 times instead of 250 times.
 */
export function reuseSubjects<Kept extends Store>(
  make: () => Promise<ReusableSubject<Kept>>,
  { isReused = true }: ReuseOptions = {},
): ReusedSubjects<Kept> {
  type Opened = { readonly subject: ReusableSubject<Kept>; readonly handles: Kept[] }
  let idle: Opened | undefined

  return {
    async makeSubject() {
      const opened: Opened = idle ?? { subject: await make(), handles: [] }
      idle = undefined
      const { subject, handles } = opened
      const { openSecondHandle } = subject
      let used = 0
      let isReusable = isReused
      const lastUse =
        (hook: (...args: never[]) => unknown) =>
        (...args: never[]) => {
          isReusable = false
          return hook(...args)
        }
      const hooks = lastUses.flatMap((name) => (subject[name] === undefined ? [] : [[name, lastUse(subject[name])]]))
      return {
        ...subject,
        ...Object.fromEntries(hooks),
        ...(openSecondHandle && {
          async openSecondHandle() {
            const index = used++
            const handle = handles[index] ?? (await openSecondHandle())
            handles[index] = handle
            return handle
          },
        }),
        async close() {
          if (!isReusable) return await subject.close()
          await subject.empty()
          idle = opened
        },
      }
    },
    close: async () => idle?.subject.close(),
  }
}

/** A store with the checkpoints of subscribers. */
export type KeepingStore = Store & { readonly checkpoints: Checkpoints }

/** Makes the subjects of `checkpointsContract` from those of `storeContract`. */
export const checkpointsOf =
  (makeSubject: () => Promise<ReusableSubject<KeepingStore>>) => async (): Promise<CheckpointsSubject> => {
    const { store, openSecondHandle, reopen, ...subject } = await makeSubject()
    return {
      ...subject,
      checkpoints: store.checkpoints,
      ...(openSecondHandle && { openSecondHandle: async () => (await openSecondHandle()).checkpoints }),
      ...(reopen && { reopen: async () => (await reopen()).checkpoints }),
    }
  }
