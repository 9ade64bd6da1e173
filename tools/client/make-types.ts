import { renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { createAsyncApiDocument } from '../../apps/http/src/api/asyncapi/document.ts'
import { createOpenApiDocument } from '../../apps/http/src/api/openapi/document.ts'
import { readVersion } from '../../apps/http/src/version.ts'

// Writes the types of @auction/client, as a common generator makes them of the OpenAPI document, with the events of streams of the AsyncAPI
// document. Code that contradicts the schemas of the API then fails to compile.

const file = fileURLToPath(new URL('../../packages/client/src/api.ts', import.meta.url))

const version = readVersion()
const { components, ...others } = createOpenApiDocument(version)
const schemas = { ...createAsyncApiDocument(version).components.schemas, ...components.schemas }
const whole = { ...others, components: { ...components, schemas } }
// The client has no types of headers and links. Parsed again, because the generator changes what it is given.
const document = JSON.parse(JSON.stringify(whole), (name, value) =>
  name === 'headers' || name === 'links' ? undefined : value,
)
// Renamed, so that a compiler that runs at the same time reads a whole file.
const unfinished = `${file}.${process.pid}`
writeFileSync(unfinished, `// Made by tools/client/make-types.ts.\n${astToString(await openapiTS(document))}`)
renameSync(unfinished, file)
