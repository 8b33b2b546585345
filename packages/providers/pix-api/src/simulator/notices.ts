import { type Book, type Payment, type Webhook, isoTime } from './book.js'
import type { Conditions } from './conditions.js'
import type { NoticePost, PostResult } from '@cofre/provider-kit/simulator'
import { renderPayment } from './payments.js'
import { violation } from './wire/problem.js'

const COPIES = { once: 1, twice: 2, never: 0 } as const satisfies Record<
  Conditions['notices'],
  number
>
const LOG_LENGTH_MAX = 200

/** One call to a receiver, for people and tests. */
export interface NoticeAttempt {
  readonly timeMs: number
  readonly url: string
  readonly endToEndIds: readonly string[]
  readonly result: PostResult
}

interface NoticesDeps {
  readonly book: Book
  readonly conditions: Conditions
  readonly post: NoticePost
}

export interface Notices {
  readonly attempts: readonly NoticeAttempt[]
  /** Sends a notice of a new event, as often as the conditions require. */
  announce(payment: Payment): void
  /** Sends one notice with these payments in order, whatever the conditions. */
  send(payments: readonly Payment[]): void
  /** Resolves when no notice is on its way. */
  settled(): Promise<void>
}

export function createNotices({ book, conditions, post }: NoticesDeps): Notices {
  const attempts: NoticeAttempt[] = []
  const running = new Set<Promise<void>>()

  const send = async (webhook: Webhook, payments: readonly Payment[]): Promise<void> => {
    const url = noticeAddress(webhook.url)
    const body = { pix: payments.map(renderPayment) }
    const result = await post({ url, body, withCertificate: true })
    const endToEndIds = payments.map(({ endToEndId }) => endToEndId)
    attempts.push({ timeMs: book.clock.now(), url, endToEndIds, result })
    attempts.splice(0, attempts.length - LOG_LENGTH_MAX)
  }

  const start = (work: Promise<void>): void => {
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  const sendCopies = async (payments: readonly Payment[], copies: number): Promise<void> => {
    for (const [webhook, told] of byWebhook(book, payments))
      for (let copy = 0; copy < copies; copy++) await send(webhook, told)
  }

  return {
    attempts,

    announce(payment) {
      start(sendCopies([payment], COPIES[conditions.notices]))
    },

    send(payments) {
      start(sendCopies(payments, 1))
    },

    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Only payments with a txid have notices, and only if the receiver registered an address. */
function byWebhook(book: Book, payments: readonly Payment[]): Map<Webhook, readonly Payment[]> {
  const groups = new Map<Webhook, readonly Payment[]>()
  for (const payment of payments) {
    const webhook = book.webhooks.get(payment.pixKey)
    if (webhook === undefined || payment.txid === undefined) continue
    groups.set(webhook, [...(groups.get(webhook) ?? []), payment])
  }
  return groups
}

/** Banks append `/pix` to the path; the query stays unchanged. */
function noticeAddress(webhookUrl: string): string {
  const url = new URL(webhookUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/pix`
  return url.href
}

interface Handshake {
  readonly post: NoticePost
  readonly webhook: Webhook
  /** Efí's `x-skip-mtls-checking`: omits the first call. */
  readonly skipsRefusal: boolean
}

/**
 * Efí's two calls: the first has no certificate and must be refused, the second has it and must be
 * answered.
 * @throws PixProblem
 */
export async function shakeHands({ post, webhook, skipsRefusal }: Handshake): Promise<void> {
  const { url, createdMs } = webhook
  const body = { evento: 'teste_webhook', data_criacao: isoTime(createdMs) }
  const refuse = (reason: string) =>
    violation('WebhookOperacaoInvalida', 'webhook.webhookUrl', reason)
  if (!skipsRefusal && isAccepted(await post({ url, body, withCertificate: false })))
    throw refuse('o servidor não exige o certificado do banco')
  const result = await post({ url, body, withCertificate: true })
  if (!isAccepted(result))
    throw refuse(`o servidor respondeu ${'status' in result ? result.status : result.failure}`)
}

function isAccepted(result: PostResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300
}
