import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type Clock, Secret } from '@cofre/contracts'
import type { Credential, RandomBytes } from './authority/authority.js'
import { type CredentialFolder, openCredentialFolder } from './authority/credential-folder.js'
import { thumbprintOf } from './authority/thumbprint.js'
import { type Listening, listenMutually, listenPlainly } from './listeners.js'
import { type NoticePost, createNoticePost } from './notice-post.js'

/** Options of a bank whose clients sign in with a certificate. */
export interface MutualBankOptions {
  /** The folder of its books, certificates and client secrets, created for its owner only. */
  readonly folder: string
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** Loopback ports; if absent, any free one. */
  readonly apiPort?: number
  readonly pagePort?: number
  /** The page's address if the caller serves `page`; if absent, the bank listens itself. */
  readonly pageUrl?: string
  /** Authorities that the bank trusts at the addresses of webhooks, besides its own. */
  readonly authorities?: readonly string[]
}

/** A client's credentials at the bank. */
export interface ClientCredentials extends Credential {
  readonly clientId: string
  readonly clientSecret: Secret<string> | undefined
}

export interface RunningMutualBank {
  readonly apiPort: number
  /** The address of the page on which a person simulates payer and bank. */
  readonly pageUrl: string
  readonly page: (request: Request) => Response | Promise<Response>
  /** The authority that the client must trust, as PEM. */
  readonly authority: string
  /** Issues a certificate of this bank's authority, for a receiver of notices. */
  issue: CredentialFolder['authority']['issue']
  stop(): Promise<void>
}

type Fetch = Parameters<typeof getRequestListener>[0]
interface Routes {
  readonly fetch: (request: Request) => Response | Promise<Response>
}

/** The simulated bank. */
interface OpenedBank<Bank> {
  readonly bank: Bank
  readonly api: Routes
  /** @param url - The page's address for browsers; known once its port is. */
  pages(url: () => string): Routes
  /** Resolves when no notice is on its way. */
  settled(): Promise<void>
}

interface RunningBank<Bank> {
  /** The name in its certificates. */
  readonly name: string
  /** Its host names for clients, besides those of this machine. */
  readonly hosts?: readonly string[]
  readonly open: (parts: {
    readonly booksFile: string
    readonly post: NoticePost
  }) => OpenedBank<Bank>
}

interface Client {
  readonly credentials: ClientCredentials
  readonly thumbprints: readonly string[]
}

interface NewClient {
  /** Names the files of its credentials. */
  readonly label: string
  readonly company: string
  readonly idBefore?: string
  readonly hasSecret?: boolean
}

interface StartedMutualBank<Bank> extends RunningMutualBank {
  readonly bank: Bank
  /** The credentials of a client, the same at each start. */
  readonly clientOf: (client: NewClient) => Promise<Client>
}

const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']
const ID_BYTES = 16
const SECRET_BYTES = 32

/** Starts a bank on loopback, and the page on which a person simulates it. */
export async function startMutualBank<Bank>(
  options: MutualBankOptions,
  { name, hosts = [], open }: RunningBank<Bank>,
): Promise<StartedMutualBank<Bank>> {
  const { authorities = [], folder, randomBytes } = options
  const files = await openCredentialFolder(folder, options)
  const [server, credential] = await Promise.all([
    files.credential('server', { name, role: 'server', hosts: [...OWN_HOSTS, ...hosts] }),
    files.credential('notices', { name, role: 'client' }),
  ])
  const authority = files.authority.credential.certificate
  const post = createNoticePost({ credential, authorities: [authority, ...authorities] })
  const opened = open({ booksFile: path.join(folder, 'books.jsonl'), post })
  const serve = getRequestListener(opened.api.fetch)
  const api = await listenMutually(serve, { server, authority }, options.apiPort ?? 0)
  const pages = opened.pages(() => pageUrl)
  const pageListener = await listenForPage(pages.fetch, options).catch(async (error: unknown) => {
    await api.stop()
    throw error
  })
  const pageUrl = options.pageUrl ?? `http://127.0.0.1:${pageListener?.port ?? 0}`
  const text = (size: number) => Buffer.from(randomBytes(size)).toString('hex')
  return {
    bank: opened.bank,
    apiPort: api.port,
    pageUrl,
    page: (request) => pages.fetch(request),
    authority,
    issue: (subject) => files.authority.issue(subject),
    async clientOf({ label, company, idBefore = '', hasSecret = true }) {
      const file = `client-${label}`
      const client = await files.credential(file, { name: company, role: 'client' })
      const clientId = await files.text(`${file}-id`, () => idBefore + text(ID_BYTES))
      const clientSecret = hasSecret
        ? new Secret(await files.text(`${file}-secret`, () => text(SECRET_BYTES)))
        : undefined
      const credentials = { ...client, clientId, clientSecret }
      return { credentials, thumbprints: [thumbprintOf(client.certificate)] }
    },
    async stop() {
      await Promise.all([api.stop(), pageListener?.stop()])
      await opened.settled()
    },
  }
}

/** Listens for the page, unless the caller serves it at `pageUrl`. */
export async function listenForPage(
  fetch: Fetch,
  { pagePort = 0, pageUrl }: Pick<MutualBankOptions, 'pagePort' | 'pageUrl'>,
): Promise<Listening | undefined> {
  if (pageUrl !== undefined) return undefined
  return await listenPlainly(getRequestListener(fetch), pagePort)
}
