import { NewRegisterFields, parseNewRegister } from '@auction/domain/parsing'
import { editorOf } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { RegisterResource, registerResource } from '../responses/register-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const createRegister = defineOperation({
  route: { name: 'createRegister', method: 'POST', path: '/api/Registers', permissions: allOf('Registers.Manage') },
  docs: {
    tag: 'Registers',
    summary: 'Create a register of bidders',
    description:
      'A register says who may bid on the auctions that are created with its `registerId`, up to what. It never changes, but for its bidders.',
    success: 'The register was created.',
  },
  schemas: { body: jsonBody(NewRegisterFields, parseNewRegister), data: RegisterResource },
  refusals: {},
  handle: async ({ input: { body, retry }, caller, service, arrivedAtMs }) => {
    const created = await service.createRegister({ register: body, editor: editorOf(caller) }, retry, arrivedAtMs)
    return responseTo(created, (register) => ({
      message: `Register ${register.id} was created.`,
      data: registerResource(register),
      location: `/api/Registers/${register.id}`,
    }))
  },
  examples: {
    'A register that admits whom it lists': {
      headers: { 'Idempotency-Key': 'register-1' },
      body: {
        title: 'Spring sale',
        currency: 'USD',
        admits: 'listed',
        claims: true,
        metadata: { admissionText: 'Register at the front desk.' },
      },
    },
    'A register that lists those who are refused': { body: { currency: 'USD', admits: 'everyone' } },
    'An unknown currency, and no word about who may bid': { body: { currency: 'XXX' } },
  },
})
