import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../../../tools/vitest/child.ts'
import { root } from './terminal.ts'

/** The strictest settings: they must report nothing in the types of the packages. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noUncheckedSideEffectImports: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
}

export const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler' },
} as const

export type TypeCheck = {
  readonly resolution: keyof typeof resolutions
  /** The environment of the code: with the types of Node.js, or with those of a browser and without Node.js. */
  readonly host: 'node' | 'browser'
  readonly files: readonly string[]
}

/** The compiler’s output for files of a project outside this workspace; empty if they are valid. */
export async function typeErrors(project: string, { resolution, host, files }: TypeCheck): Promise<string> {
  const hosts = {
    node: { lib: ['es2024'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    browser: { lib: ['es2022', 'dom'], types: [] },
  }
  const config = join(project, `tsconfig.${resolution}.${host}.json`)
  const compilerOptions = { ...strictest, ...resolutions[resolution], ...hosts[host] }
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const check = startChild(process.execPath, [compiler, '-p', config], { cwd: project })
  return (await check.exited()) === 0 ? '' : check.stdout() + check.stderr()
}
