// More than any path, subject or message needs that is meant to be read.
const longestText = 500

/** Shortens a text for the log, and says so: what a client or a database has sent may be of any length. */
export function cut(text: string, longest = longestText): string {
  if (text.length <= longest) return text
  // The cut may go through the middle of a character that takes two code units.
  return `${text.slice(0, longest).toWellFormed()}… (cut; ${text.length} characters)`
}
