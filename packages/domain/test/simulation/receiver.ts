import type { SubscribedEvent, Subscriber } from '@auction/delivery'
import type { Chance } from './chance.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Another program, to which all processes deliver. */
export type Receiver = {
  readonly subscriber: Subscriber
  /** What it has received, in order, even if it did not respond. */
  readonly received: readonly SubscribedEvent[]
  /** From now on it refuses everything. */
  breakDown(): void
  /** From now on it accepts everything. */
  heal(): void
}

/** A receiver that is slow, refuses, does not respond, or fails after it has received an event. */
export function createReceiver(chance: Chance, time: VirtualTime): Receiver {
  const received: SubscribedEvent[] = []
  let failures = chance.pick([0, 5, 20, 100])
  let silence = chance.pick([0, 0, 5])
  return {
    received,
    breakDown() {
      failures = 100
    },
    heal() {
      failures = 0
      silence = 0
    },
    subscriber: {
      name: 'receiver',
      async deliver(event) {
        await time.sleep(chance.int(1, 20))
        if (chance.percent(failures)) return { ok: false }
        received.push(event)
        if (chance.percent(failures)) return { ok: false }
        if (chance.percent(silence)) return new Promise(() => undefined)
        await time.sleep(chance.int(1, 20))
        return { ok: true }
      },
    },
  }
}
