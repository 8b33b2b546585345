import { SCOPES, type Scope } from './account.js'
import { type ApiConventions, createApiRoutes } from './api-routes.js'
import { openBankBooks } from './books-file.js'
import { createBankPages } from './page/bank-pages.js'
import { type PixBank, type PixBankDeps, createPixBank } from './pix-bank.js'
import {
  type ClientCredentials,
  type MutualBankOptions,
  type RunningMutualBank,
  startMutualBank,
} from '@cofre/provider-kit/simulator'

export interface PixBankOptions
  extends MutualBankOptions, Pick<PixBankDeps, 'tokenLifetimeS' | 'wait' | 'webhookHandshake'> {
  /** The bank's host names for clients, besides `localhost` and `127.0.0.1`. */
  readonly hosts?: readonly string[]
  readonly manners?: ApiConventions
}

export interface AccountRequest {
  /** The name of the account's files; lower-case letters, digits and hyphens. */
  readonly label: string
  readonly taxId: string
  readonly name: string
  readonly city: string
  readonly pixKeys: readonly string[]
  readonly scopes?: readonly Scope[]
  /** False for a bank without client secrets, as Sicoob. */
  readonly hasSecret?: boolean
}

export interface RunningPixBank extends RunningMutualBank {
  readonly bank: PixBank
  /** Opens an account; its credentials are the same at the next start. */
  openAccount(request: AccountRequest): Promise<ClientCredentials>
}

const STANDARD_CONVENTIONS: ApiConventions = { api: ['/v2'], token: '/oauth/token' }

/** Starts a bank that moves no money, on loopback. */
export async function startPixBank(options: PixBankOptions): Promise<RunningPixBank> {
  const { hosts = [], manners = STANDARD_CONVENTIONS, ...deps } = options
  const { clientOf, ...running } = await startMutualBank(options, {
    name: 'Cofre Pix bank',
    hosts,
    open({ booksFile, post }) {
      const bank = createPixBank({ ...deps, books: openBankBooks(booksFile), post })
      return {
        bank,
        api: createApiRoutes(bank, manners),
        pages: (url) => createBankPages({ bank, url }),
        settled: () => bank.notices.settled(),
      }
    },
  })
  return {
    ...running,
    async openAccount({ label, scopes = SCOPES, hasSecret = true, ...receiver }) {
      const company = receiver.name
      const client = await clientOf({ label, company, idBefore: 'Client_Id_', hasSecret })
      const { credentials, thumbprints } = client
      const { clientId, clientSecret } = credentials
      running.bank.openAccount({ ...receiver, clientId, clientSecret, thumbprints, scopes })
      return credentials
    },
  }
}
