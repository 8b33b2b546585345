// The only file that reads the environment. variables.ts has the accepted values of each variable.
import { isIP } from 'node:net'
import process from 'node:process'
import { Secret } from '@cofre/contracts'
import { type TargetAllowance, hostAllowance, parseTargetAllowances } from '@cofre/notifications'
import type { z } from 'zod'
import { databaseUrls } from './database-urls.js'
import { ConfigError } from './errors.js'
import { isLoopback } from './loopback.js'
import { misspeltVariables } from './misspelt-variables.js'
import { readDeliveredSecret, secretFilesOf } from './secret-file.js'
import { EVERY_ADDRESS, type Trial } from './trial.js'
import { NEVER_SHOWN, SECRETS, VARIABLES, type VariableName, origin, storeId } from './variables.js'

/** Roles of a process. */
export const ROLES = [
  'api',
  'sandbox',
  'vault',
  'panel',
  'demo',
  'worker',
  'metrics',
  'notices',
  'operator',
] as const
export type Role = (typeof ROLES)[number]
/** A role that listens on a port. */
export type ServingRole = Exclude<Role, 'worker'>
/** Providers that `npm start` simulates, each with a page at its own port. */
export const SIMULATOR_NAMES = ['pix-api', 'adyen', 'cielo', 'inter'] as const
export type SimulatorName = (typeof SIMULATOR_NAMES)[number]
/** Names with a port: `npm start` adds the demo shop in production and its providers' pages. */
export type EndpointName = ServingRole | 'demo-production' | SimulatorName

/** True if the provider's page has its own port. */
export function isSimulatorName(provider: string): provider is SimulatorName {
  return (SIMULATOR_NAMES as readonly string[]).includes(provider)
}

/** A role's listening address, and the variable that names the port. */
export interface Endpoint {
  readonly host: string
  /** The setting that names the host. */
  readonly hostNamedBy: string
  readonly port: number
  readonly portVariable: PortVariable
  /** Origin for other machines, without a trailing slash. */
  readonly publicUrl: string
}

export type Mode = 'dev' | 'serve'
export type Config = ReturnType<typeof readConfig>
type Environ = Readonly<Record<string, string | undefined>>
type Values = z.output<typeof VARIABLES>
type PortVariable = Extract<VariableName, `${string}_PORT`>

/** Default of the only port variable that has none itself. */
const DEFAULT_METRICS_PORT = 8085
const LOOPBACK = '127.0.0.1'
const LOOPBACK_ANY_PORT = '127.0.0.0/8:*,[::1/128]:*'

/**
 * @param trial - Only for `dev` on a network.
 * @throws ConfigError that names the variable and its accepted values
 */
