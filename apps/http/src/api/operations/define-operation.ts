import type { ObjectSchema } from '@auction/domain/parsing'
import type * as v from 'valibot'
import { connectOperation } from './connect-operation.ts'
import type { DataSchema, Definition, Operation, Probe, UseCaseName } from './operation.ts'

/** Defines an operation of the API: its route, permission, documentation and examples, which tests send. */
export const defineOperation = <
  const Name extends UseCaseName,
  Data extends DataSchema,
  Fields = undefined,
  // biome-ignore lint/complexity/noBannedTypes: no entries at all
  const Parameters extends v.ObjectEntries = {},
  Query extends ObjectSchema = never,
>(
  definition: Definition<Name, Parameters, Query, Fields, Data>,
): Operation => ({ ...definition, connect: (parts) => connectOperation(definition, parts) })

export const defineProbe = ({ run, ...described }: Probe): Operation => ({
  ...described,
  connect: (parts) => () => run(parts),
})
