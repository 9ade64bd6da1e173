import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'

/**
 * Bundles a module for browsers, with all of its imports, and returns the script that leaves its exports in a global
 * variable named `bundle`. Throws if an import is not found or needs Node.
 */
export async function bundleForBrowsers(source: string, directory: URL, { minify = false } = {}): Promise<string> {
  const entry = fileURLToPath(new URL('./entry-of-this-test.js', directory))
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['@auction/source', 'browser', 'import', 'default'] },
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
    plugins: [
      {
        name: 'entry-from-source',
        resolveId: (id) => {
          if (isBuiltin(id)) throw new Error(`${id} exists in Node only`)
          return id === entry ? entry : null
        },
        load: (id) => (id === entry ? source : null),
      },
    ],
  })
  try {
    const { output } = await build.generate({ format: 'iife', name: 'bundle', minify })
    const [chunk, ...others] = output
    if (others.length > 0 || chunk.imports.length > 0) throw new Error('the bundle is not all in one script')
    return chunk.code
  } finally {
    await build.close()
  }
}

// Runs first in the context: removes what a host or V8 adds to the language, and makes clocks and randomness throw.
const bare = `
  for (const name of ['console', 'WebAssembly', 'Intl', 'escape', 'unescape']) delete globalThis[name]
  const forbidden = (what) => () => { throw new Error(what + ' may not be used') }
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    apply: forbidden('Date()'),
    construct: (target, args) => (args.length === 0 ? forbidden('new Date()')() : Reflect.construct(target, args)),
  })
  RealDate.now = forbidden('Date.now')
  RealDate.prototype.constructor = globalThis.Date
  Math.random = forbidden('Math.random')
`

/** A context with only the language: no process, console, timers, URL, crypto, clock or randomness. */
export function bareContext(): { readonly run: (script: string) => unknown } {
  const context = createContext({}, { codeGeneration: { strings: false, wasm: false } })
  runInContext(`(() => {${bare}})()`, context)
  return { run: (script) => runInContext(script, context) }
}
