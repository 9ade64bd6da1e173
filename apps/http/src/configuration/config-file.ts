import { evaluate, type MemberNode, parse } from '@humanwhocodes/momoa'

/** A member of a JSON object, with where it stands, for example `line 2, column 3`. */
export type FileMember = {
  readonly name: string
  readonly place: string
  readonly value: unknown
  /** The value's own members, where it is an object. */
  readonly members: readonly FileMember[] | undefined
}

export type FileReading =
  | { readonly ok: true; readonly members: readonly FileMember[] }
  | { readonly ok: false; readonly fault: string }

/** Reads a JSON object, member by member: a name may stand there twice. Faults tell a place and never repeat the text. */
export function parseConfigFile(text: string): FileReading {
  if (text.startsWith('\uFEFF')) {
    return fault('begins with a byte order mark, which JSON does not have; save it as UTF-8 without one')
  }
  // What is not UTF-8 was replaced when the file was read.
  if (text.includes('\uFFFD')) return fault('is not UTF-8')
  try {
    const { body } = parse(text)
    // The parser that knows places lets such characters pass.
    if (!isJson(text)) {
      return fault('is not JSON: a text in it holds a line break or another control character')
    }
    return body.type === 'Object'
      ? { ok: true, members: body.members.map(fileMember) }
      : fault('must hold one JSON object')
  } catch (error) {
    return fault(whatIsWrong(error))
  }
}

const fault = (text: string): FileReading => ({ ok: false, fault: text })

function fileMember({ name, value }: MemberNode): FileMember {
  const { line, column } = name.loc.start
  return {
    // In JSON, as it is read here, a name is a text.
    name: name.type === 'String' ? name.value : name.name,
    place: `line ${line}, column ${column}`,
    value: evaluate(value),
    members: value.type === 'Object' ? value.members.map(fileMember) : undefined,
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function whatIsWrong(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply'
  if (!(error instanceof Error && 'line' in error && 'column' in error)) throw error
  return `is not JSON: it goes wrong at line ${error.line}, column ${error.column}`
}
