import { basename, matchesGlob, relative } from 'node:path'
import { env } from 'node:process'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const listIn = (name: string): readonly string[] => env[name]?.split(',').filter(Boolean) ?? []

const mutated = new Set(listIn('MUTATION_SOURCES').map((source) => basename(source.replace(/:.*/, ''), '.ts')))
const slow = listIn('MUTATION_SLOW_TESTS')

/** Tests of the same name as what is mutated notice most of it at once. */
function rankOf({ moduleId }: TestSpecification): number {
  if (slow.some((pattern) => matchesGlob(relative('.', moduleId), pattern))) return 2
  return mutated.has(basename(moduleId, '.test.ts')) ? 0 : 1
}

/** A mutant is dead with the first test that fails, so tests that are likely to kill it run first, and slow ones last. */
export class KillersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
