export const seeds = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index)
