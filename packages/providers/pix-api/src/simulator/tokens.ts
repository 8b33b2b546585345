// OAuth 2 client credentials (RFC 6749) with tokens bound to the client's certificate (RFC 8705).
import { type Clock, SECOND_MS } from '@cofre/contracts'
import type { RandomBytes } from '@cofre/provider-kit/simulator'
import type { BankAccount, Scope } from './account.js'
import { PixProblem } from './wire/problem.js'

const TOKEN_BYTES = 32

interface TokensDeps {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly accounts: readonly BankAccount[]
  readonly lifetimeS: number
}

interface Grant {
  readonly account: BankAccount
  readonly thumbprint: string
  readonly scopes: readonly Scope[]
  readonly endMs: number
}

export interface TokenRequest {
  readonly grantType: string | undefined
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Separated by spaces; if empty, all of the client's scopes. */
  readonly scope: string | undefined
  readonly thumbprint: string
}

export interface Presented {
  readonly token: string | undefined
  readonly thumbprint: string
  readonly scope: Scope
}

const STATUSES = {
  invalid_client: 401,
  invalid_token: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_request: 400,
} as const

/** A refusal in the format of OAuth 2. */
export class OAuthProblem extends Error {
  readonly status: 400 | 401
  readonly body: Readonly<Record<string, string>>

  constructor(code: keyof typeof STATUSES, description: string) {
    super(`${code}: ${description}`)
    this.name = 'OAuthProblem'
    this.status = STATUSES[code]
    this.body = { error: code, error_description: description }
  }
}

export interface Tokens {
  /** @throws OAuthProblem */
  issue(request: TokenRequest): Readonly<Record<string, string | number>>
  /**
   * The account of a call.
   * @throws OAuthProblem, PixProblem for a scope that the token does not have
   */
  authorize(presented: Presented): BankAccount
  revokeAll(): void
}

export function createTokens(deps: TokensDeps): Tokens {
  const { clock, randomBytes, accounts, lifetimeS } = deps
  const grants = new Map<string, Grant>()
  return {
    issue(request) {
      if (request.grantType !== 'client_credentials')
        throw new OAuthProblem('unsupported_grant_type', 'only client_credentials is granted')
      const account = authenticateClient(accounts, request)
      const scopes = grantedScopes(account, request.scope)
      const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
      const { thumbprint } = request
      grants.set(token, { account, thumbprint, scopes, endMs: clock.now() + lifetimeS * SECOND_MS })
      const scope = scopes.join(' ')
      return { access_token: token, token_type: 'Bearer', expires_in: lifetimeS, scope }
    },

    authorize({ token, thumbprint, scope }) {
      const grant = token === undefined ? undefined : grants.get(token)
      if (grant === undefined) throw new OAuthProblem('invalid_token', 'no such token')
      if (grant.endMs <= clock.now()) throw new OAuthProblem('invalid_token', 'the token has ended')
      if (grant.thumbprint !== thumbprint)
        throw new OAuthProblem('invalid_token', 'the token is bound to another certificate')
      if (!grant.scopes.includes(scope))
        throw new PixProblem('AcessoNegado', `O token não tem o escopo ${scope}.`)
      return grant.account
    },

    revokeAll() {
      grants.clear()
    },
  }
}

function authenticateClient(accounts: readonly BankAccount[], request: TokenRequest): BankAccount {
  const account = accounts.find(({ clientId }) => clientId === request.clientId)
  if (account === undefined || account.clientSecret?.reveal() !== request.clientSecret)
    throw new OAuthProblem('invalid_client', 'client id or secret is wrong')
  if (!account.thumbprints.includes(request.thumbprint))
    throw new OAuthProblem('invalid_client', 'the certificate belongs to another client')
  return account
}

/** A bank may grant fewer scopes than requested, but not none. */
function grantedScopes(account: BankAccount, asked: string | undefined): readonly Scope[] {
  if (asked === undefined || asked === '') return account.scopes
  const wanted = asked.split(' ')
  const granted = account.scopes.filter((scope) => wanted.includes(scope))
  if (granted.length === 0) throw new OAuthProblem('invalid_scope', 'none of the scopes is granted')
  return granted
}
