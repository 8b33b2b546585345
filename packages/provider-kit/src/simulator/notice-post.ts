// The bank's own calls: to the addresses that receivers registered, with the bank's certificate.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { SECOND_MS } from '@cofre/contracts'
import type { Credential } from './authority/authority.js'

const TIMEOUT_MS = 5 * SECOND_MS

export interface Posted {
  readonly url: string
  readonly body: unknown
  /** Besides those of a JSON body. */
  readonly headers?: Readonly<Record<string, string>>
  /** Efí's first call of a registration comes without, and must be refused. */
  readonly withCertificate: boolean
}

/** The status that came back, or why none did. */
export type PostResult = { readonly status: number } | { readonly failure: string }

export type NoticePost = (posted: Posted) => Promise<PostResult>

interface NoticePostDeps {
  /** With which the bank signs in at the receiver. */
  readonly credential: Credential
  /** Whom the bank trusts, as PEM. */
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
      // A connection of its own: a kept one would carry the certificate into the call without.
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
