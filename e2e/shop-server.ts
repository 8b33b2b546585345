import { createServer } from 'node:http'
import { freePort } from './cofre-process.js'

export interface ShopFile {
  readonly type: 'text/html' | 'text/javascript'
  readonly body: string
  readonly headers?: Record<string, string>
}

/** A shop's own origin, with the test's pages. */
export interface ShopServer {
  readonly url: string
  /** By path; other paths return a 404. */
  readonly files: Map<string, ShopFile>
  /** Bodies of forms that were posted. */
  readonly posted: readonly string[]
  close(): Promise<void>
}

/** @param port - default: a free one */
export async function startShopServer(port?: number): Promise<ShopServer> {
  // Browsers report an error if the icon is missing.
  const files = new Map<string, ShopFile>([['/favicon.ico', { type: 'text/html', body: '' }]])
  const posted: string[] = []
  const server = createServer((incoming, answer) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      if (incoming.method === 'POST') posted.push(body)
      const file = files.get(incoming.url ?? '')
      answer.writeHead(file === undefined ? 404 : 200, {
        'Content-Type': `${file?.type ?? 'text/plain'}; charset=utf-8`,
        ...file?.headers,
      })
      answer.end(file?.body)
    })
  })
  const listened = port ?? (await freePort())
  await new Promise<void>((resolve) => server.listen(listened, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${listened}`,
    files,
    posted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
