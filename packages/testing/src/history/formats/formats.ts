import type { Auction } from '@auction/domain/auction'
import { english } from './english/english.ts'
import { fallingPrice } from './falling/falling.ts'
import type { Format } from './format.ts'
import { sealed } from './sealed/sealed.ts'

type FormatName = NonNullable<Auction['format']>

/** What the checker knows of each format. */
export const formats = { english, sealed, falling: fallingPrice } satisfies Readonly<Record<FormatName, Format>>

/** The format of an auction or of a state. An absent name is English. */
export const formatOf = ({ format = 'english' }: { readonly format?: FormatName }): Format => formats[format]
