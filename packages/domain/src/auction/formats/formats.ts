import type * as v from 'valibot'
import { hasAdmittingTerms } from '../common-terms.ts'
import type { NotInFormat } from '../life-refusals.ts'
import { english } from './english/english.ts'
import { falling } from './falling/falling.ts'
import type { Format, FormatTypes } from './format.ts'
import { sealed } from './sealed/sealed.ts'

/** The formats by their names. A new one has a row here. */
export const formats = { english, sealed, falling } satisfies Readonly<
  Record<string, Omit<Format<FormatTypes>, 'rules'>>
>

export type FormatName = keyof typeof formats

/** The name of a format in terms, states and fields. Absent: English. */
export type Named = { readonly format?: FormatName | undefined }

type TypesOf<Row> = Row extends Format<infer Types> ? Types : never
type Each = TypesOf<(typeof formats)[FormatName]>

type Both<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Each of these types, with the members that only others have as absent ones: so any code may read them. */
export type Exclusive<Each, All = Each> = Each extends unknown
  ? Each & { readonly [Name in Exclude<NameIn<All>, keyof Each>]?: never }
  : never
type NameIn<Types> = Types extends unknown ? keyof Types : never

/** The types that readers of any format have. */
type ReadTypes = 'auction' | 'state' | 'standing' | 'bid' | 'figures' | 'shown' | 'placed'

/** The types of any format: unions of those of each. */
export type AnyTypes = {
  readonly [Name in keyof FormatTypes]: Name extends ReadTypes ? Exclusive<Each[Name]> : Each[Name]
}
/** The types of auctions of one format. */
export type OfFormat<Name extends FormatName, Type extends { readonly format?: unknown }> = Extract<
  Type,
  Name extends 'english' ? { readonly format?: 'english' } : { readonly format: Name }
>

export type AnyFields = v.InferOutput<AnyTypes['fields']>
export type StandingOffers = AnyTypes['standing']
export type FormatRefusals = Both<AnyTypes['refusals']>

type Decisions = AnyTypes['decisions']

/** The event of a command or its refusal, by any format that has the command. */
export type DecisionOf<Type extends keyof Decisions> = {
  readonly event: Decisions[Type]['event']
  readonly refusal: Decisions[Type]['refusal'] | (Type extends 'place-bid' ? never : NotInFormat)
}
export type FormatRefusal = DecisionOf<keyof Decisions>['refusal']

/**
 * The version in which an auction and its entries are stored. Programs that do not know what the second version has refuse
 * it: they would run the auction as another one.
 */
export const versionOf = (terms: Named): 1 | 2 =>
  terms.format !== undefined || hasAdmittingTerms(terms) || formatOf(terms).hasLaterTerms?.(terms) === true ? 2 : 1

/** The format of terms, or of a state. The cast: a format receives only terms and states that name it. */
export const formatOf = ({ format }: Named): Format<AnyTypes> => formats[format ?? 'english'] as Format<AnyTypes>
