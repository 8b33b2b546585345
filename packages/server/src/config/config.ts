// Here, and for the vault in vault-config.ts, are the names of the environment variables: nothing else knows them.
import path from 'node:path'
import { MINUTE_MS, type MinorUnits, SECOND_MS, type Secret } from '@cofre/contracts'
import {
  type InstallmentTerms,
  type SignatureDigestRule,
  DEFAULT_PURCHASE_LIMIT,
  type TargetAllowance,
  parseTargetAllowances,
} from '@cofre/gateway'
import { ConfigError, type Environ, type VariableRule, Variables } from './variable.js'
import * as rules from './variable-rules.js'
import { type MisspeltVariable, misspeltVariables } from './misspelt-variables.js'
import { type ExampleStore, readExampleStore } from './example-store.js'
import { readDatabaseUrls } from './database-urls.js'
import { METRICS_PORT, type ServiceConfig, readServiceConfig } from './service-config.js'
import { type VaultConfig, readVaultConfig } from './vault-config.js'

/** What a process may do. */
export const ROLES = ['api', 'sandbox', 'vault', 'panel', 'demo', 'worker', 'metrics'] as const
export type Role = (typeof ROLES)[number]
/** A role that listens on a port. */
export type ServingRole = Exclude<Role, 'worker'>

/** Whether a process with the role opens the gateway's databases. */
export function needsGateway(role: Role): boolean {
  return role === 'api' || role === 'sandbox' || role === 'panel' || role === 'worker'
}

/** Where a role listens, and the variable that says so. */
export interface Endpoint {
  /** The address that is listened on. */
  readonly host: string
  readonly port: number
  readonly portVariable: string
  /** Origin at which others reach it, without a trailing slash. */
  readonly publicUrl: string
}

export interface Config extends VaultConfig, ServiceConfig {
  readonly mode: 'dev' | 'serve'
  /** Variables that look like ours and that nothing reads. */
  readonly misspelt: readonly MisspeltVariable[]
  readonly host: string
  readonly endpoints: Readonly<Record<ServingRole, Endpoint>>
  readonly dataDir: string
  readonly gatewayDatabaseUrl: string
  readonly vaultDatabaseUrl: string
  /** Whether variables name the databases; otherwise they are files in the data directory. */
  readonly namesDatabase: { readonly gateway: boolean; readonly vault: boolean }
  readonly vendor: string
  readonly mediaVendor: string
  readonly signatureDigest: SignatureDigestRule
  /** Undefined: drawn on first start and kept in the data directory. */
  readonly devStoreId: string | undefined
  readonly devStoreSecret: Secret<string> | undefined
  readonly notifyAllow: readonly TargetAllowance[]
  /** Milliseconds between attempts at a notification. */
  readonly notifyIntervalMs: number
  /** Milliseconds from the answer of a creation to the notification of the status that it tells. */
  readonly notifyDelayMs: number
  readonly installmentTerms: InstallmentTerms
  readonly wallets: readonly string[]
  /** How much a payer document may buy at once, and in production in 30 days. */
  readonly purchaseLimitMinor: MinorUnits
  /** Days from the creation of a boleto to its due date. */
  readonly boletoDays: number
  /** What the examples of the documentation sign with; undefined unless all of it is set. */
  readonly exampleStore: ExampleStore | undefined
}

const LOOPBACK_ANY_PORT = '127.0.0.0/8:*,[::1/128]:*'

