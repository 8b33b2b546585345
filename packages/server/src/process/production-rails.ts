import type { PaymentRails } from '@cofre/gateway'
import { createSandboxRails } from '@cofre/sandbox'

const noAccount = () => Promise.reject(new Error('a payment without an account'))

/**
 * What no account is asked for in production. No provider of wallets has accounts yet: `npm start`
 * has the sandbox play them, so that they can be tried, and `serve` opens none. A PIX and a boleto
 * have accounts alone. What was played in service moved no money, and none can go back.
 */
export function createProductionRails(mode: 'dev' | 'serve', publicUrl: string): PaymentRails {
  const played = createSandboxRails({ publicUrl })
  const rails = {
    registerBoleto: noAccount,
    openPixCharge: noAccount,
    refund: (order) => played.refund(order),
  } satisfies Partial<PaymentRails>
  if (mode === 'dev')
    return {
      ...rails,
      opens: (paymentType) => paymentType === 'e-wallet',
      openWallet: (order) => played.openWallet(order),
      // Boletos of earlier releases were played, too.
      acceptsRefund: (paymentType) => paymentType !== 'eft',
    }
  return {
    ...rails,
    opens: () => false,
    openWallet: noAccount,
    acceptsRefund: () => false,
  }
}
