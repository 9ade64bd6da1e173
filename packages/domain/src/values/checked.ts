import { InvalidValueError } from './validation.ts'

/** The key of the mark. The registry of symbols shares it between two copies of this package in one program. */
const parser = Symbol.for('@auction/domain/parser')

/** The mark as a type. A member that is private does not survive a spread, so a changed copy needs a new check. */
declare class Mark {
  private readonly isChecked: true
}

/**
 * A command that its parser has checked and frozen, so that use cases trust it. Copies with other fields are not
 * checked.
 */
export type Checked<Command> = Command & Mark

/**
 * Creates the function with which a parser marks its commands. The mark is a property of their prototype, which copies
 * do not get. An own property that is not enumerable would do the same, and take four times as long.
 */
export function createMark<Command extends object>(parserName: string): (fields: Command) => Checked<Command> {
  class MarkedCommand {
    constructor(fields: Command) {
      freeze(Object.assign(this, fields))
    }
  }
  // With the constructor of literals, it is printed and compared as one.
  Object.defineProperties(MarkedCommand.prototype, { constructor: { value: Object }, [parser]: { value: parserName } })
  return (fields) => new MarkedCommand(fields) as object as Checked<Command> // It has the fields and the mark.
}

/** Freezes plain data and what it contains. */
function freeze(data: unknown): void {
  if (typeof data !== 'object' || data === null) return
  if (Array.isArray(data)) for (const item of data) freeze(item)
  // Not `Object.values`, which takes five times as long, and not for items, whose names are texts.
  else for (const name in data) freeze(data[name as keyof typeof data])
  Object.freeze(data)
}

/**
 * Refuses a command that its parser has not made. Programs in JavaScript can pass any value.
 * @throws InvalidValueError that names the parser
 */
export function requireChecked(command: unknown, what: string, parserName: string): void {
  if (Object(command)[parser] === parserName) return
  throw new InvalidValueError(`${what} must be a value that ${parserName} returned; nothing was changed`)
}
