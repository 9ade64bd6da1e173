/**
 * The first name that the outermost object of a JSON text gives to two members, if any. Parsers keep the last of them, some
 * the first (RFC 8259, section 4): with two amounts in one bid, whoever looked at it before may have seen another bid.
 * @param text valid JSON, of an object
 * @param parsed what it was parsed to
 */
export function duplicateMember(text: string, parsed: object): string | undefined {
  const names = Object.keys(parsed).length
  // Each member has a colon of its own, so with no more colons than names nothing is named twice. It is so with every bid.
  if (colonsIn(text) === names) return undefined
  const literals = memberLiterals(text)
  if (literals.length === names) return undefined
  // Each literal is a JSON string, so its parse is a text; two spellings of one name are one name.
  const seen = new Set<string>()
  return literals
    .map((literal) => String(JSON.parse(literal)))
    .find((name) => {
      const isRepeated = seen.has(name)
      seen.add(name)
      return isRepeated
    })
}

function colonsIn(text: string): number {
  let colons = 0
  for (let index = text.indexOf(':'); index !== -1; index = text.indexOf(':', index + 1)) colons++
  return colons
}

/** The names of the outermost object's members, as they are written. */
function memberLiterals(text: string): readonly string[] {
  const literals: string[] = []
  let depth = 0
  let lastString = ''
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      const end = endOfString(text, index)
      if (depth === 1) lastString = text.slice(index, end + 1)
      index = end
    } else if (character === ':') {
      if (depth === 1) literals.push(lastString)
    } else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
  }
  return literals
}

/** The index of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0
  while (text[index - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
