import type { BankNotices, NoticeAddress, NoticeRegistration } from '@cofre/provider-kit/bank'
import type { PixApiAccount } from './pix-api-account.js'
import { type PixApiAnswer, type PixApiCaller, answerText } from './pix-api-calls.js'
import { namesInNotice } from './pix-api-notice.js'
import { anyAnswerSchema, webhookAnswerSchema } from './pix-api-wire.js'

const DONE = { kind: 'done' } as const

/** The bank's calls about payments to the account's PIX key. A key has one address. */
export function createPixApiWebhook(
  { pixKey, profile }: PixApiAccount,
  call: PixApiCaller,
): BankNotices {
  const resource = 'webhook'
  const path = `/${encodeURIComponent(pixKey)}`
  const read = async (): Promise<PixApiAnswer<string>> => {
    const answer = webhookAnswerSchema
    const found = await call({ operation: 'webhook.read', method: 'GET', resource, path, answer })
    if (found.kind !== 'done') return found
    // Some banks answer with an empty address instead of 404.
    const { webhookUrl } = found.value
    return webhookUrl === '' ? { kind: 'absent' } : { kind: 'done', value: webhookUrl }
  }
  const answer = anyAnswerSchema
  const put: WebhookCalls['put'] = ({ url, bankCertificate }) => {
    const isOpen = profile.webhookHandshake === 'two_calls' && bankCertificate === 'unchecked'
    return call({
      operation: 'webhook.register',
      method: 'PUT',
      resource,
      path,
      body: { webhookUrl: url },
      headers: isOpen ? { 'x-skip-mtls-checking': 'true' } : {},
      answer,
    })
  }
  const remove = () =>
    call({ operation: 'webhook.remove', method: 'DELETE', resource, path, answer })
  return { namesIn: namesInNotice, ...createWebhookRegistration({ read, put, remove }) }
}

/** The calls of a bank that stores one address. */
export interface WebhookCalls {
  readonly read: () => Promise<PixApiAnswer<string>>
  readonly put: (address: NoticeAddress) => Promise<PixApiAnswer<unknown>>
  readonly remove: () => Promise<PixApiAnswer<unknown>>
}

/** Reads before it writes, and again in doubt. */
export function createWebhookRegistration(
  calls: WebhookCalls,
): Pick<BankNotices, 'register' | 'remove'> {
  const { read } = calls
  return {
    async register(address) {
      const { url, others } = address
      if (new URL(url).protocol !== 'https:') throw new RangeError('a bank only calls HTTPS')
      const found = await read()
      if (found.kind !== 'done' && found.kind !== 'absent') return failed(found)
      if (found.kind === 'done' && found.value === url) return DONE
      if (found.kind === 'done' && others === 'keep') return occupied(found.value)
      const put = await calls.put(address)
      if (put.kind === 'done') return DONE
      if (put.kind !== 'unknown') return failed(put)
      const after = await read()
      return after.kind === 'done' && after.value === url ? DONE : failed(put)
    },
    async remove(url) {
      const found = await read()
      if (found.kind === 'absent') return DONE
      if (found.kind !== 'done') return failed(found)
      if (found.value !== url) return occupied(found.value)
      const gone = await calls.remove()
      if (gone.kind === 'done' || gone.kind === 'absent') return DONE
      return gone.kind === 'unknown' && (await read()).kind === 'absent' ? DONE : failed(gone)
    },
  }
}

function failed(answer: PixApiAnswer<unknown>): NoticeRegistration {
  return { kind: 'failed', detail: answerText(answer) }
}

function occupied(url: string): NoticeRegistration {
  return { kind: 'occupied', origin: URL.canParse(url) ? new URL(url).origin : 'not an address' }
}
