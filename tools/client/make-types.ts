import { renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { createOpenApiDocument } from '../../apps/http/src/api/openapi/document.ts'
import { readVersion } from '../../apps/http/src/version.ts'

// Writes the types of @auction/client, as a common generator makes them of the OpenAPI document. Code that contradicts the schemas of the
// API then fails to compile.

const file = fileURLToPath(new URL('../../packages/client/src/api.ts', import.meta.url))

// The client has no types of headers and links, which are half of the text. Parsed again, because the generator changes what it is given.
const document = JSON.parse(JSON.stringify(createOpenApiDocument(readVersion())), (name, value) =>
  name === 'headers' || name === 'links' ? undefined : value,
)
// Renamed, so that a compiler that runs at the same time reads a whole file.
const unfinished = `${file}.${process.pid}`
writeFileSync(unfinished, `// Made by tools/client/make-types.ts.\n${astToString(await openapiTS(document))}`)
renameSync(unfinished, file)
