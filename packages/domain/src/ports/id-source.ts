/** Hands out ids that nobody else has or will get, in this process or another; gaps are fine. */
export interface IdSource<Id> {
  next(): Promise<Id>
}
