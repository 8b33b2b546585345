import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Clock, Secret } from '@cofre/contracts'
import type { Credential, RandomBytes } from './authority/authority.js'
import { openCredentialFolder } from './authority/credential-folder.js'
import { SCOPES, type Scope, thumbprintOf } from './pix-bank/account.js'
import { type ApiManners, createApiRoutes } from './pix-bank/api-routes.js'
import { openBankBooks } from './pix-bank/books-file.js'
import { type Listening, listenMutually, listenPlainly } from './pix-bank/listeners.js'
import { createNoticePost } from './pix-bank/notice-post.js'
import { createBankPages } from './pix-bank/page/bank-pages.js'
import { type PixBank, type PixBankDeps, createPixBank } from './pix-bank/pix-bank.js'

export interface PixBankOptions extends Pick<
  PixBankDeps,
  'tokenLifetimeS' | 'wait' | 'webhookHandshake'
> {
  /** Where its books, certificates and client secrets are kept. It is made, for its owner only. */
  readonly folder: string
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** Loopback ports; any free one without. */
  readonly apiPort?: number
  readonly pagePort?: number
  /** Where people reach the page when somebody else listens for it, and gives it to `page`. */
  readonly pageUrl?: string
  /** Host names by which clients reach the bank, besides `localhost` and `127.0.0.1`. */
  readonly hosts?: readonly string[]
  readonly manners?: ApiManners
  /** Whose certificates the bank accepts at the addresses of webhooks, besides its own. */
  readonly authorities?: readonly string[]
}

export interface AccountRequest {
  /** Names the account's files; lower-case letters, digits and hyphens. */
  readonly label: string
  readonly taxId: string
  readonly name: string
  readonly city: string
  readonly pixKeys: readonly string[]
  readonly scopes?: readonly Scope[]
  /** Of a bank that gives none, as Sicoob. */
  readonly hasSecret?: boolean
}

/** With what a receiver's system signs in at the bank. */
export interface ClientCredentials extends Credential {
  readonly clientId: string
  readonly clientSecret: Secret<string> | undefined
}

export interface RunningPixBank {
  readonly bank: PixBank
  readonly apiPort: number
  /** Where a person plays payer and bank. */
  readonly pageUrl: string
  /** Answers a request to the page. */
  readonly page: (request: Request) => Response | Promise<Response>
  /** What the receiver's system must trust, as PEM. */
  readonly authority: string
  /** Opens an account; its credentials are the same at the next start. */
  openAccount(request: AccountRequest): Promise<ClientCredentials>
  /** A certificate of this bank's authority for somebody else: a receiver of notices. */
  issue: Awaited<ReturnType<typeof openCredentialFolder>>['authority']['issue']
  stop(): Promise<void>
}

const PLAIN_MANNERS: ApiManners = { api: ['/v2'], token: '/oauth/token' }
const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']
const ID_BYTES = 16
const SECRET_BYTES = 32

/** Starts a bank that moves no money, on loopback. */
export async function startPixBank(options: PixBankOptions): Promise<RunningPixBank> {
  const { hosts = [], authorities = [], manners = PLAIN_MANNERS, ...deps } = options
  const files = await openCredentialFolder(options.folder, deps)
  const [server, credential] = await Promise.all([
    files.credential('server', {
      name: 'Cofre Pix bank',
      role: 'server',
      hosts: [...OWN_HOSTS, ...hosts],
    }),
    files.credential('notices', { name: 'Cofre Pix bank', role: 'client' }),
  ])
  const authority = files.authority.credential.certificate
  const post = createNoticePost({ credential, authorities: [authority, ...authorities] })
  const books = openBankBooks(path.join(options.folder, 'books.jsonl'))
  const bank = createPixBank({ ...deps, books, post })
  const serve = getRequestListener(createApiRoutes(bank, manners).fetch)
  const api = await listenMutually(serve, { server, authority }, options.apiPort ?? 0)
  const pages = createBankPages({ bank, url: () => pageUrl })
  const pageListener = await listenForPage(pages.fetch, options).catch(async (error: unknown) => {
    await api.stop()
    throw error
  })
  const pageUrl = options.pageUrl ?? `http://127.0.0.1:${pageListener?.port ?? 0}`
  const text = (size: number) => Buffer.from(deps.randomBytes(size)).toString('hex')
  return {
    bank,
    apiPort: api.port,
    pageUrl,
    page: (request) => pages.fetch(request),
    authority,
    issue: (subject) => files.authority.issue(subject),
    async openAccount({ label, scopes = SCOPES, hasSecret = true, ...receiver }) {
      const name = `client-${label}`
      const client = await files.credential(name, { name: receiver.name, role: 'client' })
      const clientId = await files.text(`${name}-id`, () => `Client_Id_${text(ID_BYTES)}`)
      const clientSecret = hasSecret
        ? new Secret(await files.text(`${name}-secret`, () => text(SECRET_BYTES)))
        : undefined
      const thumbprints = [thumbprintOf(client.certificate)]
      bank.openAccount({ ...receiver, clientId, clientSecret, thumbprints, scopes })
      return { ...client, clientId, clientSecret }
    },
    async stop() {
      await Promise.all([api.stop(), pageListener?.stop()])
      await bank.notices.settled()
    },
  }
}

/** Nobody listens where somebody else has the page's address. */
export async function listenForPage(
  fetch: Parameters<typeof getRequestListener>[0],
  { pagePort = 0, pageUrl }: Pick<PixBankOptions, 'pagePort' | 'pageUrl'>,
): Promise<Listening | undefined> {
  if (pageUrl !== undefined) return undefined
  return await listenPlainly(getRequestListener(fetch), pagePort)
}