export function readConfig(environ: Environ, mode: Mode, trial?: Trial) {
  const values = readVariables(
    trial === undefined ? environ : { ...environ, COFRE_HOST: environ.COFRE_HOST ?? trial.address },
  )
  const { COFRE_DATA_DIR: dataDir, COFRE_VENDOR: vendor, COFRE_METRICS_PORT } = values
  const endpoints = endpointsOf(values, mode, trial)
  return {
    mode,
    /** Undefined: `dev` is for this machine only, or this is not `dev`. */
    trial,
    /** `COFRE_*` variables that are not known, and probably misspelt. */
    misspelt: misspeltVariables(environ),
    endpoints,
    /** Origin of the error documentation; undefined if the sandbox's public URL is unknown. */
    docsOrigin: mode === 'dev' ? endpoints.sandbox.publicUrl : values.COFRE_PUBLIC_SANDBOX_URL,
    /** True if the port is set, so that the process shows its metrics in any role. */
    showsMetrics: COFRE_METRICS_PORT !== undefined,
    dataDir,
    ...databaseUrls(values, dataDir),
    vendor,
    mediaVendor: values.COFRE_MEDIA_VENDOR ?? vendor,
    signatureDigest: values.COFRE_SIGNATURE_DIGEST,
    vaultService: vaultServiceOf(values),
    /** Undefined, like the gateway's: a key file in the data directory. */
    vaultKeys: values.COFRE_VAULT_KEYS,
    /** Shares of the current key, or `file:<path>` with one share each. */
    vaultKeyShares: values.COFRE_VAULT_KEY_SHARES,
    gatewayKeys: values.COFRE_GATEWAY_KEY,
    workerEnvironments: values.COFRE_WORKER_ENVIRONMENTS,
    ...consoleOf(values, endpoints.panel, { mode, trial }),
    /** Server for letters to people; undefined: links are passed on by hand. */
    smtp: smtpOf(values, endpoints.panel),
    ...limitsOf(values),
    /** Proxies whose `X-Forwarded-For` is trusted. */
    trustedProxies: values.COFRE_TRUSTED_PROXIES,
    /** Networks whose sign-ins to the console are not slowed by strangers' attempts. */
    consoleNetworks: values.COFRE_CONSOLE_NETWORKS,
    /** Milliseconds between the announcement of a stop, in `/readyz`, and the stop. */
    drainMs: values.COFRE_DRAIN,
    /** OpenTelemetry collector; undefined: no tracing. */
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    ...testStoreOf(values),
    notifyAllow: values.COFRE_NOTIFY_ALLOW ?? defaultTargets({ mode, trial }, endpoints.demo),
    notifyIntervalMs: values.COFRE_NOTIFY_INTERVAL,
    notifyDelayMs: values.COFRE_NOTIFY_DELAY,
    installmentTerms: {
      monthlyRate: values.COFRE_INSTALLMENT_RATE,
      interestFree: values.COFRE_INTEREST_FREE,
    },
    wallets: values.COFRE_WALLETS,
    /** Limit of a payer document's purchases at once, and in production within 30 days. */
    purchaseLimitMinor: values.COFRE_PURCHASE_LIMIT,
    boletoDays: values.COFRE_BOLETO_DAYS,
    boletoFolder: values.COFRE_BOLETO_FOLDER,
    /** True if the person who runs a command may have a browser: not in a remote shell. */
    hasDesktop: hasDesktop(environ),
    /** Undefined: every payer's address counts as one in Brazil. */
    countriesFile: values.COFRE_COUNTRIES,
  } as const
}

/** The test store, and the store and address of the documentation's examples. */
function testStoreOf(values: Values) {
  return {
    /** Undefined: drawn on first start and stored in the data directory. */
    devStoreId: values.COFRE_DEV_STORE_ID,
    devStoreSecret: values.COFRE_DEV_STORE_SECRET,
    exampleUrl: exampleUrlOf(values),
    exampleStore: exampleStoreOf(values),
  } as const
}

function limitsOf(values: Values) {
  return {
    requestsPerMinute: values.COFRE_REQUESTS_PER_MINUTE,
    storeRequestsPerMinute: values.COFRE_STORE_REQUESTS_PER_MINUTE,
    requestsAtOnce: values.COFRE_REQUESTS_AT_ONCE,
    sessionsPerMinute: values.COFRE_SESSIONS_PER_MINUTE,
    depositsPerMinute: values.COFRE_DEPOSITS_PER_MINUTE,
  } as const
}

function readVariables(environ: Environ): Values {
  // An empty variable counts as unset.
  const given = Object.fromEntries(Object.entries(environ).filter(([, text]) => text !== ''))
  const files = SECRETS.map((name) => [name, secretFilesOf(environ, name)] as const)
  const fromFiles = files.filter(([, named]) => named.length > 0)
  for (const [name, [file, another]] of fromFiles) {
    const rival = given[name] === undefined ? another?.namedBy : name
    const verb = rival === name ? 'is set' : 'is there'
    if (file !== undefined && rival !== undefined)
      throw new ConfigError(file.namedBy, file.path, `${rival} ${verb}, too: leave one of them out`)
    if (file !== undefined) given[name] = readSecret(file)
  }
  const read = VARIABLES.safeParse(given)
  if (read.success) return read.data
  const [{ path: [variable], message } = { path: [], message: '' }] = read.error.issues
  const name = String(variable)
  const file = fromFiles.find(([each]) => each === name)?.[1][0]
  if (file !== undefined)
    throw new ConfigError(file.namedBy, file.path, `the file has to hold ${message}`)
  const isSecret = NEVER_SHOWN.some((each) => each === name)
  throw new ConfigError(name, isSecret ? '[secret]' : given[name], message)
}

function readSecret({ namedBy, path: file }: { namedBy: string; path: string }): string {
  const read = readDeliveredSecret(file)
  if ('text' in read) return read.text
  throw new ConfigError(namedBy, file, read.why)
}

