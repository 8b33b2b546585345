import { createInterRoutes } from './api-routes.js'
import { openInterBooks } from './books-file.js'
import { type Inter, type InterDeps, createInter } from './inter.js'
import { createInterPages } from './page/inter-pages.js'
import { BOLETO_SCOPES, type Scope } from '@cofre/pix-api/simulator-parts'
import {
  type ClientCredentials,
  type MutualBankOptions,
  type RunningMutualBank,
  startMutualBank,
} from '@cofre/provider-kit/simulator'

export interface InterOptions
  extends MutualBankOptions, Pick<InterDeps, 'limits' | 'tokenLifetimeS' | 'wait'> {}

export interface InterAccountRequest {
  /** The name of the account's files; lower-case letters, digits and hyphens. */
  readonly label: string
  readonly taxId: string
  readonly name: string
  readonly city: string
  /** `conta corrente`: digits, without leading zeros. */
  readonly number: string
  /** The account's Pix keys; without any, boletos have no Pix code. */
  readonly pixKeys: readonly string[]
}

export interface RunningInter extends RunningMutualBank {
  readonly inter: Inter
  /** Opens an account; its credentials are the same at the next start. */
  openAccount(request: InterAccountRequest): Promise<ClientCredentials>
}

const SCOPES: readonly Scope[] = [...BOLETO_SCOPES, 'pix.read', 'pix.write']

/** Starts a simulated Inter, which moves no money, on loopback. */
export async function startInter(options: InterOptions): Promise<RunningInter> {
  const {
    bank: inter,
    clientOf,
    ...running
  } = await startMutualBank(options, {
    name: 'Cofre Inter',
    open({ booksFile, post }) {
      const bank = createInter({ ...options, books: openInterBooks(booksFile), post })
      return {
        bank,
        api: createInterRoutes(bank),
        pages: (url) => createInterPages({ inter: bank, url }),
        settled: () => bank.callbacks.settled(),
      }
    },
  })
  return {
    ...running,
    inter,
    async openAccount({ label, ...receiver }) {
      const { credentials, thumbprints } = await clientOf({ label, company: receiver.name })
      const { clientId, clientSecret } = credentials
      inter.openAccount({ ...receiver, clientId, clientSecret, thumbprints, scopes: SCOPES })
      return credentials
    },
  }
}
