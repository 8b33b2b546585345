// The one file that knows the names of the environment variables.
import path from 'node:path'
import type { MinorUnits, Secret } from '@cofre/contracts'
import {
  type InstallmentTerms,
  type SignatureDigestRule,
  DEFAULT_PURCHASE_LIMIT,
  type TargetAllowance,
  parseTargetAllowances,
} from '@cofre/gateway'
import { type KeyRing, parseKeyRing } from '@cofre/vault'
import { ConfigError, type Environ, optionalVariable, variable } from './variable.js'
import * as rules from './variable-rules.js'

/** What a process may do. */
export const ROLES = ['api', 'sandbox', 'vault', 'demo'] as const
export type Role = (typeof ROLES)[number]

/** Where a role listens, and the variable that says so. */
export interface Endpoint {
  readonly port: number
  readonly portVariable: string
  /** Origin at which others reach it, without a trailing slash. */
  readonly publicUrl: string
}

export interface Config {
  readonly mode: 'dev' | 'serve'
  readonly host: string
  readonly endpoints: Readonly<Record<Role, Endpoint>>
  readonly dataDir: string
  readonly gatewayDatabaseUrl: string
  readonly vaultDatabaseUrl: string
  readonly vendor: string
  readonly mediaVendor: string
  readonly signatureDigest: SignatureDigestRule
  /** Undefined: a key file in the data directory. */
  readonly vaultKeys: KeyRing | undefined
  /** Undefined: drawn on first start and kept in the data directory. */
  readonly devStoreId: string | undefined
  readonly devStoreSecret: Secret<string> | undefined
  readonly notifyAllow: readonly TargetAllowance[]
  readonly installmentTerms: InstallmentTerms
  readonly wallets: readonly string[]
  /** How much a payer document may buy at once, and in production in 30 days. */
  readonly purchaseLimitMinor: MinorUnits
  /** Days from the creation of a boleto to its due date. */
  readonly boletoDays: number
}

const LOOPBACK_ANY_PORT = '127.0.0.0/8:*,[::1/128]:*'

/** Reads and checks the whole configuration. @throws ConfigError naming the variable and what it accepts. */
export function readConfig(environ: Environ, mode: Config['mode']): Config {
  const dataDir = variable(environ, 'COFRE_DATA_DIR', rules.folder, path.resolve('.cofre'))
  const host = variable(environ, 'COFRE_HOST', rules.host, '127.0.0.1')
  const vendor = variable(environ, 'COFRE_VENDOR', rules.vendor, 'cofre')
  requireAcquirer(environ, mode)
  const endpoint = (portVariable: string, port: number, urlVariable?: string): Endpoint =>
    readEndpoint(environ, host, { portVariable, port, urlVariable })
  return {
    mode,
    host,
    endpoints: {
      api: endpoint('COFRE_API_PORT', 8080, 'COFRE_PUBLIC_API_URL'),
      sandbox: endpoint('COFRE_SANDBOX_PORT', 8081, 'COFRE_PUBLIC_SANDBOX_URL'),
      vault: endpoint('COFRE_VAULT_PORT', 8082, 'COFRE_PUBLIC_VAULT_URL'),
      demo: endpoint('COFRE_DEMO_PORT', 8084),
    },
    dataDir,
    gatewayDatabaseUrl: databaseUrl(environ, 'COFRE_DATABASE_URL', dataDir, 'gateway.db'),
    vaultDatabaseUrl: databaseUrl(environ, 'COFRE_VAULT_DATABASE_URL', dataDir, 'vault.db'),
    vendor,
    mediaVendor: variable(environ, 'COFRE_MEDIA_VENDOR', rules.mediaVendor, vendor),
    signatureDigest: variable(
      environ,
      'COFRE_SIGNATURE_DIGEST',
      rules.oneOf(['any', 'spec']),
      'any',
    ),
    vaultKeys: optionalVariable(environ, 'COFRE_VAULT_KEYS', {
      accepts:
        'key-encryption keys as id:key,id:key, each key 32 bytes in base64url; the first one is current',
      read: parseKeyRing,
      secret: true,
    }),
    devStoreId: optionalVariable(environ, 'COFRE_DEV_STORE_ID', rules.storeId),
    devStoreSecret: optionalVariable(environ, 'COFRE_DEV_STORE_SECRET', rules.storeSecret),
    notifyAllow: variable(
      environ,
      'COFRE_NOTIFY_ALLOW',
      {
        accepts: 'networks and ports, like 10.0.0.0/8:8080,127.0.0.0/8:*',
        read: parseTargetAllowances,
      },
      mode === 'dev' ? parseTargetAllowances(LOOPBACK_ANY_PORT) : [],
    ),
    installmentTerms: {
      monthlyRate: variable(environ, 'COFRE_INSTALLMENT_RATE', rules.monthlyRate, 0.0299),
      interestFree: variable(environ, 'COFRE_INTEREST_FREE', rules.interestFree, 1),
    },
    wallets: variable(environ, 'COFRE_WALLETS', rules.wallets, ['pagseguro', 'paypal']),
    purchaseLimitMinor: variable(
      environ,
      'COFRE_PURCHASE_LIMIT',
      rules.amount,
      DEFAULT_PURCHASE_LIMIT,
    ),
    boletoDays: variable(environ, 'COFRE_BOLETO_DAYS', rules.boletoDays, 3),
  }
}

/** The sandbox's acquirer plays the bank; outside `npm start` that must have been asked for. */
function requireAcquirer(environ: Environ, mode: Config['mode']): void {
  const acquirer = optionalVariable(environ, 'COFRE_ACQUIRER', rules.oneOf(['sandbox']))
  if (mode === 'serve' && acquirer === undefined) {
    throw new ConfigError('COFRE_ACQUIRER', undefined, 'sandbox (plays the bank; no money moves)')
  }
}

function readEndpoint(
  environ: Environ,
  host: string,
  variables: { portVariable: string; port: number; urlVariable: string | undefined },
): Endpoint {
  const { portVariable, urlVariable } = variables
  const port = variable(environ, portVariable, rules.port, variables.port)
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    port,
    portVariable,
    publicUrl:
      urlVariable === undefined ? local : variable(environ, urlVariable, rules.payerOrigin, local),
  }
}

function databaseUrl(environ: Environ, name: string, dataDir: string, file: string): string {
  return variable(environ, name, rules.databaseUrl, `sqlite:${path.join(dataDir, file)}`)
}
