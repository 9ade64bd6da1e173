import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { CompleteStore } from '@auction/domain/store'
import type { CheckpointsSubject } from '@auction/testing/checkpoints-contract'
import type { StoreSubject } from '@auction/testing/store-contract'
import { isLong } from '../../../tools/vitest/size.ts'

/** A store with its checkpoints. */
export type KeepingStore = CompleteStore & { readonly checkpoints: Checkpoints }
type Handle = KeepingStore & { close(): Promise<void> }

/** The hooks that not every adapter has. */
type Special = 'halt' | 'holdKeys' | 'otherFormat' | 'bytesRead'

/** A subject that can be emptied. */
export type ReusableSubject = Omit<Required<StoreSubject>, 'store' | 'openSecondHandle' | 'reopen' | Special> &
  Pick<StoreSubject, Special> & {
    readonly store: KeepingStore
    openSecondHandle(): Promise<Handle>
    reopen(): Promise<KeepingStore>
    /** Removes all stored data, while `store` stays open. */
    empty(): Promise<void>
  }

/** A subject and its second handles, all of which are open. */
type Opened = { readonly subject: ReusableSubject; readonly handles: Handle[] }

/** Makes the subjects of a contract suite; `close` closes the last one after the suite. */
export type ReusedSubjects = {
  readonly makeSubject: () => Promise<StoreSubject>
  /** The checkpoints of the same stores. */
  readonly makeCheckpoints: () => Promise<CheckpointsSubject>
  readonly close: () => Promise<void>
}

/**
 * In the short form, a test that has neither closed its store nor made it fail leaves it empty for the next test,
 * because the creation of stores takes longer than most tests. The long form creates a store for each test.
 */
export function reuseSubjects(make: () => Promise<ReusableSubject>): ReusedSubjects {
  let idle: Opened | undefined

  async function makeSubject() {
    const opened: Opened = idle ?? { subject: await make(), handles: [] }
    idle = undefined
    const { subject, handles } = opened
    let used = 0
    let isReusable = !isLong
    const lastUse =
      <Args extends readonly unknown[], Value>(hook: (...args: Args) => Value) =>
      (...args: Args): Value => {
        isReusable = false
        return hook(...args)
      }
    return {
      ...subject,
      async openSecondHandle() {
        const index = used++
        const handle = handles[index] ?? (await subject.openSecondHandle())
        handles[index] = handle
        return handle
      },
      reopen: lastUse(subject.reopen),
      breakStore: lastUse(subject.breakStore),
      failNext: lastUse(subject.failNext),
      closeStore: lastUse(subject.closeStore),
      ...(subject.halt && { halt: lastUse(subject.halt) }),
      ...(subject.holdKeys && { holdKeys: lastUse(subject.holdKeys) }),
      ...(subject.otherFormat && { otherFormat: lastUse(subject.otherFormat) }),
      async close() {
        if (!isReusable) return await close(opened)
        await subject.empty()
        idle = opened
      },
    }
  }

  async function makeCheckpoints(): Promise<CheckpointsSubject> {
    const { store, openSecondHandle, reopen, ...subject } = await makeSubject()
    return {
      ...subject,
      checkpoints: store.checkpoints,
      openSecondHandle: async () => (await openSecondHandle()).checkpoints,
      reopen: async () => (await reopen()).checkpoints,
    }
  }

  return { makeSubject, makeCheckpoints, close: async () => idle && close(idle) }
}

async function close({ subject, handles }: Opened): Promise<void> {
  await Promise.all(handles.map((handle) => handle.close()))
  await subject.close()
}
