import * as v from 'valibot'
import { StoredInteger } from '../values/primitives.ts'
import { ledgerEntryFields } from './entry.ts'

// The entries of directories as they are stored. A directory lists all that were created of one kind, such as all
// registers.

/** One line: what was created, by its id and its fields, which never change. */
export const listedFields = <Type extends string, Id extends v.GenericSchema<number>, Fields extends v.ObjectEntries>(
  type: Type,
  id: Id,
  fields: Fields,
) => v.object({ type: v.literal(type), id, createdAtMs: StoredInteger, fields: v.object(fields), editor: v.string() })

/** One line of a directory. */
export type Line<Fields = unknown> = {
  readonly type: string
  /** The id of its ledger. */
  readonly id: number
  readonly createdAtMs: number
  readonly fields: Fields
  readonly editor: string
}

const StateFields = v.object({ count: StoredInteger, atMs: StoredInteger })

/** @param line the schema of the lines of all directories */
export const directoryEntryFields = <Schema extends v.GenericSchema>(line: Schema) =>
  v.object({ ...ledgerEntryFields, kind: v.literal('directory'), event: line, state: StateFields })

export type DirectoryEntry<Event extends Line = Line> = Readonly<
  Omit<v.InferOutput<ReturnType<typeof directoryEntryFields<v.GenericSchema>>>, 'event'>
> & { readonly event: Event }