function endpointsOf(
  values: Values,
  mode: Mode,
  trial: Trial | undefined,
): Readonly<Record<EndpointName, Endpoint>> {
  const { COFRE_HOST: host } = values
  const ports = { ...values, COFRE_METRICS_PORT: values.COFRE_METRICS_PORT ?? DEFAULT_METRICS_PORT }
  const endpoint = (portVariable: PortVariable, publicUrl?: string): Endpoint => {
    const port = ports[portVariable]
    const origin = trial === undefined ? localOrigin(host, port) : trialOrigin(trial, port)
    return { host, hostNamedBy, port, portVariable, publicUrl: publicUrl ?? origin }
  }
  const hostNamedBy = trial?.address === host ? `--host ${trial.host}` : `COFRE_HOST=${host}`
  // Ports for this machine, or for a network of the operator's.
  const inner = (
    portVariable: PortVariable,
    hostVariable: 'COFRE_METRICS_HOST' | 'COFRE_NOTICES_HOST',
  ) => {
    const own = values[hostVariable]
    return {
      ...endpoint(portVariable),
      ...(own !== undefined && { host: own, hostNamedBy: `${hostVariable}=${own}` }),
      ...(own === undefined && trial !== undefined && { host: LOOPBACK }),
    }
  }
  // The page controls the simulated provider: elsewhere it requires a trial's password.
  const simulator = (portVariable: PortVariable): Endpoint =>
    trial === undefined
      ? {
          ...endpoint(portVariable, `http://${LOOPBACK}:${ports[portVariable]}`),
          host: LOOPBACK,
        }
      : endpoint(portVariable)
  return {
    api: endpoint('COFRE_API_PORT', values.COFRE_PUBLIC_API_URL),
    sandbox: endpoint('COFRE_SANDBOX_PORT', values.COFRE_PUBLIC_SANDBOX_URL),
    vault: endpoint('COFRE_VAULT_PORT', values.COFRE_PUBLIC_VAULT_URL),
    panel: endpoint(
      'COFRE_PANEL_PORT',
      values.COFRE_PUBLIC_PANEL_URL ?? devPanelUrl(values, { mode, trial }),
    ),
    demo: endpoint('COFRE_DEMO_PORT'),
    'demo-production': endpoint('COFRE_DEMO_PRODUCTION_PORT'),
    'pix-api': simulator('COFRE_SIMULATOR_PORT'),
    adyen: simulator('COFRE_ADYEN_PORT'),
    cielo: simulator('COFRE_CIELO_PORT'),
    inter: simulator('COFRE_INTER_PORT'),
    // Prometheus and banks may reach networks of their own.
    // On this machine alone, unless its own variable names another address.
    operator: operatorEndpoint(values, endpoint),
    metrics: inner('COFRE_METRICS_PORT', 'COFRE_METRICS_HOST'),
    notices: {
      ...inner('COFRE_NOTICES_PORT', 'COFRE_NOTICES_HOST'),
      ...(values.COFRE_PUBLIC_NOTICES_URL !== undefined && {
        publicUrl: values.COFRE_PUBLIC_NOTICES_URL,
      }),
    },
  }
}

function operatorEndpoint(
  { COFRE_OPERATOR_HOST, COFRE_OPERATOR_PORT, COFRE_PUBLIC_OPERATOR_URL }: Values,
  endpoint: (portVariable: PortVariable, publicUrl?: string) => Endpoint,
): Endpoint {
  const host = COFRE_OPERATOR_HOST ?? LOOPBACK
  const publicUrl = COFRE_PUBLIC_OPERATOR_URL ?? localOrigin(host, COFRE_OPERATOR_PORT)
  return {
    ...endpoint('COFRE_OPERATOR_PORT', publicUrl),
    host,
    hostNamedBy: `COFRE_OPERATOR_HOST=${host}`,
  }
}

function localOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function trialOrigin({ host, certificate }: Trial, port: number): string {
  const origin = localOrigin(host, port)
  return certificate === undefined ? origin : `https${origin.slice('http'.length)}`
}

interface Run {
  readonly mode: Mode
  readonly trial: Trial | undefined
}

/** Passkeys need a name, and every machine has `localhost`. */
function devPanelUrl(
  { COFRE_HOST, COFRE_PANEL_PORT }: Values,
  { mode, trial }: Run,
): string | undefined {
  const isLocal = mode === 'dev' && trial === undefined && COFRE_HOST === LOOPBACK
  return isLocal ? `http://localhost:${COFRE_PANEL_PORT}` : undefined
}

