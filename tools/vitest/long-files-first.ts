import { matchesGlob, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest, so that no worker begins one of them when the others are done. Those that mostly wait alternate with
 * those that mostly compute.
 */
const longFiles = [
  'packages/adapters/test/mongodb/contracts.test.ts',
  'apps/http/test/faults/mongodb.long.test.ts',
  'apps/http/test/clients/generated.long.test.ts',
  'packages/adapters/test/*/contracts.test.ts',
  'apps/http/test/faults/*',
  'apps/http/test/{documents/browser.long,page/*}.test.ts',
  'packages/adapters/test/mongodb/sharded-cluster.test.ts',
  'packages/domain/test/simulation/*',
  'packages/testing/test/contract-mutations/*',
  'apps/http/test/{attacks,fuzz}/**',
  // These start many servers.
  'apps/http/test/{process,command-line,shared-databases,stopping,waiting-for-the-store}.test.ts',
  'apps/http/test/webhooks/{process,replay}.test.ts',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longFiles.findIndex((pattern) => matchesGlob(relative('.', moduleId), pattern))
  return rank === -1 ? longFiles.length : rank
}

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