/** Reads and checks the whole configuration. @throws ConfigError naming the variable and what it accepts. */
export function readConfig(environ: Environ, mode: Config['mode']): Config {
  const variables = new Variables(environ)
  const dataDir = variables.read('COFRE_DATA_DIR', rules.folder, path.resolve('.cofre'))
  const host = variables.read('COFRE_HOST', rules.host, '127.0.0.1')
  const vendor = variables.read('COFRE_VENDOR', rules.vendor, 'cofre')
  requireAcquirer(variables, mode)
  const endpoint = (portVariable: string, port: number, urlVariable?: string): Endpoint =>
    readEndpoint(variables, host, { portVariable, port, urlVariable })
  const config = {
    mode,
    host,
    endpoints: {
      api: endpoint('COFRE_API_PORT', 8080, 'COFRE_PUBLIC_API_URL'),
      sandbox: endpoint('COFRE_SANDBOX_PORT', 8081, 'COFRE_PUBLIC_SANDBOX_URL'),
      vault: endpoint('COFRE_VAULT_PORT', 8082, 'COFRE_PUBLIC_VAULT_URL'),
      panel: endpoint('COFRE_PANEL_PORT', 8083, 'COFRE_PUBLIC_PANEL_URL'),
      demo: endpoint('COFRE_DEMO_PORT', 8084),
      // Its machines may be in a network of their own.
      metrics: {
        ...endpoint(METRICS_PORT, 8085),
        host: variables.read('COFRE_METRICS_HOST', rules.host, host),
      },
    },
    dataDir,
    ...readDatabaseUrls(variables, dataDir),
    vendor,
    mediaVendor: variables.read('COFRE_MEDIA_VENDOR', rules.mediaVendor, vendor),
    signatureDigest: variables.read('COFRE_SIGNATURE_DIGEST', rules.oneOf(['any', 'spec']), 'any'),
    ...readVaultConfig(variables, host),
    ...readServiceConfig(variables),
    devStoreId: variables.optional('COFRE_DEV_STORE_ID', rules.storeId),
    devStoreSecret: variables.secret('COFRE_DEV_STORE_SECRET', rules.storeSecret),
    notifyAllow: variables.read(
      'COFRE_NOTIFY_ALLOW',
      {
        accepts: 'networks and ports, like 10.0.0.0/8:8080,127.0.0.0/8:*',
        read: parseTargetAllowances,
      },
      mode === 'dev' ? parseTargetAllowances(LOOPBACK_ANY_PORT) : [],
    ),
    notifyIntervalMs: variables.read('COFRE_NOTIFY_INTERVAL', rules.duration, 10 * MINUTE_MS),
    notifyDelayMs: variables.read('COFRE_NOTIFY_DELAY', rules.delay, 3 * SECOND_MS),
    installmentTerms: {
      monthlyRate: variables.read('COFRE_INSTALLMENT_RATE', rules.monthlyRate, 0.0299),
      interestFree: variables.read('COFRE_INTEREST_FREE', rules.interestFree, 1),
    },
    wallets: variables.read('COFRE_WALLETS', rules.wallets, ['pagseguro', 'paypal']),
    purchaseLimitMinor: variables.read(
      'COFRE_PURCHASE_LIMIT',
      rules.amount,
      DEFAULT_PURCHASE_LIMIT,
    ),
    boletoDays: variables.read('COFRE_BOLETO_DAYS', rules.boletoDays, 3),
    exampleStore: readExampleStore(variables),
  }
  return { ...config, misspelt: misspeltVariables(environ, variables.known) }
}

/** The sandbox's acquirer plays the bank; outside `npm start` that must have been asked for. */
function requireAcquirer(variables: Variables, mode: Config['mode']): void {
  const acquirer = variables.optional('COFRE_ACQUIRER', rules.oneOf(['sandbox']))
  if (mode === 'serve' && acquirer === undefined) {
    throw new ConfigError(
      'COFRE_ACQUIRER',
      undefined,
      'set it to sandbox, the only one there is: it plays the bank, and no money moves',
    )
  }
}

/** Payers open addresses of the two APIs, which have to be short. */
const PAYER_URLS = ['COFRE_PUBLIC_API_URL', 'COFRE_PUBLIC_SANDBOX_URL']

function ruleOf(urlVariable: string): VariableRule<string> {
  return PAYER_URLS.includes(urlVariable) ? rules.payerOrigin : rules.origin
}

function readEndpoint(
  variables: Variables,
  host: string,
  names: { portVariable: string; port: number; urlVariable: string | undefined },
): Endpoint {
  const { portVariable, urlVariable } = names
  const port = variables.read(portVariable, rules.port, names.port)
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    host,
    port,
    portVariable,
    publicUrl:
      urlVariable === undefined ? local : variables.read(urlVariable, ruleOf(urlVariable), local),
  }
}