/** The console's environments and origins. */
function consoleOf(values: Values, panel: Endpoint, { mode, trial }: Run) {
  const { publicUrl } = panel
  const wanted = values.COFRE_PANEL_ENVIRONMENTS
  const isProductionServed = servesPasskeys(publicUrl)
  return {
    panelEnvironments: wanted.filter((each) => each === 'sandbox' || isProductionServed),
    /** Production was requested, but passkeys would not work on the panel's public URL. */
    lacksPanelUrl: wanted.includes('production') && !isProductionServed,
    /** True if links sign in the demo store's owner: in `dev`, on this machine only. */
    signsDemoOwnerIn:
      mode === 'dev' &&
      trial === undefined &&
      isLocal(panel) &&
      isProductionServed &&
      wanted.includes('production'),
    /** Origin for notifications to the panel's receivers. */
    inboxOrigin:
      values.COFRE_PUBLIC_PANEL_URL ??
      (trial === undefined
        ? localOrigin(values.COFRE_HOST, values.COFRE_PANEL_PORT)
        : trialOrigin(trial, values.COFRE_PANEL_PORT)),
  }
}

function isLocal({ host, publicUrl }: Endpoint): boolean {
  return isLoopback(host) && isLoopback(new URL(publicUrl).hostname)
}

/** True if browsers allow passkeys for an origin: https with a name, or this machine. */
export function servesPasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  const isName = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0
  return isName && (protocol === 'https:' || hostname === 'localhost')
}

function smtpOf({ COFRE_SMTP_URL: url, COFRE_SMTP_FROM: from }: Values, { publicUrl }: Endpoint) {
  return url && { url, from: from ?? `cofre@${new URL(publicUrl).hostname}` }
}

/** Connection between a vault and gateways in other processes. */
function vaultServiceOf(values: Values) {
  const { COFRE_VAULT_SERVICE_URL: url, COFRE_VAULT_SERVICE_KEY: keys } = values
  if (url !== undefined && keys === undefined) {
    const { issues = [] } = VARIABLES.shape.COFRE_VAULT_SERVICE_KEY.safeParse('').error ?? {}
    throw new ConfigError('COFRE_VAULT_SERVICE_KEY', undefined, issues[0]?.message ?? '')
  }
  return {
    /** The vault's address for gateways; undefined if the vault is in this process. */
    url,
    /** Undefined if the vault serves only this process. */
    keys,
    host: values.COFRE_VAULT_SERVICE_HOST ?? values.COFRE_HOST,
    port: values.COFRE_VAULT_SERVICE_PORT,
    portVariable: 'COFRE_VAULT_SERVICE_PORT',
  } as const
}

/** Targets of notifications, besides public addresses on 80 and 443. */
function defaultTargets({ mode, trial }: Run, { host }: Endpoint): readonly TargetAllowance[] {
  if (mode !== 'dev') return []
  const loopback = parseTargetAllowances(LOOPBACK_ANY_PORT)
  if (trial === undefined) return loopback
  // Notifications go to the public host; it leads to the address where COFRE_HOST listens.
  const address = EVERY_ADDRESS.includes(host) ? trial.address : host
  return [...loopback, hostAllowance(trial.host, address)]
}

/** Store of the documentation's examples; undefined unless id and secret are usable. */
function exampleStoreOf({ COFRE_STORE_ID, COFRE_SECRET }: Values) {
  const id = storeId.safeParse(COFRE_STORE_ID)
  if (!id.success || COFRE_SECRET === undefined) return undefined
  return { id: id.data, secret: new Secret(COFRE_SECRET) }
}

function hasDesktop({ DISPLAY, SSH_CONNECTION, WAYLAND_DISPLAY }: Environ): boolean {
  if (SSH_CONNECTION !== undefined) return false
  return process.platform !== 'linux' || (DISPLAY ?? WAYLAND_DISPLAY) !== undefined
}

/** Sandbox of the documentation's examples; null if the value is not an origin. */
function exampleUrlOf({ COFRE_API }: Values): string | null | undefined {
  if (COFRE_API === undefined || COFRE_API === '') return undefined
  return origin.safeParse(COFRE_API).data ?? null
}
