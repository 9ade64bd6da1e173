import { readRegisterCursor, registerCursor } from '@auction/domain/cursors'
import * as v from 'valibot'
import { cursor, Limit } from '../requests/parameters.ts'
import { RegisterResource, registerResource } from '../responses/register-resources.ts'
import { pageSchema } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const listRegisters = defineOperation({
  route: { name: 'listRegisters', method: 'GET', path: '/api/Registers', permissions: allOf('Registers.Read') },
  docs: {
    tag: 'Registers',
    summary: 'List the registers',
    description: 'Lists the newest registers first, without the numbers of their bidders.',
    success: 'A page of registers.',
  },
  schemas: {
    query: v.object({ limit: Limit, cursor: cursor(readRegisterCursor) }),
    data: pageSchema(RegisterResource),
  },
  refusals: {},
  handle: async ({ input: { query }, service, signal }) => {
    const { limit, cursor: before } = query
    return responseTo(await service.listRegisters({ limit, before, signal }), ({ items, next }) => ({
      message: `Registers on this page: ${items.length}, newest first.`,
      data: { items: items.map(registerResource), nextCursor: next === undefined ? null : registerCursor(next) },
    }))
  },
  examples: { 'The newest register, with a cursor': { query: { limit: '1' } } },
})
