import type { DeliveryResult, SubscribedEvent, Subscriber } from '../../src/subscriber.ts'

/** The outcome of one attempt; `never` is an attempt that does not end. */
export type Reaction = DeliveryResult | 'never' | Error

export type TestSubscriber = Subscriber & {
  /** All attempts, in order: `auction/sequence`. */
  readonly attempts: readonly string[]
  /** The events that it accepted, in order. */
  readonly received: readonly SubscribedEvent[]
  /** The accepted events, as `auction/sequence`. */
  readonly keys: () => readonly string[]
  /** How it reacts from now on. */
  react(reaction: (event: SubscribedEvent, attempt: number) => Reaction | Promise<Reaction>): void
}

export const ok = { ok: true } as const
export const refusal = { ok: false, reason: 'status 500' } as const
export const keyOfEvent = ({ auctionId, sequence }: SubscribedEvent): string => `${auctionId}/${sequence}`

/** A subscriber that accepts all events until a test changes it. */
export function createTestSubscriber(options: Partial<Omit<Subscriber, 'deliver'>> = {}): TestSubscriber {
  const attempts: string[] = []
  const received: SubscribedEvent[] = []
  let react: Parameters<TestSubscriber['react']>[0] = () => ok
  return {
    name: 'mails',
    ...options,
    attempts,
    received,
    keys: () => received.map(keyOfEvent),
    react(reaction) {
      react = reaction
    },
    async deliver(event, { attempt }) {
      attempts.push(keyOfEvent(event))
      const reaction = await react(event, attempt)
      if (reaction === 'never') return new Promise(() => undefined)
      if (reaction instanceof Error) throw reaction
      if (reaction?.ok) received.push(event)
      return reaction
    },
  }
}
