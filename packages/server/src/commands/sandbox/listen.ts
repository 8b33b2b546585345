import { connect } from 'node:net'
import { styleText } from 'node:util'
import { SECOND_MS } from '@cofre/contracts'
import { type SendResult, createHttpSender, parseTargetAllowances } from '@cofre/notifications'
import type { MerchantClientOptions } from '@cofre/merchant'
import { z } from 'zod'
import { productVersion } from '../../config/product-version.js'
import type { CommandContext, Shown, Shows } from '../line/command.js'
import { following, styledStatus, timeOfDay } from './following.js'
import type { SandboxAddress } from './sandbox.js'
import { plainText } from '../../observability/terminal-lines.js'

/** `cofre listen`: shows the sandbox's notifications, and forwards copies to a local shop. */
export const listenCommand = { listen }

interface ListenInput extends SandboxAddress {
  readonly forward?: URL
}

const notificationSchema = z.object({
  at: z.string(),
  'transaction-code': z.string(),
  status: z.string().optional(),
  'refund-id': z.string().optional(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
type Notification = z.output<typeof notificationSchema>

function listen(context: CommandContext, input: ListenInput): Shows {
  const { forward } = input
  const post = forward && forwarding(forward)
  let last: Notification | undefined
  const copied = async function* (): Shows {
    if (last === undefined || post === undefined) return
    const answer = await post(last)
    yield answered(context, last, answer)
  }
  return following(context, input, {
    target: '/sandbox/notifications/stream',
    async *ready(options) {
      yield ready(context, options, forward)
      if (forward !== undefined && !(await isListening(forward))) yield noListener(forward)
    },
    async *show(event) {
      last = notificationSchema.parse(event)
      yield arrived(context, last)
      yield* copied()
    },
    ...(post !== undefined && {
      async *typed(line) {
        if (line.trim().toLowerCase() === AGAIN) yield* copied()
      },
    }),
  })
}

/** Line with which a person at the terminal resends the last copy. */
const AGAIN = 'r'

function ready(
  { lines }: CommandContext,
  { baseUrl, storeId }: MerchantClientOptions,
  forward: URL | undefined,
): Shown {
  const again = lines === undefined ? '' : ` ${AGAIN} and Enter send the last one again.`
  const to = forward === undefined ? '.' : `, each copied to ${forward.href}.${again}`
  const text = `Listening to the notifications of ${storeId} at ${baseUrl}${to} Ctrl+C ends it.\n`
  const data = { type: 'ready', url: baseUrl, store: storeId, ...(forward && { to: forward.href }) }
  return { data, text }
}

const CONNECT_MAX_MS = SECOND_MS

/** True if the port accepts connections: checked before the first notification. */
function isListening({ hostname, port, protocol }: URL): Promise<boolean> {
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  const usualPort = protocol === 'https:' ? 443 : 80
  return new Promise((resolve) => {
    const socket = connect({ host, port: port === '' ? usualPort : Number(port) })
    const end = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.setTimeout(CONNECT_MAX_MS, end(false))
    socket.once('connect', end(true))
    socket.once('error', end(false))
  })
}

function noListener({ href, host }: URL): Shown {
  const text = `Nothing listens at ${host} yet: start the shop.\n`
  return { data: { type: 'nobody-listens', to: href }, text: styleText('yellow', text) }
}

function arrived({ clock }: CommandContext, notification: Notification): Shown {
  const { 'transaction-code': code, 'refund-id': refundId, status = '', url } = notification
  const what = refundId === undefined ? `${status} ${code}` : `refund ${refundId} of ${code}`
  const text = `${timeOfDay(clock.now())}  --> ${plainText(`${what}  ${url}`)}\n`
  return { data: { type: 'notification', ...notification }, text }
}

/** A person who names an address here is at this machine, and may reach all its networks. */
const ANY_TARGET = parseTargetAllowances('0.0.0.0/0:*,[::/0]:*')

/** Result of a copy. */
interface Answer {
  readonly to: URL
  readonly result: SendResult
}

/** Forwards the notification byte for byte, so that its signature stays valid. */
function forwarding(to: URL) {
  const sender = createHttpSender({ version: productVersion(), allowances: ANY_TARGET })
  return async ({ headers, body }: Notification): Promise<Answer> => ({
    to,
    result: await sender.send({ url: to.href, headers, body }),
  })
}

const ACKNOWLEDGED = 200

/** Reasons for a missing response, for the shop's developer. */
const FAILURES: Readonly<Record<string, (to: URL) => string>> = {
  connection_failed: ({ host }) => `no connection to ${host}: is the shop running?`,
  dns_failed: ({ hostname }) => `the host name ${hostname} is unknown`,
  tls_failed: ({ host }) => `the certificate of ${host} is not valid`,
  timeout: ({ host }) => `no answer from ${host} within 10 seconds`,
  response_invalid: ({ host }) => `what ${host} answered is not HTTP`,
}

function answered(
  { clock, lines }: CommandContext,
  { 'transaction-code': code, 'refund-id': refundId, status, headers }: Notification,
  { to, result }: Answer,
): Shown {
  const { statusCode, error, durationMs, responseExcerpt } = result
  const data = {
    type: 'answer',
    to: to.href,
    'webhook-id': headers['webhook-id'],
    ...(statusCode !== undefined && { status: statusCode }),
    ...(error !== undefined && { error }),
    'duration-ms': durationMs,
    body: responseExcerpt,
  }
  const begin = `${timeOfDay(clock.now())}  <--`
  if (statusCode === ACKNOWLEDGED)
    return { data, text: `${begin} ${styledStatus(statusCode)} ${to.href}  ${durationMs} ms\n` }
  const command =
    refundId === undefined ? `cofre sandbox status ${code} ${status ?? ''}` : undefined
  const again = lines === undefined ? command : `${AGAIN} and Enter`
  const what =
    statusCode === undefined
      ? (FAILURES[error ?? '']?.(to) ?? `it cannot be sent to ${to.href}`)
      : `${styledStatus(statusCode)} ${to.href}  ${durationMs} ms  ${plainText(responseExcerpt)}`
  const hint = again === undefined ? '' : `          Only 200 acknowledges. Again: ${again}\n`
  return { data, text: `${begin} ${what.trimEnd()}\n${hint}` }
}
