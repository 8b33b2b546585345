// The bank's own calls: to the addresses that receivers registered, with the bank's certificate.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { SECOND_MS } from '@cofre/contracts'
import type { Credential } from './authority/authority.js'

const TIMEOUT_MS = 5 * SECOND_MS

export interface Posted {
  readonly url: string
  readonly body: unknown
  /** Headers besides those of a JSON body. */
  readonly headers?: Readonly<Record<string, string>>
  /** Efí's first call of a registration has no certificate, and must be refused. */
  readonly withCertificate: boolean
}

/** The response's status, or why there was none. */
export type PostResult = { readonly status: number } | { readonly failure: string }

export type NoticePost = (posted: Posted) => Promise<PostResult>

interface NoticePostDeps {
  /** The bank's credential at the receiver. */
  readonly credential: Credential
  /** Authorities that the bank trusts, as PEM. */
  readonly authorities: readonly string[]
}

export function createNoticePost({ credential, authorities }: NoticePostDeps): NoticePost {
  const own = { cert: credential.certificate, key: credential.privateKey.reveal() }
  return ({ url, body, headers, withCertificate }) => {
    const text = JSON.stringify(body)
    const { promise, resolve } = Promise.withResolvers<PostResult>()
    const isHttps = url.startsWith('https:')
    const options = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
        ...headers,
      },
      // A new connection: a kept one would carry the certificate into the call without it.
      agent: false as const,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(isHttps && { ca: [...authorities], ...(withCertificate && own) }),
    }
    const call = (isHttps ? requestHttps : requestHttp)(url, options, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    call.on('error', ({ name, code }: NodeJS.ErrnoException) => {
      resolve({ failure: code ?? name })
    })
    call.end(text)
    return promise
  }
}
