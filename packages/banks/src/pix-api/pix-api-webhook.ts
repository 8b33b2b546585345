import type { BankResult } from '../model/bank-result.js'
import type { PixApiAccount } from './pix-api-account.js'
import type { PixApiCaller } from './pix-api-calls.js'
import { pixApiProfile } from './pix-api-profiles.js'
import { anyAnswerSchema, webhookAnswerSchema } from './pix-api-wire.js'

export interface WebhookOrder {
  /** HTTPS. The bank appends `/pix`. */
  readonly url: string
  /** `replace`: also over the address of another system. */
  readonly others: 'keep' | 'replace'
  /** Whether a proxy before us refuses callers without the bank's certificate. */
  readonly bankCertificate: 'checked' | 'unchecked'
}

/** What became of a registration, also: another system's address stands there. */
export type WebhookResult<T> =
  | BankResult<T>
  /** Its address without path, which may hold a secret. */
  | { readonly kind: 'occupied'; readonly origin: string }

/** Where the bank calls when a charge of the account's PIX key is paid. A key has one address. */
export interface PixApiWebhook {
  read(): Promise<BankResult<string>>
  /** Reads first. Done, too, when the address already stands there. */
  register(order: WebhookOrder): Promise<WebhookResult<string>>
  /** Takes our address away, and no other. Done, too, when there is none. */
  remove(url: string): Promise<WebhookResult<'removed'>>
}

export function createPixApiWebhook(account: PixApiAccount, call: PixApiCaller): PixApiWebhook {
  const { webhookHandshake } = pixApiProfile(account.profile)
  const resource = 'webhook'
  const path = `/${encodeURIComponent(account.pixKey)}`
  const read = async (): Promise<BankResult<string>> => {
    const answer = webhookAnswerSchema
    const found = await call({ operation: 'webhook.read', method: 'GET', resource, path, answer })
    if (found.kind !== 'done') return found
    // Some banks answer with an empty address instead of 404.
    const { webhookUrl } = found.value
    return webhookUrl === '' ? { kind: 'absent' } : { kind: 'done', value: webhookUrl }
  }
  return {
    read,
    async register({ url, others, bankCertificate }) {
      if (new URL(url).protocol !== 'https:') throw new RangeError('a bank calls HTTPS alone')
      const found = await read()
      if (found.kind !== 'done' && found.kind !== 'absent') return found
      const isOurs = found.kind === 'done' && found.value === url
      if (isOurs) return found
      if (found.kind === 'done' && others === 'keep') return occupied(found.value)
      const isOpen = webhookHandshake === 'two_calls' && bankCertificate === 'unchecked'
      const put = await call({
        operation: 'webhook.register',
        method: 'PUT',
        resource,
        path,
        body: { webhookUrl: url },
        headers: isOpen ? { 'x-skip-mtls-checking': 'true' } : {},
        answer: anyAnswerSchema,
      })
      if (put.kind === 'done') return { kind: 'done', value: url }
      if (put.kind !== 'unknown') return put
      const after = await read()
      return after.kind === 'done' && after.value === url ? after : put
    },
    async remove(url) {
      const found = await read()
      if (found.kind === 'absent') return { kind: 'done', value: 'removed' }
      if (found.kind !== 'done') return found
      if (found.value !== url) return occupied(found.value)
      const answer = anyAnswerSchema
      const gone = await call({
        operation: 'webhook.remove',
        method: 'DELETE',
        resource,
        path,
        answer,
      })
      if (gone.kind === 'done' || gone.kind === 'absent') return { kind: 'done', value: 'removed' }
      return gone.kind === 'unknown' && (await read()).kind === 'absent'
        ? { kind: 'done', value: 'removed' }
        : gone
    },
  }
}

function occupied(url: string): { readonly kind: 'occupied'; readonly origin: string } {
  return { kind: 'occupied', origin: URL.canParse(url) ? new URL(url).origin : 'not an address' }
}
