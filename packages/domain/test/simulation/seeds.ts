export const seeds = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index)

/** The seeds whose ledgers are in recorded-ledgers.txt. */
export const recordedSeeds = seeds(91, 50)
