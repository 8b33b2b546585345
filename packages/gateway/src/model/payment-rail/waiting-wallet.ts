import type { MinorUnits } from '@cofre/contracts'
import { type Transaction, hasBeenPaid } from '../transaction/transaction.js'

/** A wallet payment as the wallet's own page needs it. */
export interface WaitingWallet {
  readonly publicId: string
  readonly walletName: string
  readonly payee: string
  readonly amountMinor: MinorUnits
  /** The payer has neither paid nor cancelled, and time has not run out. */
  readonly isWaiting: boolean
  readonly isPaid: boolean
  readonly successUrl: string
  readonly failUrl: string
}

/** Undefined for a transaction that no wallet waits for. */
export function waitingWallet(transaction: Transaction, payee: string): WaitingWallet | undefined {
  const { paymentDetails: details, publicId, amountMinor, subType = '', status } = transaction
  if (details?.kind !== 'wallet') return undefined
  return {
    publicId,
    walletName: subType,
    payee,
    amountMinor,
    isWaiting: status === 'PENDING',
    isPaid: hasBeenPaid(transaction),
    successUrl: details.successUrl,
    failUrl: details.failUrl,
  }
}
