// A vault whose store has one account, at a simulated acquirer.
import { type CardDetails, MINUTE_MS, Secret, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { type Vault, createVault } from '@cofre/vault'
import { MERCHANT, type TestAdyen } from '../../adyen/test/simulated-adyen.js'
import type { TestCielo } from '../../cielo/test/simulated-cielo.js'
import { ACCOUNT, addAccount } from '../../../vault/src/refund/charged.fixture.js'
import { type TestVault, openTestVault, orderFor } from '../../../vault/src/vault.fixture.js'
import { type TestConnection, connectionTo } from '../../../provider-kit/test/payments.js'
import { ADYEN } from '@cofre/adyen/card'
import { CIELO } from '@cofre/cielo/card'

export const CODE = '123456789012345'
export const REFERENCE = `cofrep${CODE}`
export const CHARGED = 12_990
const ORDER = {
  environment: 'production',
  merchantId: 'store-1',
  transactionCode: CODE,
} as const

interface Simulated {
  readonly clock: { now(): number; advance(ms: number): void }
  readonly receiver: { readonly received: readonly unknown[] }
  notices(): Promise<unknown>
}

export class Stage {
  readonly vault: Vault
  readonly #test: TestVault
  readonly #simulated: Simulated
  readonly #card: CardDetails
  #delivered = 0

  constructor(
    test: TestVault,
    {
      simulated,
      connection,
      card,
    }: { simulated: Simulated; connection: TestConnection; card: CardDetails },
  ) {
    this.#test = test
    this.#simulated = simulated
    this.#card = card
    const acquirer = () => Promise.resolve(connection.acquirer)
    this.vault = createVault({
      ...test.deps,
      clock: simulated.clock,
      installation: 'cofre',
      accountsOf: () =>
        Promise.resolve(({ isCapturedLater }) => {
          const account = { id: ACCOUNT, provider: 'played', acquirer }
          const later = { ...account, captureDays: 7 }
          const accounts = [isCapturedLater ? later : account]
          return Promise.resolve({ accounts, routesDeclines: false })
        }),
      acquirerOf: acquirer,
      noticesOf: () => Promise.resolve(connection.notices),
    })
  }

  pay(number = this.#card.number, isCapturedLater?: true) {
    const source = { kind: 'raw', card: new Secret({ ...this.#card, number }) } as const
    const order = { transactionCode: CODE, source, amountMinor: minorUnits(CHARGED) }
    return this.vault.authorize(
      orderFor('', { ...order, ...(isCapturedLater && { isCapturedLater }) }),
    )
  }

  authorize() {
    return this.pay(this.#card.number, true)
  }

  capture(amountMinor = CHARGED) {
    return this.vault.capture({ ...ORDER, amountMinor: minorUnits(amountMinor) })
  }

  voidCharge() {
    return this.vault.voidCharge(ORDER)
  }

  refund(amountMinor = 4000, refundId = '7') {
    return this.vault.refund({
      ...ORDER,
      refundId,
      amountMinor: minorUnits(amountMinor),
    })
  }

  async refundUntilDecided(): Promise<string> {
    for (let i = 0; i < 10; i++) {
      const { kind } = await this.refund()
      await this.deliver()
      if (kind !== 'in_process') return kind
      await this.pass(5 * MINUTE_MS)
    }
    return 'in_process'
  }

  /** Delivers the notices since the last call to the vault. */
  async deliver() {
    await this.#simulated.notices()
    const { received } = this.#simulated.receiver
    const news = received.slice(this.#delivered)
    this.#delivered = received.length
    const fates = []
    for (const body of news) fates.push(...(await this.vault.acceptNotice(ACCOUNT, body)))
    return fates
  }

  /** Advances the clock, and runs the vault's job. */
  async pass(ms: number): Promise<void> {
    this.#simulated.clock.advance(ms)
    await this.vault.sweep()
    await this.vault.followUpCharges()
    await this.vault.followUpCharges()
  }

  /** The changes that the gateway claims and acknowledges. */
  async notified() {
    const changes = await this.vault.changes('production')
    await this.vault.acknowledge(
      'production',
      changes.map(({ id }) => id),
    )
    return changes.map(({ change }) => change)
  }

  async close(): Promise<void> {
    await this.#test.database.close()
  }
}

const [SQLITE] = TEST_ENGINES

export async function openVault(): Promise<TestVault> {
  if (SQLITE === undefined) throw new Error('no engine')
  const test = await openTestVault(SQLITE)
  await addAccount(test.deps)
  return test
}

export function connectedToAdyen({
  apiPort,
  authority,
  clock,
  credentials,
}: TestAdyen): TestConnection {
  const { apiKey, hmacKey } = credentials
  return connectionTo(ADYEN, {
    origin: `https://127.0.0.1:${apiPort}`,
    caPem: authority,
    answers: {
      merchantAccount: MERCHANT,
      returnUrl: 'https://loja.example/volta',
      softDescriptor: 'Loja Exemplo',
      apiKey,
      hmacKey,
    },
    clock,
  })
}

export function connectedToCielo({ clock, ...cielo }: TestCielo): TestConnection {
  const { merchantId, merchantKey } = cielo.credentials
  return connectionTo(CIELO, {
    origin: `https://127.0.0.1:${cielo.apiPort}`,
    queryOrigin: `https://127.0.0.1:${cielo.queryPort}`,
    caPem: cielo.authority,
    answers: { merchantId, merchantKey, softDescriptor: 'LOJAEXEMPLO' },
    clock,
  })
}
