import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { probePaths } from '../../apps/http/src/server/probe-paths.ts'
import { dockerfile } from '../image/dockerfile.ts'
import { configurationInImage, endsWithinSeconds, heapMiBOf } from './settings-of.ts'

const models = { ConfigMap, Deployment, PodDisruptionBudget, Service, StatefulSet }

/** The objects of a file, of which there is one of a kind, each valid by the schema of Kubernetes. */
function objectsIn(file: string) {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })
  const values = documents.map((document) => document.toJS({ maxAliasCount: 100 }))
  function find<Kind extends keyof typeof models>(kind: Kind): InstanceType<(typeof models)[Kind]> {
    const value = values.find((one) => one.kind === kind)
    // The cast: TypeScript does not follow from the kind to its class. `validate` checks that it is one.
    const object = new models[kind](value) as InstanceType<(typeof models)[Kind]>
    object.validate()
    return object
  }
  return { kinds: values.map(({ kind }) => kind), find }
}

const folder = 'docs/how-to/examples/kubernetes'
/** The examples, each with the secrets by which it has a store. */
const examples: readonly { readonly name: string; readonly store: string; readonly secrets: Record<string, string> }[] =
  [
    { name: 'with-database.yaml', store: 'mongodb', secrets: { MONGODB_URI: 'mongodb://db.example.com/auctions' } },
    {
      name: 'with-database.yaml',
      store: 'postgresql',
      secrets: { POSTGRESQL_URI: 'postgresql://db.example.com/auctions' },
    },
    { name: 'with-sqlite.yaml', store: 'sqlite', secrets: {} },
  ]

test('every example is checked', () => {
  const files = globSync(`${folder}/*.yaml`).map((file) => basename(file))
  expect(new Set(examples.map(({ name }) => name))).toEqual(new Set(files))
})

describe.each(examples)('$name on $store', ({ name, store, secrets }) => {
  const file = `${folder}/${name}`
  const { kinds, find } = objectsIn(file)
  const workload = kinds.includes('Deployment') ? find('Deployment') : find('StatefulSet')
  const pod = workload.spec?.template.spec
  const container = pod?.containers[0]
  const environment = {
    ...find('ConfigMap').data,
    ...secrets,
  }
  const configuration = configurationInImage(environment)

  test('is of kinds that are checked here, one of each', () => {
    expect(kinds.filter((kind) => !Object.hasOwn(models, kind))).toEqual([])
    expect(new Set(kinds).size).toBe(kinds.length)
  })

  test('chooses the store', () => {
    expect(configuration.store.kind).toBe(store)
  })

  test('asks the paths and the port on which the service answers', () => {
    expect(container?.startupProbe?.httpGet?.path).toBe(probePaths.live)
    expect(container?.livenessProbe?.httpGet?.path).toBe(probePaths.live)
    expect(container?.readinessProbe?.httpGet?.path).toBe(probePaths.ready)
    expect(container?.ports).toEqual([{ name: 'http', containerPort: configuration.port }])
    expect(find('Service').spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(['http'])
  })

  test('gives the service the time to end', () => {
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(endsWithinSeconds(configuration))
  })

  test('starts the service as the image does, with twice the memory of its heap', () => {
    expect(container).not.toHaveProperty('command')
    expect(container).not.toHaveProperty('args')
    expect(container?.resources?.limits?.['memory']).toBe(`${(2 * heapMiBOf(environment)) / 1024}Gi`)
  })

  test('lets it do no more than it needs', () => {
    const { runAsUser, runAsGroup, runAsNonRoot } = pod?.securityContext ?? {}
    expect({ user: `${runAsUser}:${runAsGroup}`, runAsNonRoot }).toEqual({ user: dockerfile.user, runAsNonRoot: true })
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('selects the pods that it makes', () => {
    const { labels } = workload.spec?.template.metadata ?? {}
    expect(labels).toBeDefined()
    expect(workload.spec?.selector.matchLabels).toEqual(labels)
    expect(find('Service').spec?.selector).toEqual(labels)
    if (kinds.includes('PodDisruptionBudget')) {
      expect(find('PodDisruptionBudget').spec?.selector?.matchLabels).toEqual(labels)
    }
  })

  test('keeps the file of SQLite on its volume, and has no other', () => {
    const mounts = configuration.store.kind === 'sqlite' ? [{ name: 'data', mountPath: dockerfile.volume }] : undefined
    expect(container?.volumeMounts).toEqual(mounts)
  })
})
