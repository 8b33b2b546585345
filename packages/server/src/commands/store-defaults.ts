// Defaults of a store for payment links and refunds.
import { type TransactionLanguage, USUAL_LANGUAGE, isNotificationAddress } from '@cofre/contracts'
import type { MerchantSettings } from '@cofre/gateway'
import { acceptsTarget } from '@cofre/notifications'
import { knownStore } from '../installation/test-store.js'
import { type CommandContext, UsageError } from './command.js'

export interface DefaultOptions {
  readonly language?: TransactionLanguage
  readonly notificationUrl?: string
}

/** The named defaults. @throws UsageError for an address that may not be notified */
export function defaultSettings(
  context: CommandContext,
  { language, notificationUrl }: DefaultOptions,
): Partial<MerchantSettings> {
  return {
    ...(language !== undefined && {
      language: language === USUAL_LANGUAGE ? undefined : language,
    }),
    ...(notificationUrl !== undefined && {
      notificationUrl: addressOf(context, notificationUrl),
    }),
  }
}

function addressOf(context: CommandContext, text: string): string | undefined {
  if (text === 'none') return undefined
  // `cofre dev`, which has a test store, also allows this machine as a target.
  const mode = knownStore(context.config('dev')).id === undefined ? 'serve' : 'dev'
  const { notifyAllow } = context.config(mode)
  const acceptsNotificationUrl = (url: string) => acceptsTarget(url, notifyAllow)
  if (isNotificationAddress(text, { acceptsNotificationUrl })) return text
  throw new UsageError(
    '--notification-url takes an http or https address of at most 200 characters on port 80 or 443, not of a private network, without a name and a password; or none',
  )
}
