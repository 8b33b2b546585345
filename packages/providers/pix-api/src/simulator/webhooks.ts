import type { BankAccount } from './account.js'
import { type Book, type Webhook, isOf, isoTime, receiverOf } from './book.js'
import { listPage } from './list-page.js'
import { PixProblem, violation } from './wire/problem.js'
import { type WebhookQuery, readWebhook } from './wire/wire.js'

interface Sent {
  readonly pixKey: string
  readonly body: unknown
}

/** Parses a registration without carrying it out: the address may have to prove itself first. */
export function readRegistration(
  book: Book,
  account: BankAccount,
  { pixKey, body }: Sent,
): Webhook {
  if (!account.pixKeys.includes(pixKey))
    throw violation('WebhookOperacaoInvalida', 'chave', 'a chave não pertence a este recebedor')
  const { webhookUrl } = readWebhook(body)
  const receiver = receiverOf(account)
  return { receiver, pixKey, url: webhookUrl, createdMs: book.clock.now() }
}

/** @throws PixProblem */
export function findWebhook(book: Book, account: BankAccount, pixKey: string): Webhook {
  const webhook = book.webhooks.get(pixKey)
  if (webhook === undefined || !isOf(webhook, account))
    throw new PixProblem('WebhookNaoEncontrado', 'Nenhum webhook para a chave informada.')
  return webhook
}

export function removeWebhook(book: Book, account: BankAccount, pixKey: string): void {
  book.save({ removedWebhook: findWebhook(book, account, pixKey).pixKey })
}

export function listWebhooks(book: Book, account: BankAccount, query: WebhookQuery) {
  const { inicio = -Infinity, fim = Infinity } = query
  const found = [...book.webhooks.values()].filter(
    (webhook) => isOf(webhook, account) && webhook.createdMs >= inicio && webhook.createdMs <= fim,
  )
  const { items, parametros } = listPage(found, query)
  return { parametros, webhooks: items.map(renderWebhook) }
}

export function renderWebhook({ url, pixKey, createdMs }: Webhook) {
  return { webhookUrl: url, chave: pixKey, criacao: isoTime(createdMs) }
}
