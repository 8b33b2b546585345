import type { PaymentRails } from '@cofre/gateway'
import { createSandboxRails } from '@cofre/sandbox'

/**
 * What production asks no account for: the sandbox plays it. A PIX has accounts alone; one from
 * before there were any was played, and no money can go back.
 */
export function createProductionRails(publicUrl: string): PaymentRails {
  return {
    ...createSandboxRails({ publicUrl }),
    openPixCharge: () => Promise.reject(new Error('a PIX without an account')),
    acceptsRefund: (paymentType) => paymentType !== 'eft',
  }
}
