import type { AccountQuestion, ProviderAccount } from '../account/index.js'
import { INSTALLMENTS_MAX } from '@cofre/contracts'
import { z } from 'zod'

/** A contract's installments, if they exceed the usual 12. */
export const installmentsMax = z
  .string()
  .regex(/^1[3-8]$/, 'is a number from 13 to 18')
  .optional()

const settingsSchema = z.object({ installmentsMax })

export const INSTALLMENTS_QUESTION: AccountQuestion = {
  name: 'installmentsMax',
  text: 'Most installments',
  help: 'Only if the contract allows more than 12: a number from 13 to 18. The store also has to ask for it: cofre store set --installments. Empty: 12.',
  kind: 'text',
  isOptional: true,
  answerIn: (settings) => settingsSchema.safeParse(settings).data?.installmentsMax,
}

/** The most installments that an account's contract allows. */
export function contractInstallments(settings: ProviderAccount['settings']): number {
  return Number(settingsSchema.safeParse(settings).data?.installmentsMax ?? INSTALLMENTS_MAX)
}
