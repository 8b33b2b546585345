import type { PaymentRails } from '@cofre/gateway'
import { createSandboxRails } from '@cofre/sandbox'

const noAccount = () => Promise.reject(new Error('a payment without an account'))

/**
 * Production's payments without accounts. No provider of wallets has accounts yet: in `npm start`
 * the sandbox simulates them, for tests, and `serve` opens none. PIX and boletos only have
 * accounts. A simulated payment in service moved no money, so none can be refunded.
 */
export function createProductionRails(mode: 'dev' | 'serve', publicUrl: string): PaymentRails {
  const simulated = createSandboxRails({ publicUrl })
  const rails = {
    registerBoleto: noAccount,
    openPixCharge: noAccount,
    refund: (order) => simulated.refund(order),
  } satisfies Partial<PaymentRails>
  if (mode === 'dev')
    return {
      ...rails,
      opens: (paymentType) => paymentType === 'e-wallet',
      openWallet: (order) => simulated.openWallet(order),
      // Boletos of earlier releases were simulated too.
      acceptsRefund: (paymentType) => paymentType !== 'eft',
    }
  return {
    ...rails,
    opens: () => false,
    openWallet: noAccount,
    acceptsRefund: () => false,
  }
}
