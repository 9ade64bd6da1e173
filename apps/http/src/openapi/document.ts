import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import { headers } from './headers.ts'
import type { OpenApiDocument, OperationObject, PathItem } from './openapi.ts'
import { permissionInWords } from './permission-words.ts'
import { bodyOf, parametersOf, requestSchemas, sharedParameters } from './requests.ts'
import { resourceSchemas } from './resource-schemas.ts'
import { responsesOf, sharedResponses } from './responses.ts'

/** The OpenAPI 3.1 document of the service. It follows from the table of operations. */
export function createOpenApiDocument(version: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Auction service',
      version,
      summary: 'Create auctions, bid on them, buy or cancel them, and read it all.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The maintainers of the auction service' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    security: [{ bearer: [] }],
    tags: [
      {
        name: 'Auctions',
        description: 'What is sold, from when until when, and for how much; and what ends it early.',
      },
      { name: 'Bids', description: 'What is offered.' },
      { name: 'Health', description: 'Whether the server runs, and takes requests. No token is needed.' },
    ],
    paths: pathsOf(operations),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      parameters: sharedParameters,
      headers,
      responses: sharedResponses(operations),
      schemas: { ...resourceSchemas(), ...requestSchemas(operations) },
    },
  }
}

const introduction = `Every answer is one envelope: \`success\`, \`message\`, and \`data\` where it succeeded. A failure is a problem of RFC 9457 in the same
envelope, whose \`code\` is for programs. Paths match whatever their letter case. Every path also takes \`OPTIONS\`, and \`HEAD\` where it takes \`GET\`.

Clients of this version must bear what a later one adds: members of answers, headers, and codes of problems.`

function pathsOf(table: readonly Operation[]): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {}
  for (const operation of table) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: operationObject(operation) }
  }
  return paths
}

function operationObject(operation: Operation): OperationObject {
  const { name, tag, summary, description, permission } = operation
  return {
    operationId: name,
    tags: [tag],
    summary,
    description:
      permission === undefined ? description : `${description}\n\nPermission: ${permissionInWords(permission)}.`,
    ...(permission === undefined && { security: [] }),
    parameters: parametersOf(operation),
    ...bodyOf(operation),
    responses: responsesOf(operation),
  }
}
