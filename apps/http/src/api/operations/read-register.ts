import { RegisterPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { RegisterViewResource, registerViewResource } from '../responses/register-resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const readRegister = defineOperation({
  route: { name: 'readRegister', method: 'GET', path: '/api/Registers/{id}', permissions: allOf('Registers.Read') },
  docs: {
    tag: 'Registers',
    summary: 'Read a register',
    description: 'Returns the register with the number of its bidders with each status.',
    success: 'The register.',
  },
  schemas: { parameters: RegisterPath, data: RegisterViewResource, isTagged: true },
  refusals: reasonsOf('register-not-found'),
  handle: async ({ input: { parameters }, service }) =>
    responseTo(await service.readRegister(parameters.id), (view) => ({
      message: `Register ${view.register.id} has ${view.counts.admitted} admitted bidders.`,
      data: registerViewResource(view),
    })),
  examples: { 'A register': { parameters: { id: 9 } }, 'A register that does not exist': { parameters: { id: 99 } } },
})
