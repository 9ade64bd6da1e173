import { type FormatRefusal, type FormatRefusals, formats } from './formats/formats.ts'
import type {
  CancelRefusal,
  CloseRefusal,
  CorrectRefusal,
  EndRefusal,
  ExtendRefusal,
  WithdrawRefusal,
} from './life-refusals.ts'
import { lifeRefusals } from './life-refusals.ts'

const rows = [lifeRefusals, ...Object.values(formats).map((format) => format.refusals)].flatMap(Object.entries)
const twice = rows.find(([code], index) => rows.findIndex(([first]) => first === code) < index)
if (twice) throw new Error(`two formats have a row of the refusal ${twice[0]}, which is one of all formats`)

/**
 * Each refusal, by its code: those of what every auction is, and those of the formats. The cast: the codes are theirs.
 */
export const refusals = Object.fromEntries(rows) as typeof lifeRefusals & FormatRefusals

export type RefusalCode = keyof typeof refusals

export type Refusal =
  | FormatRefusal
  | CancelRefusal
  | CorrectRefusal
  | ExtendRefusal
  | WithdrawRefusal
  | EndRefusal
  | CloseRefusal
