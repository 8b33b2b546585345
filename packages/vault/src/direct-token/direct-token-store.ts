import type { DirectToken } from './direct-token.js'

export interface DirectTokenReader {
  find(digest: string): Promise<DirectToken | undefined>
  /** How many hold a card: neither spent nor expired. */
  countLive(nowMs: number): Promise<number>
}

export interface DirectTokenStore extends DirectTokenReader {
  insert(token: DirectToken): Promise<void>
  /** Forgets the tokens that expired, spent or not. Returns how many. */
  eraseExpired(nowMs: number): Promise<number>
}
