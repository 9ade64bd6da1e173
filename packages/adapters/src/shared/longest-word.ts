/** The word whose list a search follows: the longest is likely to be the rarest. */
export const longestWord = (words: readonly string[]): string =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
