import { type Clock, minorUnits } from '@cofre/contracts'
import type { BankBoleto, BoletoBank, BoletoReference } from '@cofre/provider-kit/bank'
import type { PixApiAccount } from './pix-api-account.js'
import { type PixApiBank, SETTLE_WITHIN_MS } from './pix-api-bank.js'
import type { PixApiAnswer, PixApiCaller } from './pix-api-calls.js'
import { createCharges } from './pix-api-charges.js'
import { datedChargeRequest, datedChargeSchema } from './pix-api-dated-wire.js'
import { txidOfBoleto } from './pix-api-names.js'

const MINIMUM_MINOR = minorUnits(1)

/** A BoletoBank whose answers have more details of a failed call. */
export interface PixApiBoletos extends BoletoBank {
  issue(...of: Parameters<BoletoBank['issue']>): Promise<PixApiAnswer<BankBoleto>>
  find(...of: Parameters<BoletoBank['find']>): Promise<PixApiAnswer<BankBoleto>>
  cancel(boleto: BoletoReference): Promise<PixApiAnswer<BankBoleto>>
}

export interface PixApiBoletosOptions {
  /** Refunds, as for any charge of the key. */
  readonly refunds: Pick<PixApiBank, 'refund' | 'findRefund'>
  readonly clock: Clock
  readonly settleWithinMs?: number | undefined
}

/**
 * A PIX with a due date as the store's boleto: issued at once, under a txid made from its name. Its
 * end is not a state at the bank, so it stays open after it.
 * @param call - With the scopes of charges with a due date.
 */
export function createPixApiBoletos(
  account: PixApiAccount,
  call: PixApiCaller,
  { clock, refunds, settleWithinMs = SETTLE_WITHIN_MS }: PixApiBoletosOptions,
): PixApiBoletos {
  const kind = { resource: 'cobv', answer: datedChargeSchema } as const
  const charges = createCharges({ kind, account, call, settleWithinMs })
  return {
    minimumMinor: MINIMUM_MINOR,
    receiver: account.receiver,
    issue: async (order) => {
      const txid = txidOfBoleto(order.name)
      const body = datedChargeRequest(order, account, clock.now())
      return charges.open({ txid, amountMinor: order.amountMinor, body })
    },
    find: ({ name }, urgency) =>
      charges.find(txidOfBoleto(name), urgency === 'background' ? urgency : 'waited_for'),
    cancel: ({ name }) => charges.remove(txidOfBoleto(name), 'background'),
    refund: (order) => refunds.refund(order),
    findRefund: (refund) => refunds.findRefund(refund),
  }
}
