import type { AccountQuestion, ProviderAccount } from '../account/index.js'
import { z } from 'zod'

/** A contract's days for capturing an authorization, if they differ from the acquirer's usual. */
export const captureDays = z
  .string()
  .regex(/^(?:[1-9]|1\d|2\d)$/, 'is a number from 1 to 29')
  .optional()

const settingsSchema = z.object({ captureDays })

export const CAPTURE_DAYS_QUESTION: AccountQuestion = {
  name: 'captureDays',
  text: 'Days to capture',
  help: 'The number of days that your contract leaves between authorization and capture: 1 to 29. Empty: the acquirer’s usual.',
  kind: 'text',
  isOptional: true,
  answerIn: (settings) => settingsSchema.safeParse(settings).data?.captureDays,
}

/** The contract's days for a capture; undefined if the acquirer's usual ones hold. */
export function contractCaptureDays(settings: ProviderAccount['settings']): number | undefined {
  const days = settingsSchema.safeParse(settings).data?.captureDays
  return days === undefined ? undefined : Number(days)
}
