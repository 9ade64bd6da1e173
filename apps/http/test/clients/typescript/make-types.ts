import openapiTS, { astToString } from 'openapi-typescript'
import { createOpenApiDocument } from '../../../src/api/openapi/document.ts'

/** The types of the API, as a common generator makes them of the OpenAPI document. */
export async function typesOfApi(): Promise<string> {
  // As JSON: the generator changes what it is given.
  const document = JSON.parse(JSON.stringify(createOpenApiDocument('0.2.0')))
  return `${heading}\n\n${astToString(await openapiTS(document))}`
}

const heading =
  '// Made by openapi-typescript from the OpenAPI document: "npx -y pnpm@12 docs:reference" writes it anew.'
