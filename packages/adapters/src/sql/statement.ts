/** A value of a statement. A request key is bytes, so that its text is compared byte by byte. */
export type SqlValue = string | number | Uint8Array | null | readonly SqlValue[]

/** A statement or a part of one: there is one value between each two texts. */
export type Sql = { readonly texts: readonly string[]; readonly values: readonly SqlValue[] }

const isSql = (part: Sql | SqlValue): part is Sql => typeof part === 'object' && part !== null && 'texts' in part

function concat(parts: readonly (Sql | SqlValue)[], textAfter: (index: number) => string, first: string): Sql {
  const texts: string[] = []
  const values: SqlValue[] = []
  let text = first
  for (const [index, part] of parts.entries()) {
    const { texts: own, values: ownValues } = isSql(part) ? part : { texts: ['', ''], values: [part] }
    for (const [number, value] of ownValues.entries()) {
      texts.push(text + own[number])
      values.push(value)
      text = ''
    }
    text += own.at(-1) + textAfter(index)
  }
  return { texts: [...texts, text], values }
}

/** The tag of a template whose values are parameters; those that are `Sql` are parts of the statement. */
export const sql = (texts: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql =>
  concat(parts, (index) => texts[index + 1] ?? '', texts[0] ?? '')

/** A text of this program, such as the name of a column, never one that was received. */
export const raw = (text: string): Sql => ({ texts: [text], values: [] })

export const join = (parts: readonly (Sql | SqlValue)[], separator: string): Sql =>
  concat(parts, (index) => (index < parts.length - 1 ? separator : ''), '')
