import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const entry = fileURLToPath(new URL('../../packages/client/src/client.ts', import.meta.url))

/** The client as one module that browsers load as it is, or only what an import such as `{ minorOf }` needs of it. */
export async function bundleClient(imports = '*'): Promise<string> {
  const importing = '\0importing'
  const build = await rolldown({
    input: importing,
    platform: 'browser',
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
    plugins: [
      {
        name: 'imports',
        resolveId: (id) => (id === importing ? id : null),
        load: (id) => (id === importing ? `export ${imports} from ${JSON.stringify(entry)}` : null),
      },
    ],
  })
  try {
    const { output } = await build.generate({ format: 'esm', minify: true })
    const [chunk, ...others] = output
    if (others.length > 0 || chunk.imports.length > 0) throw new Error('the client is not all in one module')
    return chunk.code
  } finally {
    await build.close()
  }
}

export const gzippedBytes = (code: string): number => gzipSync(code, { level: 9 }).length

// Writes the module to a file, or prints its size.
if (import.meta.main) {
  const code = await bundleClient()
  const [, , file] = process.argv
  if (file === undefined)
    process.stdout.write(`  ${(gzippedBytes(code) / 1000).toFixed(1)} kB gzipped: @auction/client\n`)
  else writeFileSync(file, code)
}
