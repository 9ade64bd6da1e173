import type { FastifyInstance } from 'fastify'
import { pagePaths, readPageFile } from './page.ts'
import { type LimitDocuments, prepareFile, sendFile, type TextFile } from './served-file.ts'

/**
 * Adds what tells of the API, for whoever asks: its OpenAPI document, and a page to read that and to try it. Nothing of it is made or
 * read before somebody asks.
 */
export function addDocuments(app: FastifyInstance, limit: LimitDocuments): void {
  addFile('/openapi.json', 'openapi', readOpenApi)
  for (const path of pagePaths) addFile(path, 'docs', () => readPageFile(path))

  function addFile(url: string, operation: string, read: () => Promise<TextFile>): void {
    const file = once(async () => prepareFile(await read()))
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { operation },
      handler: async (request, reply) => sendFile(request, reply, await file(), limit),
    })
  }
}

async function readOpenApi(): Promise<TextFile> {
  const { createOpenApiDocument } = await import('../openapi/document.ts')
  const { readVersion } = await import('../version.ts')
  return {
    text: JSON.stringify(createOpenApiDocument(readVersion())),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }
}

/** Calls a function the first time only, and again if that has failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
