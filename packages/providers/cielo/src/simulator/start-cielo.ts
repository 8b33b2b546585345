import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Clock, INSTALLMENTS_MAX, Secret } from '@cofre/contracts'
import {
  type RandomBytes,
  type CredentialFolder,
  openCredentialFolder,
  type AcquirerDeps,
  type Listening,
  listenSecurely,
  createNoticePost,
  listenForPage,
} from '@cofre/provider-kit/simulator'
import { createQueryRoutes, createWriteRoutes } from './api-routes.js'
import { openCieloBooks } from './books-file.js'
import { createCieloPages } from './cielo-pages.js'
import { type Cielo, createCielo } from './cielo.js'

export interface CieloOptions extends Pick<AcquirerDeps, 'wait'> {
  /** The folder of its books, authority, certificate and keys, created for its owner only. */
  readonly folder: string
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** Loopback ports; if absent, any free one. */
  readonly apiPort?: number
  readonly queryPort?: number
  readonly pagePort?: number
  /** The page's address if the caller serves `page`; if absent, Cielo listens itself. */
  readonly pageUrl?: string
  /** Its host names for clients, besides `localhost` and `127.0.0.1`. */
  readonly hosts?: readonly string[]
  /** Authorities that it trusts at the addresses of notices, besides its own. */
  readonly authorities?: readonly string[]
}

export interface CieloAccountRequest {
  /** The name of the account's files; letters, digits and hyphens. */
  readonly label: string
  /** The address of its notices; if absent, none are sent until one is set. */
  readonly noticeUrl?: string
  /** A GUID; drawn if absent. */
  readonly merchantId?: string
  /** True if Cielo cancels by itself what it could not answer; default: false. */
  readonly cancelsUnfinished?: boolean
  /** Set if its contract allows more than the usual. */
  readonly installmentsMax?: number | undefined
  /** Its contract's days between authorization and capture; default: 7. */
  readonly captureDays?: number | undefined
}

export interface CieloCredentials {
  readonly merchantId: string
  readonly merchantKey: Secret<string>
}

export interface RunningCielo {
  readonly cielo: Cielo
  /** Sales, captures and voids are at `https://127.0.0.1:<port>/1/sales`. */
  readonly apiPort: number
  /** Queries are at `https://127.0.0.1:<port>/1/sales`. */
  readonly queryPort: number
  /** The address of the page on which a person simulates issuer and card scheme. */
  readonly pageUrl: string
  readonly page: (request: Request) => Response | Promise<Response>
  /** The authority that the shop's system must trust, as PEM. */
  readonly authority: string
  /** Opens an account; its id and key are the same at the next start. */
  openAccount(request: CieloAccountRequest): Promise<CieloCredentials>
  /** Issues a certificate of this authority, for a receiver of notices. */
  issue: CredentialFolder['authority']['issue']
  stop(): Promise<void>
}

const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']
const ID_BYTES = 16
const KEY_BYTES = 20
const CAPTURE_DAYS = 7

/** Starts a simulated Cielo, which moves no money, on loopback. */
export async function startCielo(options: CieloOptions): Promise<RunningCielo> {
  const { hosts = [], authorities = [], ...deps } = options
  const files = await openCredentialFolder(options.folder, deps)
  const server = await files.credential('server', {
    name: 'Cofre simulated Cielo',
    role: 'server',
    hosts: [...OWN_HOSTS, ...hosts],
  })
  const authority = files.authority.credential.certificate
  const post = createNoticePost({ credential: server, authorities: [authority, ...authorities] })
  const books = openCieloBooks(path.join(options.folder, 'books.jsonl'))
  const cielo = createCielo({ ...deps, books, post })
  const bases = () => ({ write: baseOf(api), query: baseOf(query) })
  const serveApi = getRequestListener(createWriteRoutes({ cielo, bases }).fetch)
  const serveQuery = getRequestListener(createQueryRoutes({ cielo, bases }).fetch)
  const pages = createCieloPages({
    cielo,
    url: () => pageUrl,
    applied: () => {
      api.endIdle()
      query.endIdle()
    },
  })
  const tls = { server, isAway: () => cielo.conditions.connection === 'away' }
  const { api, query, page } = await listenAll({
    api: () => listenSecurely(serveApi, tls, options.apiPort ?? 0),
    query: () => listenSecurely(serveQuery, tls, options.queryPort ?? 0),
    page: () => listenForPage(pages.fetch, options),
  })
  const pageUrl = options.pageUrl ?? `http://127.0.0.1:${page?.port ?? 0}`
  const text = (size: number) => Buffer.from(deps.randomBytes(size)).toString('hex')
  return {
    cielo,
    apiPort: api.port,
    queryPort: query.port,
    pageUrl,
    page: (request) => pages.fetch(request),
    authority,
    issue: (subject) => files.authority.issue(subject),
    async openAccount({ label, noticeUrl, ...given }) {
      const { cancelsUnfinished = false, installmentsMax = INSTALLMENTS_MAX } = given
      const { captureDays = CAPTURE_DAYS } = given
      const drawId = () => files.text(`${label}-merchant-id`, () => guidOf(text(ID_BYTES)))
      const merchantId = given.merchantId?.toLowerCase() ?? (await drawId())
      const key = await files.text(`${label}-merchant-key`, () => text(KEY_BYTES).toUpperCase())
      const merchantKey = new Secret(key)
      const contract = { cancelsUnfinished, installmentsMax, captureDays }
      cielo.openAccount({ merchantId, merchantKey, noticeUrl, ...contract })
      return { merchantId, merchantKey }
    },
    async stop() {
      await Promise.all([api.stop(), query.stop(), page?.stop()])
      await cielo.notices.settled()
    },
  }
}

interface Listeners {
  readonly api: () => ReturnType<typeof listenSecurely>
  readonly query: () => ReturnType<typeof listenSecurely>
  readonly page: () => Promise<Listening | undefined>
}

/** Starts all listeners, or none: if one fails, the earlier ones are stopped. */
async function listenAll(listeners: Listeners) {
  const api = await listeners.api()
  const stopApi = async (error: unknown) => {
    await api.stop()
    throw error
  }
  const query = await listeners.query().catch(stopApi)
  const page = await listeners.page().catch(async (error: unknown) => {
    await query.stop()
    return stopApi(error)
  })
  return { api, query, page }
}

function baseOf({ port }: Listening): string {
  return `https://127.0.0.1:${port}`
}

function guidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
