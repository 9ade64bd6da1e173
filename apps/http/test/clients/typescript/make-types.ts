import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import { createOpenApiDocument } from '../../../src/api/openapi/document.ts'
import { readVersion } from '../../../src/version.ts'

// Writes the types of the API, as a common generator makes them of the OpenAPI document. The clients next to it are checked with them.

// As JSON: the generator changes what it is given.
const document = JSON.parse(JSON.stringify(createOpenApiDocument(readVersion())))
writeFileSync(new URL('types.ts', import.meta.url), astToString(await openapiTS(document)))
