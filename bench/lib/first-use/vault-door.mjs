// The one origin that every shape is loaded from: scripts and frames, compressed as the vault does,
// and what is POSTed passed on to the vault.
import http from 'node:http'
import { gzipped } from '../bundle-modules.mjs'

const TYPES = { html: 'text/html', js: 'text/javascript' }

/** Serves files by their paths on a port. Resolves to what stops it. */
export async function openVaultDoor({ port, vaultUrl, files }) {
  const bodies = new Map(Object.entries(files).map(([path, content]) => [path, gzipped(content)]))
  const server = http.createServer((request, response) => {
    const body = bodies.get(request.url)
    if (request.method === 'POST') {
      passOn(request, response, vaultUrl).catch(() => response.writeHead(502).end())
    } else if (body === undefined) {
      response.writeHead(404).end()
    } else {
      const type = TYPES[request.url.split('.').at(-1)]
      const headers = {
        'Content-Type': type,
        'Content-Encoding': 'gzip',
        'Cache-Control': 'no-store',
      }
      response.writeHead(200, headers).end(body)
    }
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

async function passOn(request, response, vaultUrl) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const answer = await fetch(vaultUrl + request.url, { method: 'POST', body })
  const headers = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' }
  response.writeHead(answer.status, headers).end(await answer.text())
}
