import { basename, matchesGlob, relative } from 'node:path'
import { env } from 'node:process'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const listIn = (name: string): readonly string[] => env[name]?.split(',').filter(Boolean) ?? []

const mutated = new Set(listIn('MUTATION_SOURCES').map((source) => basename(source.replace(/:.*/, ''), '.ts')))
const slow = listIn('MUTATION_SLOW_TESTS')

/** Tests with the name of the mutated source usually fail first. */
function rankOf({ moduleId }: TestSpecification): number {
  if (slow.some((pattern) => matchesGlob(relative('.', moduleId), pattern))) return 2
  return mutated.has(basename(moduleId, '.test.ts')) ? 0 : 1
}

/** The first failed test kills a mutant, so tests that are likely to fail run first, and slow ones last. */
export class KillersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
