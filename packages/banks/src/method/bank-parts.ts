import type {
  BankChargeDetails,
  PaymentPart,
  Transaction,
  TransactionCode,
} from '@cofre/gateway/method'
import { chargeMethodOf } from '../model/charge-kind.js'

interface BankDetails {
  readonly details: (code: TransactionCode) => Promise<BankChargeDetails | undefined>
}

/** The charge of a payment at its bank. */
export function bankChargePart({
  details,
}: BankDetails): PaymentPart<'bankCharge', BankChargeDetails> {
  return {
    name: 'bankCharge',
    async of(payments) {
      const found = await Promise.all(codesAtBanks(payments).map(details))
      const charges = found.filter((charge) => charge !== undefined)
      return new Map(charges.map((charge) => [charge.transactionCode, charge]))
    },
  }
}

interface Surpluses {
  readonly among: (codes: readonly TransactionCode[]) => Promise<ReadonlySet<TransactionCode>>
}

/** True if something was paid beside the order. */
export function surplusPart({ among }: Surpluses): PaymentPart<'hasSurplus', boolean> {
  return {
    name: 'hasSurplus',
    async of(payments) {
      const found = await among(codesAtBanks(payments))
      return new Map([...found].map((code) => [code, true]))
    },
  }
}

/** The codes of payments that may have a charge at a bank. */
function codesAtBanks(payments: readonly Transaction[]): readonly TransactionCode[] {
  return payments
    .filter(({ paymentType }) => chargeMethodOf(paymentType) !== undefined)
    .map(({ code }) => code)
}
