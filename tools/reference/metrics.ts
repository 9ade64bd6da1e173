import { createMetrics, type MetricDescription } from '../../apps/http/src/observability/metrics/metrics.ts'
import type {} from '../../apps/http/src/server/build-server.ts' // Declares what servers are decorated with.
import { markdownTable } from './markdown-table.ts'

/** docs/reference/metrics.md, made from the metrics that a server registers. */
export function metricsPage(): string {
  const metrics = createMetrics().describe()
  const sections = groups.map(({ heading, of }) => `## ${heading}\n\n${tableOf(metrics.filter(of))}`)
  return `${[introduction, ...sections].join('\n\n')}\n`
}

const startsWith =
  (...prefixes: readonly string[]) =>
  ({ name }: MetricDescription): boolean =>
    prefixes.some((prefix) => name.startsWith(prefix))

const groups: readonly { readonly heading: string; readonly of: (metric: MetricDescription) => boolean }[] = [
  { heading: 'Requests and connections', of: startsWith('auction_http_') },
  {
    heading: 'Bids on their way into the ledger',
    of: startsWith(
      'auction_commands_',
      'auction_lane',
      'auction_append_',
      'auction_conflicts_',
      'auction_unknown_',
      'auction_deadlines_',
    ),
  },
  { heading: 'The store', of: startsWith('auction_store_') },
  { heading: 'Closings', of: startsWith('auction_closing') },
  { heading: 'Node.js and the process', of: startsWith('nodejs_', 'process_') },
]

const introduction = `# Metrics

<!-- Made by "npx -y pnpm@12 docs:reference" from apps/http/src/observability/metrics: change it there. -->

What \`GET /metrics\` on the [admin address](configuration.md#address) answers, in Prometheus's text format. What to watch, and what to be
woken by: [Watch and alert](../how-to/watch-and-alert.md). Everything is of one process, since its start; times are in seconds. Of a
histogram there are \`_bucket\`, \`_sum\` and \`_count\`.

The label \`operation\` is the name that the operation has in the OpenAPI document, the method and path of a route that is none, such as
\`OPTIONS /api/Bids\`, or \`unknown\` where the path or the method is none of the service's: nothing that a client sends makes a new series.`

const tableOf = (metrics: readonly MetricDescription[]): string =>
  markdownTable(
    ['metric', 'kind', 'labels', 'what it is'],
    metrics.map(({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]),
  )
