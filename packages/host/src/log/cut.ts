// More than any path, subject or message that is meant to be read.
const maxLength = 500

/** Shortens a text for the log, with a mark. Clients and databases may send texts of any length. */
export function cut(text: string, max = maxLength): string {
  if (text.length <= max) return text
  // The cut may split a character of two code units.
  return `${text.slice(0, max).toWellFormed()}… (cut; ${text.length} characters)`
}
