// Template over HTTPS on loopback, with a page that lists its charges. No money moves.
import path from 'node:path'
import { Secret } from '@cofre/contracts'
import {
  type Disturbances,
  type RunningSimulator,
  type SimulatorOptions,
  createAcquirer,
  createNoticePost,
  listenForPage,
  listenSecurely,
  openCredentialFolder,
} from '@cofre/provider-kit/simulator'
import { getRequestListener } from '@hono/node-server'
import { createApiRoutes } from './api-routes.js'
import { type Account, type Book, openBook } from './book.js'
import { createPage } from './page.js'

const KEY_BYTES = 32

export interface RunningTemplate extends RunningSimulator {
  readonly disturbances: Disturbances
  readonly book: Book
  /** Resolves when no notice is on its way. */
  settled(): Promise<void>
}

export async function startTemplate(options: SimulatorOptions): Promise<RunningTemplate> {
  const { clock, folder, randomBytes } = options
  const files = await openCredentialFolder(folder, options)
  const authority = files.authority.credential.certificate
  const server = await files.credential('server', {
    name: 'Cofre simulated Template',
    role: 'server',
    hosts: ['localhost', '127.0.0.1', '::1'],
  })
  const post = createNoticePost({ credential: server, authorities: [authority] })
  const acquirer = createAcquirer(
    { clock, randomBytes, post },
    { notices: 'once', delayMs: 0, connection: 'kept', links: 'free' },
  )
  const accounts = new Map<string, Account>()
  const book = openBook(path.join(folder, 'books.jsonl'), randomBytes)
  const routes = createApiRoutes({ accounts, acquirer, book })
  const api = await listenSecurely(
    getRequestListener(routes.fetch),
    { server, isAway: () => false },
    0,
  )
  const page = createPage(book)
  const pageListener = await listenForPage(page.fetch, options)
  const newKey = () => Buffer.from(randomBytes(KEY_BYTES)).toString('hex')
  return {
    disturbances: acquirer.disturbances,
    book,
    settled: () => acquirer.notices.settled(),
    origin: `https://127.0.0.1:${api.port}`,
    pageUrl: options.pageUrl ?? `http://127.0.0.1:${pageListener?.port ?? 0}`,
    page: (request) => page.fetch(request),
    authority,
    issue: (subject) => files.authority.issue(subject),
    async openAccount({ id, settings, noticeUrl }) {
      const apiKey = new Secret(await files.text(`${id}-api-key`, newKey))
      const storeCode = String(settings.storeCode)
      accounts.set(storeCode, { store: storeCode, apiKey, noticeUrl })
      return { profile: 'cards', answers: { storeCode, apiKey } }
    },
    async stop() {
      await Promise.all([api.stop(), pageListener?.stop()])
      await acquirer.notices.settled()
    },
  }
}
