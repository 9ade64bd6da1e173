import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { probePaths } from '../../packages/host/src/server/requests.ts'
import { dockerfile } from '../image/dockerfile.ts'
import { configurationInImage, endsWithinSeconds, heapMiBOf } from './settings-of.ts'

/** The objects of a file, one of each kind. A linter of .ci checks their schemas. */
function objectsIn(file: string) {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })
  const values = documents.map((document) => document.toJS({ maxAliasCount: 100 }))
  return {
    kinds: values.map(({ kind }) => kind),
    find: (kind: string) => values.find((value) => value.kind === kind),
  }
}

const folder = 'docs/how-to/examples/kubernetes'
/** The examples, each with the secrets that choose its store. */
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
  const pod = workload.spec.template.spec
  const container = pod.containers[0]
  const hasIngress = kinds.includes('Ingress')
  const environment = { ...find('ConfigMap').data, ...secrets }
  const configuration = configurationInImage(environment)

  test('has one object of each kind', () => {
    expect(new Set(kinds).size).toBe(kinds.length)
  })

  test('chooses the store', () => {
    expect(configuration.store.kind).toBe(store)
  })

  test('probes the paths of the service, and names its ports', () => {
    expect(container.startupProbe.httpGet.path).toBe(probePaths.live)
    expect(container.livenessProbe.httpGet.path).toBe(probePaths.live)
    expect(container.readinessProbe.httpGet.path).toBe(probePaths.ready)
    expect(configuration.admin?.host).toBe('0.0.0.0')
    expect(container.ports).toEqual([
      { name: 'http', containerPort: configuration.port },
      { name: 'metrics', containerPort: configuration.admin?.port },
    ])
    expect(find('Service').spec.ports).toMatchObject([{ targetPort: 'http' }])
  })

  test('gives the service time to stop', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(endsWithinSeconds(configuration))
  })

  test('starts the service as the image does, with twice the memory of its heap', () => {
    expect(container).not.toHaveProperty('command')
    expect(container).not.toHaveProperty('args')
    expect(container.resources.limits.memory).toBe(`${(2 * heapMiBOf(environment)) / 1024}Gi`)
  })

  test('runs the service with the fewest rights', () => {
    const { runAsUser, runAsGroup, runAsNonRoot } = pod.securityContext ?? {}
    expect({ user: `${runAsUser}:${runAsGroup}`, runAsNonRoot }).toEqual({ user: dockerfile.user, runAsNonRoot: true })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('selects its pods', () => {
    const { labels } = workload.spec.template.metadata ?? {}
    expect(labels).toBeDefined()
    expect(workload.spec.selector.matchLabels).toEqual(labels)
    expect(find('Service').spec.selector).toEqual(labels)
    expect(find('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels)
    if (kinds.includes('PodDisruptionBudget')) {
      expect(find('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
    }
  })

  test('admits requests from its ingress or everywhere, and metrics from the namespace of Prometheus', () => {
    const namespace = (name: string) => [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
    ]
    expect(find('NetworkPolicy').spec.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(find('NetworkPolicy').spec.ingress).toEqual([
      { ...(hasIngress && { from: namespace('ingress-nginx') }), ports: [{ port: 'http' }] },
      { from: namespace('monitoring'), ports: [{ port: 'metrics' }] },
    ])
  })

  test('has an ingress if it has several pods, which routes each auction to one of them, and trusts it alone', () => {
    expect(hasIngress).toBe((workload.spec.replicas ?? 1) > 1)
    expect(configuration.trustedProxies).toBe(hasIngress ? 1 : undefined)
    if (!hasIngress) return
    const { metadata, spec } = find('Ingress')
    const { name, namespace } = find('Service').metadata ?? {}
    expect(metadata).toMatchObject({
      namespace,
      annotations: { 'nginx.ingress.kubernetes.io/upstream-hash-by': '$auction' },
    })
    const paths = [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { name: 'http' } } } }]
    expect(spec.rules).toMatchObject([{ http: { paths } }])
  })

  test('lets the service reach DNS, the issuer and its store, and nothing else', () => {
    const egress: readonly { readonly ports: readonly { readonly port: number }[] }[] =
      find('NetworkPolicy').spec.egress
    const ofStores = store === 'sqlite' ? [] : [27_017, 5432, 6379]
    expect(egress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53, ...ofStores, 443])
    expect(configuration.tokenKey).toMatchObject({ url: expect.objectContaining({ protocol: 'https:', port: '' }) })
  })

  test('keeps the SQLite file on its volume, and has no other volume', () => {
    const mounts = configuration.store.kind === 'sqlite' ? [{ name: 'data', mountPath: dockerfile.volume }] : undefined
    expect(container.volumeMounts).toEqual(mounts)
  })
})
