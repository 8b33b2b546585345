import { Secret } from '@cofre/contracts'
import type { AuthorizedClient, CallPriority, OutboundCall } from '@cofre/provider-kit/outbound'
import type { z } from 'zod'
import {
  type PixApiAnswer,
  type PixApiCaller,
  answerOf,
  createPixApiCaller,
} from '@cofre/pix-api/bank'
import type { InterAccount } from './inter-account.js'

/** One call of the API Cobrança. */
export interface InterCall<T> {
  readonly operation: string
  readonly method: OutboundCall['method']
  /** The encoded path after `/cobrancas`. */
  readonly path: string
  readonly body?: object
  readonly answer: z.ZodType<T>
  readonly priority?: CallPriority
}

/** The two APIs of an account, with a shared access token. */
export interface InterCallers {
  readonly boletos: <T>(call: InterCall<T>) => Promise<PixApiAnswer<T>>
  readonly pix: PixApiCaller
}

/** @param client - Adds the account's access token. */
export function createInterCallers(account: InterAccount, client: AuthorizedClient): InterCallers {
  const headers = account.profile.headers(account.credentials)
  return {
    async boletos({ operation, method, path, body, answer, priority }) {
      const sent = await client.send({
        operation,
        method,
        url: `${account.boletosApi}/cobrancas${path}`,
        headers,
        ...(body !== undefined && {
          body: { contentType: 'application/json', text: new Secret(JSON.stringify(body)) },
        }),
        ...(priority !== undefined && { priority }),
      })
      return answerOf(sent, answer)
    },
    pix: createPixApiCaller(account, client),
  }
}
