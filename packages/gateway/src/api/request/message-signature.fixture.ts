import { hash } from 'node:crypto'
import { createSigner, httpbis } from 'http-message-signatures'
import { MERCHANT, NOW_MS, type TestAnswer, type TestGateway } from '../../gateway.fixture.js'

export const ORIGIN = 'https://api.example.com'

export interface SignedMessage {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly origin?: string
  readonly createdMs?: number
  readonly nonce?: string
  readonly storeId?: string
  readonly secret?: string
  readonly label?: string
  /** Instead of those of the profile. */
  readonly fields?: readonly string[]
  readonly params?: readonly string[]
}

let nonces = 0

/** Headers that another implementation of RFC 9421 has signed. */
export async function signedByLibrary(method: string, target: string, message: SignedMessage = {}) {
  const {
    body,
    headers = {},
    origin = ORIGIN,
    createdMs = NOW_MS,
    nonce = `nonce-of-a-test-${++nonces}`,
    storeId = MERCHANT.id,
    secret = MERCHANT.secret.reveal(),
    label = 'cofre',
  } = message
  const digest = body === undefined ? {} : { 'content-digest': digestOf(body) }
  const names = [...Object.keys(digest), ...Object.keys(headers)]
  const params = ['created', 'keyid', ...(method === 'POST' ? ['nonce'] : []), 'alg']
  const request = { method, url: origin + target, headers: { ...digest, ...headers } }
  const signed = await httpbis.signMessage(
    {
      key: createSigner(secret, 'hmac-sha256', storeId),
      name: label,
      fields: [...(message.fields ?? ['@method', '@target-uri', ...names])],
      params: [...(message.params ?? params)],
      paramValues: { created: new Date(createdMs), nonce },
    },
    request,
  )
  const entries = Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value])
  return Object.fromEntries(entries) as Record<string, string>
}

export const digestOf = (body: string): string => `sha-256=:${hash('sha256', body, 'base64')}:`

export type ChangedHeaders = Readonly<Record<string, string | undefined>>

/** Sends headers unchanged: the fixture does not sign them. */
export const sendSigned = (
  test: TestGateway,
  [method, target]: readonly [string, string],
  { body, headers }: { readonly body?: string | undefined; readonly headers: ChangedHeaders },
): Promise<TestAnswer> =>
  test.send(method, target, { body, headers: { authorization: undefined, ...headers } })
