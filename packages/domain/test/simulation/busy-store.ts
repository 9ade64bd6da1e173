import type { ReplicatedStore } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

const msPerAppend = 0.5
const msPerEntry = 0.03

/** A store that writes one append after another, each taking its time, as databases do: large ones cost less for each entry. */
export function createBusyStore(store: ReplicatedStore, time: VirtualTime): ReplicatedStore {
  let busyUntilMs = 0
  return {
    ...store,
    async append(entries) {
      busyUntilMs = Math.max(time.nowMs(), busyUntilMs) + msPerAppend + msPerEntry * entries.length
      await time.sleep(busyUntilMs - time.nowMs())
      return store.append(entries)
    },
  }
}
