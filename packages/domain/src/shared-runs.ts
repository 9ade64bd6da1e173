type Slot<Value> = { running: Promise<unknown>; next: Promise<Value> | undefined }

/**
 * Lets calls of a key share runs. A call gets the first run of its key that begins after it, so that it sees all that
 * was returned before. At most one run of a key is in progress.
 */
export function createSharedRuns<Key, Value>(run: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const slots = new Map<Key, Slot<Value>>()

  async function runNext(key: Key, slot: Slot<Value>): Promise<Value> {
    slot.next = undefined
    try {
      return await run(key)
    } finally {
      if (slot.next === undefined) slots.delete(key)
    }
  }

  return (key) => {
    const slot = slots.get(key) ?? { running: Promise.resolve(), next: undefined }
    slots.set(key, slot)
    if (slot.next === undefined) {
      slot.next = slot.running.then(() => runNext(key, slot))
      slot.running = slot.next.catch(() => undefined)
    }
    return slot.next
  }
}
