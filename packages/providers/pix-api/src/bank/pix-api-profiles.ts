import type { Secret } from '@cofre/contracts'

/** A merchant's credentials at a bank, besides the certificate. */
export interface PixApiCredentials {
  readonly clientId: string
  readonly clientSecret?: Secret<string> | undefined
  /** Banco do Brasil's key of the application (`gw-dev-app-key`). */
  readonly applicationKey?: Secret<string> | undefined
  /** Inter's account number, if the client has several. */
  readonly accountNumber?: string | undefined
}

export interface PixApiHosts {
  /** Up to the path's version, unless the version differs by resource. */
  readonly api: string
  readonly token: string
}

/** The parts of the API Pix that the connector uses. */
export type PixApiResource = 'cob' | 'cobv' | 'pix' | 'webhook'

/** The differences between banks. */
export interface PixApiProfile {
  /** The name for people. */
  readonly bank: string
  readonly production: PixApiHosts
  /** Absent if no host for tests is known. */
  readonly test?: PixApiHosts
  readonly clientAuth: 'basic' | 'body' | 'none'
  readonly tokenBody: 'form' | 'json'
  readonly scope?: string
  /** Credentials of this bank besides the client's id. */
  readonly needs: readonly ('clientSecret' | 'applicationKey')[]
  readonly takes: readonly 'accountNumber'[]
  readonly headers: (
    credentials: PixApiCredentials,
  ) => Readonly<Record<string, string | Secret<string>>>
  /** The version in the path, if it differs by resource. */
  readonly pathVersion: Readonly<Partial<Record<PixApiResource, string>>>
  /** `complete`: the certificate comes with every issuer up to the root. */
  readonly chain?: 'complete'
  /**
   * `two_calls`: to register a webhook, the bank calls it twice, once without its certificate,
   * which must be refused. A header turns that off.
   */
  readonly webhookHandshake: 'none' | 'two_calls'
  /** Unconfirmed facts: questions to ask the bank. */
  readonly unconfirmed: readonly string[]
}

/** A client's scopes. */
export const SCOPES = 'cob.write cob.read pix.write pix.read webhook.write webhook.read'
/**
 * Scopes of charges with a due date, requested separately, as a bank may refuse a token for them.
 */
export const DATED_SCOPES = 'cobv.write cobv.read'
const none = (): Record<string, never> => ({})

/** None is proven with its bank until a person with an account has run `cofre account test`. */
export const PIX_API_PROFILES = {
  efi: {
    bank: 'Efí',
    production: {
      api: 'https://pix.api.efipay.com.br/v2',
      token: 'https://pix.api.efipay.com.br/oauth/token',
    },
    test: {
      api: 'https://pix-h.api.efipay.com.br/v2',
      token: 'https://pix-h.api.efipay.com.br/oauth/token',
    },
    clientAuth: 'basic',
    tokenBody: 'json',
    needs: ['clientSecret'],
    takes: [],
    headers: none,
    pathVersion: {},
    webhookHandshake: 'two_calls',
    unconfirmed: [],
  },
  bb: {
    bank: 'Banco do Brasil',
    production: {
      api: 'https://api.bb.com.br/pix/v2',
      token: 'https://oauth.bb.com.br/oauth/token',
    },
    test: {
      api: 'https://api.hm.bb.com.br/pix/v2',
      token: 'https://oauth.hm.bb.com.br/oauth/token',
    },
    clientAuth: 'basic',
    tokenBody: 'form',
    scope: SCOPES,
    needs: ['clientSecret', 'applicationKey'],
    takes: [],
    headers: ({ applicationKey }) =>
      applicationKey === undefined ? {} : { 'gw-dev-app-key': applicationKey },
    pathVersion: {},
    chain: 'complete',
    webhookHandshake: 'none',
    unconfirmed: [],
  },
  inter: {
    bank: 'Inter',
    production: {
      api: 'https://cdpj.partners.bancointer.com.br/pix/v2',
      token: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
    },
    test: {
      api: 'https://cdpj-sandbox.partners.uatinter.co/pix/v2',
      token: 'https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token',
    },
    clientAuth: 'body',
    tokenBody: 'form',
    scope: SCOPES,
    needs: ['clientSecret'],
    takes: ['accountNumber'],
    headers: ({ accountNumber }) =>
      accountNumber === undefined ? {} : { 'x-conta-corrente': accountNumber },
    pathVersion: {},
    webhookHandshake: 'none',
    unconfirmed: [],
  },
  itau: {
    bank: 'Itaú',
    production: {
      api: 'https://secure.api.itau/pix_recebimentos/v2',
      token: 'https://sts.itau.com.br/api/oauth/token',
    },
    clientAuth: 'body',
    tokenBody: 'form',
    needs: ['clientSecret'],
    takes: [],
    headers: ({ clientId }) => ({ 'x-itau-apikey': clientId }),
    pathVersion: {},
    webhookHandshake: 'none',
    unconfirmed: ['the host and path of the API', 'the header x-itau-apikey'],
  },
  santander: {
    bank: 'Santander',
    production: {
      api: 'https://trust-pix.santander.com.br/api/v1',
      token: 'https://trust-pix.santander.com.br/oauth/token?grant_type=client_credentials',
    },
    clientAuth: 'body',
    tokenBody: 'form',
    needs: ['clientSecret'],
    takes: [],
    headers: ({ clientId }) => ({ 'X-Application-Key': clientId }),
    pathVersion: {},
    webhookHandshake: 'none',
    unconfirmed: ['the host of the API and of the token', 'the header X-Application-Key'],
  },
  sicoob: {
    bank: 'Sicoob',
    production: {
      api: 'https://api.sicoob.com.br/pix/api/v2',
      token: 'https://auth.sicoob.com.br/auth/realms/sicoob/protocol/openid-connect/token',
    },
    clientAuth: 'none',
    tokenBody: 'form',
    scope: SCOPES,
    needs: [],
    takes: [],
    headers: ({ clientId }) => ({ client_id: clientId }),
    pathVersion: {},
    webhookHandshake: 'none',
    unconfirmed: [],
  },
  sicredi: {
    bank: 'Sicredi',
    production: {
      api: 'https://api-pix.sicredi.com.br/api',
      token: 'https://api-pix.sicredi.com.br/oauth/token',
    },
    clientAuth: 'basic',
    tokenBody: 'form',
    // Efí grants fewer scopes than requested, and reports that with a 400 instead of a 403.
    scope: SCOPES,
    needs: ['clientSecret'],
    takes: [],
    headers: none,
    pathVersion: { cob: 'v3', cobv: 'v2', pix: 'v2', webhook: 'v2' },
    webhookHandshake: 'none',
    unconfirmed: [],
  },
} as const satisfies Record<string, PixApiProfile>

export type PixApiProfileName = keyof typeof PIX_API_PROFILES
