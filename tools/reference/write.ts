import { writeFileSync } from 'node:fs'
import { madePages } from './pages.ts'

for (const { path, make } of madePages) {
  writeFileSync(path, await make())
  process.stdout.write(`${path}\n`)
}
