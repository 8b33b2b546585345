import { ApiError, type MinorUnits } from '@cofre/contracts'
import type { GatewayDeps } from './gateway-deps.js'
import {
  type BoletoDetails,
  type PixDetails,
  type Transaction,
  hasBeenPaid,
  isPublicId,
} from '../model/transaction/transaction.js'

/** What a boleto page shows beside the boleto itself. */
export interface BoletoSlip {
  readonly details: BoletoDetails
  readonly amountMinor: MinorUnits
  readonly beneficiary: string
  readonly reference: string
  readonly isPaid: boolean
}

/** The boleto behind a public address. @throws ApiError route_not_found */
export async function findBoleto(deps: GatewayDeps, publicId: string): Promise<BoletoSlip> {
  const transaction = await findByPublicId(deps, publicId)
  if (transaction?.paymentDetails?.kind !== 'boleto') throw new ApiError('route_not_found')
  return {
    details: transaction.paymentDetails,
    amountMinor: transaction.amountMinor,
    beneficiary: await payeeOf(deps, transaction),
    reference: transaction.reference,
    isPaid: hasBeenPaid(transaction),
  }
}

/** The wallet payment behind a public address; undefined when there is none. */
export async function findWallet(
  deps: GatewayDeps,
  publicId: string,
): Promise<WaitingWallet | undefined> {
  const transaction = await findByPublicId(deps, publicId)
  return transaction && waitingWallet(transaction, await payeeOf(deps, transaction))
}

/** The PIX code behind a public address. @throws ApiError route_not_found */
export async function findPix(deps: GatewayDeps, publicId: string): Promise<PixDetails> {
  const transaction = await findByPublicId(deps, publicId)
  if (transaction?.paymentDetails?.kind !== 'pix') throw new ApiError('route_not_found')
  return transaction.paymentDetails
}

/** PostgreSQL refuses to compare with some texts that a path can hold, such as one with a NUL. */
async function findByPublicId(
  { transactions }: GatewayDeps,
  publicId: string,
): Promise<Transaction | undefined> {
  return isPublicId(publicId) ? await transactions.findByPublicId(publicId) : undefined
}

async function payeeOf({ merchants }: GatewayDeps, { merchantId }: Transaction): Promise<string> {
  const merchant = await merchants.find(merchantId)
  return merchant?.name ?? merchantId
}

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
