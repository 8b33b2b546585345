import type {
  DirectTokenPayload,
  SecurityCodePayload,
  SessionAnswer,
} from '@cofre/contracts/direct-token'
import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'

/** Fault of one request: no network, no response, a lost or another response. */
type Fault = 'network' | 'silence' | 'lost-answer' | Response

interface VaultRequest {
  readonly path: string
  readonly body: string
  readonly init: RequestInit
}

let vaults = 0

const created = (body?: object): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), { status: 201 })

export const status = (code: number): Response => new Response('{}', { status: code })

/**
 * The vault's side of the protocol, in memory. It opens tokens with jose, so that the library does
 * not check itself.
 */
export class FakeVault {
  readonly baseUrl: string = `https://vault-${String(++vaults)}.test/static`
  readonly requests: VaultRequest[] = []
  /** Decrypted cards and security codes, by token. */
  readonly cards = new Map<string, Partial<DirectTokenPayload> & SecurityCodePayload>()
  /** One entry for each request; an undefined entry lets its request pass. */
  readonly sessionFaults: (Fault | undefined)[] = []
  readonly depositFaults: (Fault | undefined)[] = []
  lifetimeSeconds = 900
  private readonly privateKeys = new Map<string, CryptoKey>()
  private sessions = 0

  /** Replaces the page's `fetch`. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const path = url.replace(this.baseUrl, '')
    const body = typeof init.body === 'string' ? init.body : ''
    this.requests.push({ path, body, init })
    if (path === '/sessions') return this.answer(this.sessionFaults, init, () => this.openSession())
    if (path === '/direct-tokens')
      return this.answer(this.depositFaults, init, () => this.deposit(body))
    return status(404)
  }

  /** Simulates a restart of the vault. */
  forgetSessions(): void {
    this.privateKeys.clear()
  }

  requestsTo(path: string): VaultRequest[] {
    return this.requests.filter((request) => request.path === path)
  }

  private async answer(
    faults: (Fault | undefined)[],
    init: RequestInit,
    handle: () => Promise<Response>,
  ): Promise<Response> {
    const fault = faults.shift()
    if (fault === 'network') throw new TypeError('Failed to fetch')
    if (fault === 'silence') {
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => {
          reject(new DOMException('aborted', 'AbortError'))
        })
      })
    }
    if (fault instanceof Response) return fault
    const answer = await handle()
    if (fault === 'lost-answer') throw new TypeError('Failed to fetch')
    return answer
  }

  private async openSession(): Promise<Response> {
    const id = `session-${String(++this.sessions).padStart(6, '0')}`
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' })
    this.privateKeys.set(id, privateKey)
    const { x = '', y = '' } = await exportJWK(publicKey)
    return created({
      id,
      'public-key': { kty: 'EC', crv: 'P-256', x, y },
      'expires-in': this.lifetimeSeconds,
    } satisfies SessionAnswer)
  }

  private async deposit(token: string): Promise<Response> {
    if (this.cards.has(token)) return created()
    try {
      const { plaintext } = await compactDecrypt(token, ({ kid = '' }) => {
        const privateKey = this.privateKeys.get(kid)
        if (privateKey === undefined) throw new Error('session_not_found')
        this.privateKeys.delete(kid)
        return privateKey
      })
      this.cards.set(token, JSON.parse(new TextDecoder().decode(plaintext)) as DirectTokenPayload)
      return created()
    } catch (error) {
      return status(error instanceof Error && error.message === 'session_not_found' ? 410 : 400)
    }
  }
}
