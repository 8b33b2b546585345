import { type PaymentRails, santanderFreeField } from '@cofre/gateway'
import { walletPath } from '../wallet/wallet-path.js'

/** An agreement that no bank has. */
const BENEFICIARY = '0000000'
const BANK = '033'
const PIX_HOST = 'pix.sandbox.invalid'

/** Plays bank, PIX provider and wallets. The same order gets the same answer, because it is computed from it. */
export function createSandboxRails({ publicUrl }: { readonly publicUrl: string }): PaymentRails {
  return {
    registerBoleto: ({ transactionCode }) =>
      Promise.resolve({
        bank: BANK,
        freeField: santanderFreeField({
          beneficiary: BENEFICIARY,
          ourNumber: transactionCode.slice(-12),
        }),
      }),
    openPixCharge: ({ publicId }) =>
      Promise.resolve({
        location: `${PIX_HOST}/qr/v2/${publicId}`,
        receiverName: 'Cofre Sandbox',
        receiverCity: 'São Paulo',
      }),
    openWallet: ({ publicId }) => Promise.resolve({ paymentUrl: publicUrl + walletPath(publicId) }),
    refund: ({ reference }) =>
      Promise.resolve(/reject/i.test(reference ?? '') ? 'REJECTED' : 'PROCESSED'),
    acceptsRefund: () => true,
  }
}
