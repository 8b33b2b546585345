import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Clock, Secret } from '@cofre/contracts'
import type { RandomBytes } from './authority/authority.js'
import { openCredentialFolder } from './authority/credential-folder.js'
import { createInterRoutes } from './inter/api-routes.js'
import { openInterBooks } from './inter/books-file.js'
import { type Inter, type InterDeps, createInter } from './inter/inter.js'
import { createInterPages } from './inter/page/inter-pages.js'
import { BOLETO_SCOPES, type Scope, thumbprintOf } from './pix-bank/account.js'
import { listenMutually } from './pix-bank/listeners.js'
import { createNoticePost } from './pix-bank/notice-post.js'
import { type ClientCredentials, listenForPage } from './start-pix-bank.js'

export interface InterOptions extends Pick<InterDeps, 'limits' | 'tokenLifetimeS' | 'wait'> {
  /** Where its books, certificates and client secrets are kept. It is made, for its owner only. */
  readonly folder: string
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** Loopback ports; any free one without. */
  readonly apiPort?: number
  readonly pagePort?: number
  /** Where people reach the page when somebody else listens for it, and gives it to `page`. */
  readonly pageUrl?: string
  /** Whose certificates the bank accepts at the addresses of webhooks, besides its own. */
  readonly authorities?: readonly string[]
}

export interface InterAccountRequest {
  /** Names the account's files; lower-case letters, digits and hyphens. */
  readonly label: string
  readonly taxId: string
  readonly name: string
  readonly city: string
  /** `conta corrente`: digits, without leading zeros. */
  readonly number: string
  /** Where Pix codes pay to; without any, boletos have none. */
  readonly pixKeys: readonly string[]
}

export interface RunningInter {
  readonly inter: Inter
  readonly apiPort: number
  /** Where a person plays payer and bank. */
  readonly pageUrl: string
  /** Answers a request to the page. */
  readonly page: (request: Request) => Response | Promise<Response>
  /** What the receiver's system must trust, as PEM. */
  readonly authority: string
  /** Opens an account; its credentials are the same at the next start. */
  openAccount(request: InterAccountRequest): Promise<ClientCredentials>
  /** A certificate of this bank's authority for somebody else: a receiver of notices. */
  issue: Awaited<ReturnType<typeof openCredentialFolder>>['authority']['issue']
  stop(): Promise<void>
}

const SCOPES: readonly Scope[] = [...BOLETO_SCOPES, 'pix.read', 'pix.write']
const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']
const NAME = 'Cofre Inter'
const ID_BYTES = 16
const SECRET_BYTES = 32

/** Starts an Inter that moves no money, on loopback. */
export async function startInter(options: InterOptions): Promise<RunningInter> {
  const { authorities = [], ...deps } = options
  const files = await openCredentialFolder(options.folder, deps)
  const [server, credential] = await Promise.all([
    files.credential('server', { name: NAME, role: 'server', hosts: OWN_HOSTS }),
    files.credential('notices', { name: NAME, role: 'client' }),
  ])
  const authority = files.authority.credential.certificate
  const post = createNoticePost({ credential, authorities: [authority, ...authorities] })
  const books = openInterBooks(path.join(options.folder, 'books.jsonl'))
  const inter = createInter({ ...deps, books, post })
  const serve = getRequestListener(createInterRoutes(inter).fetch)
  const api = await listenMutually(serve, { server, authority }, options.apiPort ?? 0)
  const pages = createInterPages({ inter, url: () => pageUrl })
  const pageListener = await listenForPage(pages.fetch, options).catch(async (error: unknown) => {
    await api.stop()
    throw error
  })
  const pageUrl = options.pageUrl ?? `http://127.0.0.1:${pageListener?.port ?? 0}`
  const text = (size: number) => Buffer.from(deps.randomBytes(size)).toString('hex')
  return {
    inter,
    apiPort: api.port,
    pageUrl,
    page: (request) => pages.fetch(request),
    authority,
    issue: (subject) => files.authority.issue(subject),
    async openAccount({ label, ...receiver }) {
      const name = `client-${label}`
      const client = await files.credential(name, { name: receiver.name, role: 'client' })
      const clientId = await files.text(`${name}-id`, () => text(ID_BYTES))
      const clientSecret = new Secret(await files.text(`${name}-secret`, () => text(SECRET_BYTES)))
      const thumbprints = [thumbprintOf(client.certificate)]
      inter.openAccount({ ...receiver, clientId, clientSecret, thumbprints, scopes: SCOPES })
      return { ...client, clientId, clientSecret }
    },
    async stop() {
      await Promise.all([api.stop(), pageListener?.stop()])
      await inter.callbacks.settled()
    },
  }
}
