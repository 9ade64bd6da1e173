/** What a client's key stands for: a caller's own name for one request to one operation. */
export type KeyScope = {
  readonly caller: string
  readonly operation: 'create-auction' | 'place-bid'
  readonly key: string
}

/** A key reserves an id for the resource that its request will make; it says nothing of whether that was made. */
export type Reservation = KeyScope & {
  /** 1 for the first use of a key; one more for each use after the last one expired. */
  readonly generation: number
  readonly resourceId: number
  readonly reservedAtMs: number
}

export interface IdempotencyStore {
  /**
   * Stores the reservation durably, or answers `taken` when its scope and generation are stored already.
   * @throws StoreUnavailableError when the store can't say.
   */
  insert(reservation: Reservation): Promise<'inserted' | 'taken'>
  /** The reservation of the highest generation. Reservations that expired may be gone, the oldest first. */
  latest(scope: KeyScope): Promise<Reservation | undefined>
}
