import type { IdempotencyStore, Reservation } from '@auction/domain/ports/idempotency-store'
import * as v from 'valibot'
import { askTwice, insertInOrder } from './asking.ts'
import type { MongoContext } from './context.ts'
import { int64, parseDocument, StoredCount, type Written } from './documents.ts'
import type { Index } from './indexes.ts'

export const idempotencyKeysCollection = 'idempotencyKeys'

const StoredReservation = v.pipe(
  v.object({
    caller: v.string(),
    operation: v.picklist(['create-auction', 'place-bid']),
    key: v.string(),
    generation: StoredCount,
    resourceId: StoredCount,
    /** A BSON date, which is what TTL indexes go by. */
    reservedAt: v.date(),
  }),
  v.transform(
    ({ reservedAt, ...reservation }): Reservation => ({ ...reservation, reservedAtMs: reservedAt.getTime() }),
  ),
)
type ReservationDocument = Written<v.InferInput<typeof StoredReservation>>

// Twice as long as keys live, so that clocks that differ find the same.
const dropAfterSeconds = 48 * 60 * 60

export const idempotencyKeyIndexes: readonly Index[] = [
  { name: 'one-reservation-per-generation', key: { caller: 1, operation: 1, key: 1, generation: 1 }, unique: true },
  { name: 'dropped-when-expired', key: { reservedAt: 1 }, expireAfterSeconds: dropAfterSeconds },
]

const documentOf = (reservation: Reservation): ReservationDocument => ({
  caller: reservation.caller,
  operation: reservation.operation,
  key: reservation.key,
  generation: int64(reservation.generation),
  resourceId: int64(reservation.resourceId),
  reservedAt: new Date(reservation.reservedAtMs),
})

export function mongoIdempotencyKeys({ connection, ask, maxReadMs: maxTimeMS }: MongoContext): IdempotencyStore {
  const reservations = () => connection.collection<ReservationDocument>(idempotencyKeysCollection)

  return {
    async insert(reservation) {
      const document = documentOf(reservation)
      const insert = () => insertInOrder(reservations(), [document])
      // A reservation that a first try has made is found by the next look.
      const inserted = await askTwice(ask, 'reserve an idempotency key', insert)
      return inserted === 1 ? 'inserted' : 'taken'
    },

    async latest({ caller, operation, key }) {
      const options = { sort: { generation: -1 }, maxTimeMS } as const
      const found = await ask('find an idempotency key', () =>
        reservations().findOne({ caller, operation, key }, options),
      )
      return found === null ? undefined : parseDocument(StoredReservation, idempotencyKeysCollection, found)
    },
  }
}
