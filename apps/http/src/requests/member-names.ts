/**
 * The first name that an object of a JSON text gives to two members, if any. Parsers keep the last of them, some the first
 * (RFC 8259, section 4): with two amounts in one bid, whoever looked at it before may have seen another bid.
 * @param text valid JSON
 * @param parsed what it was parsed to
 */
export function duplicateMember(text: string, parsed: object): string | undefined {
  const names = countNames(parsed)
  // Each member has a colon of its own, so with no more colons than names nothing is named twice. It is so with every bid.
  if (colonsIn(text) === names) return undefined
  const objects = memberLiterals(text)
  const literals = objects.reduce((count, { length }) => count + length, 0)
  if (literals === names) return undefined
  // Each literal is a JSON string, so its parse is a text; two spellings of one name are one name.
  return objects.map((each) => firstRepeated(each.map((literal) => String(JSON.parse(literal))))).find(isGiven)
}

/** How many names an object has, with all that are in it. Not by recursion: a text may be nested more deeply than calls can be. */
function countNames(whole: object): number {
  let names = 0
  const left: object[] = [whole]
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    const parts: readonly unknown[] = Object.values(value)
    if (!Array.isArray(value)) names += parts.length
    for (const part of parts) if (typeof part === 'object' && part !== null) left.push(part)
  }
  return names
}

function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => {
    const isRepeated = seen.has(name)
    seen.add(name)
    return isRepeated
  })
}

const isGiven = (name: string | undefined): boolean => name !== undefined

function colonsIn(text: string): number {
  let colons = 0
  for (let index = text.indexOf(':'); index !== -1; index = text.indexOf(':', index + 1)) colons++
  return colons
}

/** The names of the members of each object, as they are written. */
function memberLiterals(text: string): readonly (readonly string[])[] {
  const objects: string[][] = []
  /** The objects that are open, the innermost last; for an array, which has no names, one that stays empty. */
  const open: string[][] = []
  let lastString = ''
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      const end = endOfString(text, index)
      lastString = text.slice(index, end + 1)
      index = end
    } else if (character === ':') open.at(-1)?.push(lastString)
    else if (character === '{' || character === '[') {
      const members: string[] = []
      objects.push(members)
      open.push(members)
    } else if (character === '}' || character === ']') open.pop()
  }
  return objects
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
