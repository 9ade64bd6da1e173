import type { Clock } from './ports/clock.ts'
import type { IdSource } from './ports/id-source.ts'
import type { IdempotencyStore, KeyScope, Reservation } from './ports/idempotency-store.ts'
import { StoreUnavailableError } from './ports/store-unavailable.ts'

/** How long a key keeps standing for its first request. */
export const keyLifetimeMs = 24 * 60 * 60 * 1000

/** A key as a client sends it: 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

/** A caller's own name for a request, with which it may send that request again and have it done once. */
export type RetryKey = { readonly caller: string; readonly key: string }

/** The refusal for a key that made another resource than the request asks for. */
export type KeyReused = { readonly code: 'idempotency-key-reused' }

// Each round that fails means that another use of the same key has just got in first, and the next round finds it.
const rounds = 5

/**
 * The id that a key's resource has or will have. The id's uniqueness in its own store is what makes a retry safe:
 * whatever a key's requests do, and however many of them at once, at most one resource has that id.
 */
export async function reservedId<Id extends number>(
  ports: { readonly idempotencyKeys: IdempotencyStore; readonly clock: Clock },
  ids: IdSource<Id>,
  scope: KeyScope,
): Promise<Id> {
  for (let round = 0; round < rounds; round++) {
    const latest = await ports.idempotencyKeys.latest(scope)
    const nowMs = ports.clock.nowMs()
    // The cast: only ids of this source are ever reserved under an operation.
    if (latest !== undefined && isLive(latest, nowMs)) return latest.resourceId as Id
    const resourceId = await ids.next()
    const generation = (latest?.generation ?? 0) + 1
    const reservation = { ...scope, generation, resourceId, reservedAtMs: nowMs }
    if ((await ports.idempotencyKeys.insert(reservation)) === 'inserted') return resourceId
  }
  throw new StoreUnavailableError('the idempotency key could not be reserved')
}

const isLive = (reservation: Reservation, nowMs: number) => nowMs - reservation.reservedAtMs < keyLifetimeMs
