import { spawn, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, stop, untilReady } from '../resources.ts'
import type { Defer } from '../scope.ts'
import type { Server } from './server.ts'

/** The way in which nginx chooses the server of a request. `by auction` needs the header `X-Auction`. */
export type Route = 'in turn' | 'by auction'

export const hasNginx = (): boolean => spawnSync('nginx', ['-v']).status === 0

/** Starts nginx in front of servers, with connections that are kept open. Returns its origin. */
export async function startNginx(servers: readonly Server[], route: Route, defer: Defer): Promise<string> {
  const folder = await makeFolder(defer)
  // Systems give the ports above 32,767 to others, and nginx cannot report a port that it was given.
  const port = 12_288 + randomInt(4_096)
  // No other server has this path, so a response to it is that of this nginx.
  const ready = `/${randomUUID()}`
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
    events { worker_connections 4096; }
    http {
      access_log off; keepalive_requests 1000000000; ${paths.join(' ')}
      upstream servers {
        ${route === 'by auction' ? 'hash $http_x_auction consistent;' : ''}
        ${servers.map(({ origin }) => `server ${new URL(origin).host};`).join(' ')}
        keepalive 512; keepalive_requests 1000000000;
      }
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location = ${ready} { return 204; }
        location / { proxy_pass http://servers; proxy_http_version 1.1; proxy_set_header Connection ''; }
      }
    }`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] })
  defer(() => stop(child))
  const origin = `http://127.0.0.1:${port}`
  await untilReady(child, origin + ready, (status) => status === 204)
  return origin
}
