import { type CardChange, type MinorUnits, minorUnits } from '@cofre/contracts'
import type {
  Acquirer,
  AcquirerAnswer,
  CancelRequest,
  CaptureDecision,
  CaptureRequest,
  FoundPayment,
  ReturnDecision,
} from '@cofre/provider-kit/card'
import { testNotices } from '../notice/notices.fixture.js'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import { CODE, PAYMENT } from '../refund/charged.fixture.js'
import type { TestVault } from '../vault.fixture.js'

/** The fate of one call: a decision instead of the usual one, or an answer that is lost. */
export type CallFate =
  | AcquirerAnswer<CaptureDecision & ReturnDecision>
  /** It is carried out, and its answer is lost. */
  | 'lost'
  /** It never arrives, and no answer comes. */
  | 'cut'

/** One authorized payment at an acquirer. */
export class AuthorizedPayment {
  readonly captures: CaptureRequest[] = []
  readonly cancels: CancelRequest[] = []
  readonly refunds: number[] = []
  /** The fates of the next captures and cancels. */
  readonly fates: CallFate[] = []
  state: 'authorized' | 'captured' | 'released' = 'authorized'
  capturedMinor = minorUnits(0)
  /** How often it was looked up. */
  reads = 0
  /** True if the acquirer only accepts requests, and reports their end by notices. */
  isSlow = false
  /** Runs while a request is under way. */
  meanwhile: () => Promise<void> = () => Promise.resolve()

  /** Cannot be read, like Adyen. */
  get acquirer(): Acquirer {
    return {
      authorize: () => Promise.reject(new Error('not asked here')),
      capture: async (request) => {
        this.captures.push(request)
        return await this.#call(() => {
          this.state = 'captured'
          this.capturedMinor = request.amountMinor
        })
      },
      cancel: async (request) => {
        this.cancels.push(request)
        return await this.#call(() => {
          this.state = 'released'
        })
      },
      refund: ({ amountMinor }) => {
        this.refunds.push(amountMinor)
        return Promise.resolve({ kind: 'done', value: { state: 'done', returnId: 'RETURN' } })
      },
      close: () => Promise.resolve(),
    }
  }

  get readable(): Acquirer {
    return { ...this.acquirer, find: () => Promise.resolve(this.#found()) }
  }

  #found(): AcquirerAnswer<FoundPayment> {
    this.reads += 1
    const { state, capturedMinor } = this
    const payment = {
      paymentId: PAYMENT,
      nsu: undefined,
      authorizationCode: undefined,
      eci: undefined,
      networkTransactionId: undefined,
    }
    const returnedMinor = minorUnits(state === 'released' ? 10_000 : sum(this.refunds))
    const value = { payment, decline: undefined, surplus: [], disputes: [], returnedMinor }
    const found = { authorized: 'authorized', captured: 'approved', released: 'returned' } as const
    return { kind: 'done', value: { ...value, state: found[state], capturedMinor } }
  }

  async #call(carryOut: () => void): Promise<AcquirerAnswer<CaptureDecision & ReturnDecision>> {
    const fate = this.fates.shift()
    await this.meanwhile()
    if (fate === 'cut') return { kind: 'unknown', detail: 'no answer' }
    if (fate !== undefined && fate !== 'lost') return fate
    if (!this.isSlow) carryOut()
    if (fate === 'lost') return { kind: 'unknown', detail: 'no answer' }
    const name = `OPERATION${this.captures.length + this.cancels.length}`
    const ids = { captureId: name, returnId: name }
    return { kind: 'done', value: { state: this.isSlow ? 'in_process' : 'done', ...ids } }
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((one, other) => one + other, 0)

/** A decision to refuse, as both operations have it. */
export function refusedAs(
  reason: 'released' | 'other',
): AcquirerAnswer<CaptureDecision & ReturnDecision> {
  const value = { state: 'refused', reason, code: '1', detail: 'not possible' }
  return { kind: 'done', value } as AcquirerAnswer<CaptureDecision & ReturnDecision>
}

/** A process of the vault whose account has this acquirer. */
export function processAt({ deps }: Pick<TestVault, 'deps'>, acquirer: Acquirer): Vault {
  return createVault({
    ...deps,
    connectionOf: () => Promise.resolve({ acquirer, notices: testNotices }),
  })
}

export const KEY = { environment: 'production', transactionCode: CODE } as const
export const VOID = { ...KEY, merchantId: 'store-1' }
export const captureOf = (amountMinor = 10_000): typeof VOID & { amountMinor: MinorUnits } => ({
  ...VOID,
  amountMinor: minorUnits(amountMinor),
})

/** Receives and acknowledges the changes of the charge. */
export async function changesIn(vault: Vault): Promise<readonly CardChange['change'][]> {
  const changes = await vault.changes('production')
  await vault.acknowledge(
    'production',
    changes.map(({ id }) => id),
  )
  return changes.map(({ change }) => change)
}
