import { CARD_TYPE } from '@cofre/contracts'
import type { PaymentPart } from '../../model/back-office/payment-part.js'
import type { AppliedCardChange } from '../../model/card/card-change.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'

type Changes = readonly AppliedCardChange[]

interface CardChanges {
  readonly of: (code: TransactionCode) => Promise<Changes>
}

/** Acquirers' reports on a card payment. */
export function cardChangesPart(changes: CardChanges): PaymentPart<'cardChanges', Changes> {
  return {
    name: 'cardChanges',
    async of(payments) {
      const codes = payments
        .filter(({ paymentType }) => paymentType === CARD_TYPE)
        .map(({ code }) => code)
      return new Map(
        await Promise.all(codes.map(async (code) => [code, await changes.of(code)] as const)),
      )
    },
  }
}
