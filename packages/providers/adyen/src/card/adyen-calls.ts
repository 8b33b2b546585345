// Calls of Adyen's API.
import { Secret } from '@cofre/contracts'
import type { AnswerBody, CallAnswer, OutboundClient } from '@cofre/provider-kit/outbound'
import type { AdyenAccount } from './adyen-account.js'

export interface AdyenCall {
  readonly operation: string
  /** The path below the base, encoded. */
  readonly path: string
  readonly body: object
  readonly key?: string
  readonly secrets?: readonly Secret<string>[]
}

export type Post = (call: AdyenCall) => Promise<CallAnswer>

export function poster(account: AdyenAccount, client: OutboundClient): Post {
  return ({ operation, path, body, key, secrets = [] }) =>
    client.send({
      operation,
      method: 'POST',
      url: `${account.baseUrl}${path}`,
      headers: { 'x-api-key': account.apiKey, ...(key && { 'idempotency-key': key }) },
      body: { contentType: 'application/json', text: new Secret(JSON.stringify(body)) },
      secrets,
    })
}

export function valueOf(body: AnswerBody): unknown {
  return body.kind === 'json' ? body.value : undefined
}
