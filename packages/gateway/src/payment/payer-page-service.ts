import { pixCodeOf } from '../model/transaction/payment-details.js'
import { ApiError } from '@cofre/contracts'
import { type Transaction, hasBeenPaid, isPublicId } from '../model/transaction/transaction.js'
import type { MerchantStore, TransactionStore } from './ports.js'

/** A wallet payment as the wallet's own page needs it. */
export type WaitingWallet = NonNullable<Awaited<ReturnType<typeof findWallet>>>

export interface PayerPageDeps {
  readonly merchants: MerchantStore
  readonly transactions: TransactionStore
}

/** The wallet payment behind a public address; undefined without one. */
export async function findWallet(deps: PayerPageDeps, publicId: string) {
  const transaction = await findByPublicId(deps, publicId)
  if (transaction?.paymentDetails?.kind !== 'wallet') return undefined
  const { successUrl, failUrl } = transaction.paymentDetails
  return {
    publicId,
    walletName: transaction.subType ?? '',
    payee: await payeeOf(deps, transaction),
    amountMinor: transaction.amountMinor,
    /** True if the payer has neither paid nor cancelled, and time has not run out. */
    isWaiting: transaction.status === 'PENDING',
    isPaid: hasBeenPaid(transaction),
    successUrl,
    failUrl,
  }
}

/** The PIX code behind a public address, or a boleto's. @throws ApiError route_not_found */
export async function findPixCode(deps: PayerPageDeps, publicId: string): Promise<string> {
  const found = await findByPublicId(deps, publicId)
  const code = found && pixCodeOf(found)
  if (code === undefined) throw new ApiError('route_not_found')
  return code
}

/** PostgreSQL refuses to compare with some texts that a path can hold, such as one with a NUL. */
export async function findByPublicId(
  { transactions }: PayerPageDeps,
  publicId: string,
): Promise<Transaction | undefined> {
  return isPublicId(publicId) ? await transactions.findByPublicId(publicId) : undefined
}

export async function payeeOf(
  { merchants }: PayerPageDeps,
  { merchantId }: Transaction,
): Promise<string> {
  const merchant = await merchants.find(merchantId)
  return merchant?.name ?? merchantId
}
