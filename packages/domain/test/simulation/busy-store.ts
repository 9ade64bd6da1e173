import type { ReplicatedStore } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

const msPerWrite = 0.5
const msPerEntry = 0.03

/** A store that writes one group after another. Each write takes time, as in databases: large groups cost less per entry. */
export function createBusyStore(store: ReplicatedStore, time: VirtualTime): ReplicatedStore {
  let busyUntilMs = 0
  let lastAtMs = -1
  return {
    ...store,
    async append(entries) {
      const nowMs = time.nowMs()
      // Appends that arrive at the same time form one group.
      const costMs = (nowMs === lastAtMs ? 0 : msPerWrite) + msPerEntry * entries.length
      lastAtMs = nowMs
      busyUntilMs = Math.max(nowMs, busyUntilMs) + costMs
      await time.sleep(busyUntilMs - nowMs)
      return store.append(entries)
    },
  }
}
