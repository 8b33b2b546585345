// A common view of banks and acquirers for commands.
import { randomInt } from 'node:crypto'
import type { AccountProvider, AccountTestStep, ProviderAccount } from '@cofre/provider-kit/account'
import type { AcquirerProvider } from '@cofre/provider-kit/card'
import type { BankProvider, NoticeAddress, NoticeRegistration } from '@cofre/provider-kit/bank'
import type { Clock, Log } from '@cofre/contracts'
import { loadAcquirers, loadBanks } from '@cofre/providers'

/** Place of the accounts: beside the gateway for banks, in the vault for acquirers. */
export type AccountZone = 'gateway' | 'vault'

/** All known providers. */
export interface Providers {
  readonly banks: readonly BankProvider[]
  readonly acquirers: readonly AcquirerProvider[]
}

export interface KnownProvider {
  readonly provider: AccountProvider
  /** Place of its accounts. */
  readonly zone: AccountZone
  /** The provider receives files only, and no calls. */
  readonly isByFile: boolean
  readonly connect: (account: ProviderAccount, clock: Clock) => ProviderConnection
  /** Only for an acquirer. */
  readonly installmentsOf?: AcquirerProvider['installmentsOf']
}

/** A connection to an account's provider. */
export interface ProviderConnection {
  readonly steps: readonly AccountTestStep[]
  /** Registers an address at the provider; absent if a person enters it on the provider's site. */
  readonly register?: (address: NoticeAddress) => Promise<NoticeRegistration>
  close(): Promise<void>
}

/** The command itself reports the outcome of a call. */
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Loads providers' code only for a command that needs it. */
async function loadProviders(): Promise<Providers> {
  const [banks, acquirers] = await Promise.all([loadBanks(), loadAcquirers()])
  return { banks, acquirers }
}

export async function knownProviders(load = loadProviders): Promise<readonly KnownProvider[]> {
  const { banks, acquirers } = await load()
  return [...banks.map(knownBank), ...acquirers.map(knownAcquirer)]
}

function knownBank(provider: BankProvider): KnownProvider {
  return {
    provider,
    zone: 'gateway',
    isByFile: provider.answersByFile === true,
    connect(account, clock) {
      const bank = provider.connect(account, { clock, log: SILENT, randomBelow: randomInt })
      return {
        steps: bank.steps,
        register: (address) => bank.notices.register(address),
        close: () => bank.close(),
      }
    },
  }
}

function knownAcquirer(provider: AcquirerProvider): KnownProvider {
  return {
    provider,
    zone: 'vault',
    isByFile: false,
    installmentsOf: (brand, settings) => provider.installmentsOf(brand, settings),
    connect(account, clock) {
      const { acquirer, steps } = provider.connect(account, { clock, log: SILENT })
      return { steps, close: () => acquirer.close() }
    },
  }
}
