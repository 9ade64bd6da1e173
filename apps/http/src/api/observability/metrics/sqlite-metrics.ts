import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { MetricFactory } from '@auction/host/metrics'

/** Adds the size of a SQLite file and its write-ahead log, and the free space of their disk. They are read at each scrape. */
export function addSqliteMetrics({ gauge }: MetricFactory, file: string): void {
  gauge('auction_sqlite_file_bytes', 'Size of the SQLite file.', () => sizeOf(file))
  gauge('auction_sqlite_wal_bytes', 'Size of the write-ahead log of the SQLite file.', () => sizeOf(`${file}-wal`))
  gauge('auction_sqlite_disk_free_bytes', 'Free space on the disk of the SQLite file.', () =>
    statfs(dirname(file)).then(({ bavail, bsize }) => bavail * bsize, unknown),
  )
}

// Not 0, which would look like a full disk, and not an error, which would hide all metrics.
const unknown = () => Number.NaN

const sizeOf = (file: string): Promise<number> => stat(file).then(({ size }) => size, unknown)
