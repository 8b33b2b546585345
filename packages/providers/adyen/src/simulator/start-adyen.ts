import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Clock, Secret } from '@cofre/contracts'
import {
  type RandomBytes,
  type CredentialFolder,
  openCredentialFolder,
  type AcquirerDeps,
  listenSecurely,
  createNoticePost,
  listenForPage,
} from '@cofre/provider-kit/simulator'
import { createAdyenPages } from './adyen-pages.js'
import { type Adyen, createAdyen } from './adyen.js'
import { createApiRoutes } from './api-routes.js'
import { openAdyenBooks } from './books-file.js'

export interface AdyenOptions extends Pick<AcquirerDeps, 'wait'> {
  /** The folder of its books, authority, certificate and keys, created for its owner only. */
  readonly folder: string
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** Loopback ports; if absent, any free one. */
  readonly apiPort?: number
  readonly pagePort?: number
  /** The page's address if the caller serves `page`; if absent, Adyen listens itself. */
  readonly pageUrl?: string
  /** Its host names for clients, besides `localhost` and `127.0.0.1`. */
  readonly hosts?: readonly string[]
  /** Authorities that it trusts at the addresses of notices, besides its own. */
  readonly authorities?: readonly string[]
}

export interface AdyenAccountRequest {
  /** The name of the account's files; letters, digits and hyphens. */
  readonly merchantAccount: string
  /** The address of its notices; if absent, none are sent until one is set. */
  readonly noticeUrl?: string
  /** False to omit the issuer's own reasons from answers. */
  readonly showsRawRefusals?: boolean
}

export interface AdyenCredentials {
  readonly apiKey: Secret<string>
  /** Hexadecimal. */
  readonly hmacKey: Secret<string>
}

export interface RunningAdyen {
  readonly adyen: Adyen
  /** The API is at `https://127.0.0.1:<port>/v72`. */
  readonly apiPort: number
  /** The address of the page on which a person simulates issuer and card scheme. */
  readonly pageUrl: string
  readonly page: (request: Request) => Response | Promise<Response>
  /** The authority that the shop's system must trust, as PEM. */
  readonly authority: string
  /** Opens an account; its keys are the same at the next start. */
  openAccount(request: AdyenAccountRequest): Promise<AdyenCredentials>
  /** Issues a certificate of this authority, for a receiver of notices. */
  issue: CredentialFolder['authority']['issue']
  stop(): Promise<void>
}

const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']
const KEY_BYTES = 32

/** Starts a simulated Adyen, which moves no money, on loopback. */
export async function startAdyen(options: AdyenOptions): Promise<RunningAdyen> {
  const { hosts = [], authorities = [], ...deps } = options
  const files = await openCredentialFolder(options.folder, deps)
  const server = await files.credential('server', {
    name: 'Cofre simulated Adyen',
    role: 'server',
    hosts: [...OWN_HOSTS, ...hosts],
  })
  const authority = files.authority.credential.certificate
  const post = createNoticePost({ credential: server, authorities: [authority, ...authorities] })
  const books = openAdyenBooks(path.join(options.folder, 'books.jsonl'))
  const adyen = createAdyen({ ...deps, books, post })
  const serve = getRequestListener(createApiRoutes({ adyen, pageUrl: () => pageUrl }).fetch)
  const tls = { server, isAway: () => adyen.conditions.connection === 'away' }
  const api = await listenSecurely(serve, tls, options.apiPort ?? 0)
  const pages = createAdyenPages({
    adyen,
    url: () => pageUrl,
    applied: () => {
      api.endIdle()
    },
  })
  const pageListener = await listenForPage(pages.fetch, options).catch(async (error: unknown) => {
    await api.stop()
    throw error
  })
  const pageUrl = options.pageUrl ?? `http://127.0.0.1:${pageListener?.port ?? 0}`
  const newKey = () => Buffer.from(deps.randomBytes(KEY_BYTES)).toString('hex')
  return {
    adyen,
    apiPort: api.port,
    pageUrl,
    page: (request) => pages.fetch(request),
    authority,
    issue: (subject) => files.authority.issue(subject),
    async openAccount({ merchantAccount, noticeUrl, showsRawRefusals = true }) {
      const apiKey = new Secret(await files.text(`${merchantAccount}-api-key`, newKey))
      const hmacKey = new Secret(await files.text(`${merchantAccount}-hmac-key`, newKey))
      adyen.openAccount({ merchantAccount, apiKey, hmacKey, noticeUrl, showsRawRefusals })
      return { apiKey, hmacKey }
    },
    async stop() {
      await Promise.all([api.stop(), pageListener?.stop()])
      await adyen.notices.settled()
    },
  }
}
