import type { ReplicatedStore } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

const msPerWrite = 0.5
const msPerEntry = 0.03

/** A store that writes one group after another, each taking its time, as databases do: large ones cost less for each entry. */
export function createBusyStore(store: ReplicatedStore, time: VirtualTime): ReplicatedStore {
  let busyUntilMs = 0
  let lastAtMs = -1
  return {
    ...store,
    async append(entries) {
      const nowMs = time.nowMs()
      // What arrives at one moment is one group.
      const costMs = (nowMs === lastAtMs ? 0 : msPerWrite) + msPerEntry * entries.length
      lastAtMs = nowMs
      busyUntilMs = Math.max(nowMs, busyUntilMs) + costMs
      await time.sleep(busyUntilMs - nowMs)
      return store.append(entries)
    },
  }
}
