// The address that a store's payment links and refunds notify if they name none.
import { isNotificationAddress } from '@cofre/contracts'
import { acceptsTarget } from '@cofre/notifications'
import { knownStore } from '../../installation/test-store.js'
import { type CommandContext, UsageError } from '../line/command.js'

/** @throws UsageError for an address that may not be notified */
export function checkAddress(context: CommandContext, text: string): void {
  if (text === 'none') return
  // `cofre dev`, which has a test store, also allows this machine as a target.
  const mode = knownStore(context.config('dev')).id === undefined ? 'serve' : 'dev'
  const { notifyAllow } = context.config(mode)
  const acceptsNotificationUrl = (url: string) => acceptsTarget(url, notifyAllow)
  if (isNotificationAddress(text, { acceptsNotificationUrl })) return
  throw new UsageError(
    '--notification-url takes an http or https address of at most 200 characters on port 80 or 443, not of a private network, without a name and a password; or none',
  )
}
