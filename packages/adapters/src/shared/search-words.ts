/** The word whose list a search follows, and the others. The longest word is likely to be the rarest. */
export function splitSearch(words: readonly string[]): {
  readonly longest: string
  readonly others: readonly string[]
} {
  const longest = words.reduce((longer, word) => (word.length > longer.length ? word : longer), '')
  return { longest, others: words.filter((word) => word !== longest) }
}
