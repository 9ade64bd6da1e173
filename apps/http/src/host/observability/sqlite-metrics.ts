import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Gauge, type Registry } from 'prom-client'

/** Adds the size of a SQLite file and its write-ahead log, and the free space of their disk. They are read at each scrape. */
export function addSqliteMetrics(registry: Registry, file: string): void {
  addGauge(registry, 'auction_sqlite_file_bytes', 'Size of the SQLite file.', () => sizeOf(file))
  addGauge(registry, 'auction_sqlite_wal_bytes', 'Size of the write-ahead log of the SQLite file.', () =>
    sizeOf(`${file}-wal`),
  )
  addGauge(registry, 'auction_sqlite_disk_free_bytes', 'Free space on the disk of the SQLite file.', async () => {
    const { bavail, bsize } = await statfs(dirname(file))
    return bavail * bsize
  })
}

const sizeOf = async (file: string): Promise<number> => (await stat(file)).size

function addGauge(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      // Not 0, which would look like a full disk, and not an error, which would hide all metrics.
      this.set(await read().catch(() => Number.NaN))
    },
  })
}
