import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleClient } from '../../../../tools/client/bundle.ts'
import { type Child, startChild } from '../../../../tools/vitest/child.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { temporaryFolder } from './server-process.ts'

/** Where the programs of pages run: on the Node.js of this repository and, in the long form, on the oldest one that the client supports. */
export const nodeVersions = isLong ? ([26, 20] as const) : ([26] as const)

/** Starts a program of a page. On Node.js 20, it is JavaScript with the client in `node_modules`, as a reader has both. */
export async function startProgram(file: string, version: 26 | 20, env: NodeJS.ProcessEnv): Promise<Child> {
  if (version === 26) return startChild(process.execPath, ['--conditions=@auction/source', file], { env })
  const folder = temporaryFolder()
  const client = join(folder, 'node_modules/@auction/client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), JSON.stringify({ type: 'module', exports: './client.js' }))
  writeFileSync(join(client, 'client.js'), await bundleClient())
  copyFileSync(file, join(folder, 'program.mjs'))
  return startChild('npx', ['-y', '-p', `node@${version}`, 'node', join(folder, 'program.mjs')], { env })
}
