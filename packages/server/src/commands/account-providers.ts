// Banks and acquirers, as commands know both.
import { randomInt } from 'node:crypto'
import type { AccountProvider, AccountTestStep, ProviderAccount } from '@cofre/provider-kit/account'
import type { AcquirerProvider } from '@cofre/provider-kit/card'
import type { BankProvider, NoticeAddress, NoticeRegistration } from '@cofre/provider-kit/bank'
import type { Clock, Log } from '@cofre/contracts'
import { loadAcquirers, loadBanks } from '@cofre/providers'

/** Where accounts are kept: those of banks beside the gateway, those of acquirers in the vault. */
export type AccountZone = 'gateway' | 'vault'

/** All that accounts may be with. */
export interface Providers {
  readonly banks: readonly BankProvider[]
  readonly acquirers: readonly AcquirerProvider[]
}

export interface KnownProvider {
  readonly provider: AccountProvider
  /** Where its accounts are kept. */
  readonly zone: AccountZone
  /** It is told by files, and calls nobody. */
  readonly isByFile: boolean
  readonly connect: (account: ProviderAccount, clock: Clock) => ProviderConnection
  /** Of an acquirer. */
  readonly installmentsOf?: AcquirerProvider['installmentsOf']
}

/** An account at its provider. */
export interface ProviderConnection {
  readonly steps: readonly AccountTestStep[]
  /** Has the provider call an address; absent where a person enters it on the provider's site. */
  readonly register?: (address: NoticeAddress) => Promise<NoticeRegistration>
  close(): Promise<void>
}

/** What a call came to is said by the command itself. */
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Only a command that needs it loads a provider's code. */
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
