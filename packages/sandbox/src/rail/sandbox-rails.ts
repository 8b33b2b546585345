import { type PaymentRails } from '@cofre/gateway'
import { santanderFreeField } from '@cofre/provider-kit/bank'
import { type SandboxBank, WAITING_BANK } from '../simulated-bank/sandbox-bank.js'
import { walletPath } from '../wallet/wallet-page.js'

/** An agreement number of no real bank. */
const BENEFICIARY = '0000000'
const BANK = '033'
const PIX_HOST = 'pix.sandbox.invalid'

export interface SandboxRailOptions {
  readonly publicUrl: string
  /** The bank that settles; by default it waits for payers, and pays refunds at once. */
  readonly bank?: SandboxBank
}

/**
 * Simulates bank, PIX provider and wallets. The answer is computed from the order, so the same
 * order gets the same answer.
 */
export function createSandboxRails({
  publicUrl,
  bank = WAITING_BANK,
}: SandboxRailOptions): PaymentRails {
  return {
    opens: () => true,

    async registerBoleto(order) {
      await bank.paymentOpened('boleto', order)
      const ourNumber = order.transactionCode.slice(-12)
      return { bank: BANK, freeField: santanderFreeField({ beneficiary: BENEFICIARY, ourNumber }) }
    },

    async openPixCharge(order) {
      await bank.paymentOpened('pix', order)
      return {
        location: `${PIX_HOST}/qr/v2/${order.publicId}`,
        receiverName: 'Cofre Sandbox',
        receiverCity: 'São Paulo',
      }
    },

    async openWallet(order) {
      await bank.paymentOpened('e-wallet', order)
      return { paymentUrl: publicUrl + walletPath(order.publicId) }
    },

    refund: (order) => bank.refundAsked(order),
    acceptsRefund: () => true,
  }
}
