import { keyLifetimeMs } from '@auction/domain/idempotency'
import type { IdempotencyStore, KeyScope, Reservation } from '@auction/domain/ports/idempotency-store'

/** Reservations in the order in which they were made, so that those that have expired can go from the front. */
export function memoryIdempotencyKeys(): IdempotencyStore {
  const latest = new Map<string, Reservation>()

  function dropExpired(nowMs: number): void {
    for (const [name, reservation] of latest) {
      // Twice the lifetime, so that clocks that differ find the same.
      if (nowMs - reservation.reservedAtMs < 2 * keyLifetimeMs) return
      latest.delete(name)
    }
  }

  return {
    async insert(reservation) {
      const name = nameOf(reservation)
      if ((latest.get(name)?.generation ?? 0) >= reservation.generation) return 'taken'
      dropExpired(reservation.reservedAtMs)
      latest.delete(name)
      latest.set(name, Object.freeze({ ...reservation }))
      return 'inserted'
    },

    async latest(scope) {
      return latest.get(nameOf(scope))
    },
  }
}

const nameOf = ({ caller, operation, key }: KeyScope) => JSON.stringify([caller, operation, key])
