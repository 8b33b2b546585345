import { pixCodeOf } from '../model/transaction/payment-details.js'
import { ApiError } from '@cofre/contracts'
import type { GatewayDeps } from './gateway-deps.js'
import { type Transaction, hasBeenPaid, isPublicId } from '../model/transaction/transaction.js'

/** A wallet payment as the wallet's own page needs it. */
export type WaitingWallet = NonNullable<Awaited<ReturnType<typeof findWallet>>>

/** The wallet payment behind a public address; undefined when there is none. */
export async function findWallet(deps: GatewayDeps, publicId: string) {
  const transaction = await findByPublicId(deps, publicId)
  if (transaction?.paymentDetails?.kind !== 'wallet') return undefined
  const { successUrl, failUrl } = transaction.paymentDetails
  return {
    publicId,
    walletName: transaction.subType ?? '',
    payee: await payeeOf(deps, transaction),
    amountMinor: transaction.amountMinor,
    /** The payer has neither paid nor cancelled, and time has not run out. */
    isWaiting: transaction.status === 'PENDING',
    isPaid: hasBeenPaid(transaction),
    successUrl,
    failUrl,
  }
}

/** The PIX code behind a public address, a boleto's too. @throws ApiError route_not_found */
export async function findPixCode(deps: GatewayDeps, publicId: string): Promise<string> {
  const found = await findByPublicId(deps, publicId)
  const code = found && pixCodeOf(found)
  if (code === undefined) throw new ApiError('route_not_found')
  return code
}

/** PostgreSQL refuses to compare with some texts that a path can hold, such as one with a NUL. */
export async function findByPublicId(
  { transactions }: GatewayDeps,
  publicId: string,
): Promise<Transaction | undefined> {
  return isPublicId(publicId) ? await transactions.findByPublicId(publicId) : undefined
}

export async function payeeOf(
  { merchants }: GatewayDeps,
  { merchantId }: Transaction,
): Promise<string> {
  const merchant = await merchants.find(merchantId)
  return merchant?.name ?? merchantId
}
