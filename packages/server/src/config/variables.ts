// Every environment variable: its name, accepted values and default. docs/configuration.md explains
// them.
import { BlockList, isIP } from 'node:net'
import path from 'node:path'
import {
  DAY_MS,
  ENVIRONMENTS,
  HOUR_MS,
  MINUTE_MS,
  type MinorUnits,
  SECOND_MS,
  DEFAULT_PURCHASE_LIMIT,
  Secret,
  parseAmount,
} from '@cofre/contracts'
import { PUBLIC_URL_LENGTH_MAX } from '@cofre/gateway'
import { parseTargetAllowances } from '@cofre/notifications'
import { postgresServers } from '@cofre/sql'
import { parseKeyRing } from '@cofre/vault'
import { parseServiceKeys } from '@cofre/vault/client'
import { z } from 'zod'

/** A variable that `read` parses. `read` returns undefined or throws for an invalid value. */
function variable<T>(accepts: string, read: (text: string) => T | undefined): z.ZodType<T, string> {
  return z.string().transform((text, context) => {
    try {
      const value = read(text)
      if (value !== undefined) return value
    } catch {
      // The accepted values explain more than the parser's error.
    }
    context.addIssue({ code: 'custom', message: accepts })
    return z.NEVER
  })
}

const whole = (accepts: string, least: number, most: number) =>
  variable(accepts, (text) =>
    /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : undefined,
  )

const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
}

/** Milliseconds of a time like `90`, `10m`, `24h` or `8d`; a bare number is seconds. */
export function readTimeSpan(text: string): number | undefined {
  const { count, unit = 's' } = /^(?<count>\d{1,8})(?<unit>[smhd])?$/.exec(text)?.groups ?? {}
  const spanMs = Number(count) * (UNITS_MS[unit] ?? Number.NaN)
  return Number.isNaN(spanMs) ? undefined : spanMs
}

const duration = (accepts: string, leastMs: number, mostMs: number) =>
  variable(`${accepts}; a bare number is seconds`, (text) => {
    const durationMs = readTimeSpan(text)
    const isWithin = durationMs !== undefined && durationMs >= leastMs && durationMs <= mostMs
    return isWithin ? durationMs : undefined
  })
const pause = duration('a duration from 1s to 24h, like 30s, 10m or 2h', SECOND_MS, DAY_MS)

const ORIGIN = 'an origin like https://api.example.com, without a path'
const originOf = (text: string): string | undefined => {
  const { protocol, pathname, search, origin: read } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' ? read : undefined
}
export const origin = variable(ORIGIN, originOf)

/** Banks call only https. */
const bankOrigin = variable(
  'an https origin like https://pix.example.com, without a path',
  (text) => {
    const read = originOf(text)
    return read?.startsWith('https:') === true ? read : undefined
  },
)

/** An origin whose addresses for payers have at most 64 characters (specification, section 2.3). */
const payerOrigin = variable(
  `${ORIGIN}, of at most ${PUBLIC_URL_LENGTH_MAX} characters`,
  (text) => {
    const read = originOf(text)
    return read !== undefined && read.length <= PUBLIC_URL_LENGTH_MAX ? read : undefined
  },
)

/** Address of a mail server. Passwords and links use TLS, except on this machine. */
function readSmtpUrl(text: string): Secret<string> | undefined {
  const { protocol, hostname } = new URL(text)
  return /^smtps?:$/.test(protocol) && hostname !== '' ? new Secret(text) : undefined
}

export const storeId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, - and _')

const host = variable(
  'an IP address or host name to listen on, like 127.0.0.1 or 0.0.0.0',
  (text) => (isIP(text) > 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text) ? text : undefined),
)
const port = whole('a port number from 1 to 65535', 1, 65_535)
const perMinute = (whose: string) =>
  whole(`how many a minute, for each ${whose}, up to 1000000; 0 is without limit`, 0, 1_000_000)

const databaseUrl = z
  .string()
  .regex(
    /^(sqlite:.+|postgres(ql)?:\/\/.+)$/,
    'sqlite:<path of a file> or postgres://user:password@host/database',
  )
  .superRefine((url, context) => {
    if (url.startsWith('sqlite:')) return
    try {
      postgresServers(url)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as RangeError).message })
    }
  })

const KEYS = 'id:key,id:key, each key 32 bytes in base64url; the first one'

const keyShares = variable(
  'shares of the current key as cofre keys split printed them, or file:<path> of one each',
  (text) => {
    const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
    const areShares = entries.every((entry) => /^(share-[0-9a-f-]+|file:.+)$/i.test(entry))
    return entries.length > 0 && areShares ? new Secret(entries) : undefined
  },
)

const networks = variable(
  'networks or addresses, like 10.0.0.0/8,2001:db8::/32,192.0.2.1',
  (text) => networkList(text.split(',')),
)

/** Undefined if one is no network. @throws RangeError for a prefix that is too long */
export function networkList(entries: readonly string[]): BlockList | undefined {
  const list = new BlockList()
  for (const entry of entries) {
    const { address = '', prefix } =
      /^(?<address>[^/]+)(\/(?<prefix>\d{1,3}))?$/.exec(entry.trim())?.groups ?? {}
    const family = isIP(address)
    if (family === 0) return undefined
    const isV6 = family === 6
    list.addSubnet(address, Number(prefix ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4')
  }
  return list
}

const environments = variable(
  `${ENVIRONMENTS.join(', ')}, or both separated by a comma`,
  (text) => {
    const named = text.split(',').map((entry) => entry.trim())
    const known = ENVIRONMENTS.filter((environment) => named.includes(environment))
    return named.length === known.length ? known : undefined
  },
)

// A shop's server is one address, and a flash sale sends hundreds of requests a second.
const REQUESTS_PER_MINUTE = 30_000
// One address may be a whole mobile network, and every page load opens a session.
const SESSIONS_PER_MINUTE = 1200

export const VARIABLES = z.object({
  COFRE_HOST: host.default('127.0.0.1'),
  COFRE_API_PORT: port.default(8080),
  COFRE_SANDBOX_PORT: port.default(8081),
  COFRE_VAULT_PORT: port.default(8082),
  COFRE_PANEL_PORT: port.default(8083),
  COFRE_DEMO_PORT: port.default(8084),
  // Undefined means 8085, and then only the role metrics listens there.
  COFRE_METRICS_PORT: port.optional(),
  COFRE_VAULT_SERVICE_PORT: port.default(8086),
  COFRE_NOTICES_PORT: port.default(8087),
  COFRE_SIMULATOR_PORT: port.default(8088),
  COFRE_DEMO_PRODUCTION_PORT: port.default(8089),
  COFRE_ADYEN_PORT: port.default(8090),
  COFRE_CIELO_PORT: port.default(8091),
  COFRE_INTER_PORT: port.default(8092),
  COFRE_OPERATOR_PORT: port.default(8093),
  COFRE_PUBLIC_API_URL: payerOrigin.optional(),
  COFRE_PUBLIC_SANDBOX_URL: payerOrigin.optional(),
  COFRE_PUBLIC_VAULT_URL: origin.optional(),
  COFRE_PUBLIC_PANEL_URL: origin.optional(),
  COFRE_PUBLIC_NOTICES_URL: bankOrigin.optional(),
  COFRE_PUBLIC_OPERATOR_URL: origin.optional(),
  COFRE_METRICS_HOST: host.optional(),
  COFRE_VAULT_SERVICE_HOST: host.optional(),
  COFRE_NOTICES_HOST: host.optional(),
  COFRE_OPERATOR_HOST: host.optional(),
  COFRE_DATA_DIR: variable('a folder; created when absent', (text) => path.resolve(text)).default(
    () => path.resolve('.cofre'),
  ),
  COFRE_DATABASE_URL: databaseUrl.optional(),
  COFRE_VAULT_DATABASE_URL: databaseUrl.optional(),
  COFRE_VAULT_KEYS: variable(`key-encryption keys as ${KEYS} is current`, parseKeyRing).optional(),
  COFRE_VAULT_KEY_SHARES: keyShares.optional(),
  COFRE_VAULT_SERVICE_URL: origin.optional(),
  COFRE_VAULT_SERVICE_KEY: variable(
    `keys that the vault and its gateways share, as ${KEYS} signs`,
    parseServiceKeys,
  ).optional(),
  COFRE_GATEWAY_KEY: variable(
    `keys that wrap the secrets of stores, as ${KEYS} is current`,
    parseKeyRing,
  ).optional(),
  COFRE_WORKER_ENVIRONMENTS: environments.default([...ENVIRONMENTS]),
  COFRE_PANEL_ENVIRONMENTS: environments.default([...ENVIRONMENTS]),
  COFRE_SMTP_URL: variable(
    'smtps://user:password@host, smtp://user:password@host:587 (TLS is demanded), or smtp://127.0.0.1:25 on this machine',
    readSmtpUrl,
  ).optional(),
  COFRE_SMTP_FROM: z.email('an e-mail address, like console@example.com').optional(),
  COFRE_REQUESTS_PER_MINUTE: perMinute('address').default(REQUESTS_PER_MINUTE),
  COFRE_STORE_REQUESTS_PER_MINUTE: perMinute('store').default(REQUESTS_PER_MINUTE),
  // Far more than a database handles in the seconds that a shop waits.
  COFRE_REQUESTS_AT_ONCE: whole(
    'how many requests at once, from 10 to 100000',
    10,
    100_000,
  ).default(1000),
  COFRE_SESSIONS_PER_MINUTE: perMinute('address').default(SESSIONS_PER_MINUTE),
  COFRE_DEPOSITS_PER_MINUTE: perMinute('address').default(600),
  COFRE_DRAIN: pause.default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    'the URL of an OpenTelemetry collector for OTLP over HTTP, like http://127.0.0.1:4318',
    (text) => (/^https?:$/.test(new URL(text).protocol) ? text : undefined),
  ).optional(),
  COFRE_CONSOLE_NETWORKS: networks.default(() => new BlockList()),
  COFRE_TRUSTED_PROXIES: networks.default(() => new BlockList()),
  COFRE_VENDOR: z
    .string()
    .regex(
      /^[a-z][a-z0-9]{0,30}$/,
      'lowercase letters and digits, starting with a letter (it names the library file and its global)',
    )
    .default('cofre'),
  COFRE_MEDIA_VENDOR: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/,
      'lowercase letters, digits, dots and hyphens, like acme.com',
    )
    .optional(),
  COFRE_SIGNATURE_DIGEST: z.enum(['any', 'spec'], 'one of any, spec').default('any'),
  COFRE_DEV_STORE_ID: storeId.optional(),
  COFRE_DEV_STORE_SECRET: z
    .string()
    .min(16, 'at least 16 characters')
    .transform((text) => new Secret(text))
    .optional(),
  COFRE_NOTIFY_ALLOW: variable(
    'networks and ports, like 10.0.0.0/8:8080,127.0.0.0/8:*',
    parseTargetAllowances,
  ).optional(),
  COFRE_NOTIFY_INTERVAL: pause.default(10 * MINUTE_MS),
  COFRE_NOTIFY_DELAY: duration(
    'a duration from 0 to 10m, like 0, 3s or 1m',
    0,
    10 * MINUTE_MS,
  ).default(3 * SECOND_MS),
  COFRE_PURCHASE_LIMIT: variable<MinorUnits>(
    'an amount in BRL, like 10000.00',
    parseAmount,
  ).default(DEFAULT_PURCHASE_LIMIT),
  COFRE_BOLETO_DAYS: whole('days from 1 to 60', 1, 60).default(3),
  COFRE_BOLETO_FOLDER: variable('a folder; created when absent', (text) =>
    path.resolve(text),
  ).optional(),
  COFRE_COUNTRIES: variable('a CSV file of networks and their countries', (text) =>
    path.resolve(text),
  ).optional(),
  COFRE_INSTALLMENT_RATE: variable(
    'interest a month as a fraction from 0 to 1, like 0.0299',
    (text) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined),
  ).default(0.0299),
  COFRE_INTEREST_FREE: whole(
    'how many installments are free of interest, from 1 to 12',
    1,
    12,
  ).default(1),
  COFRE_WALLETS: z
    .string()
    .regex(
      /^[a-z0-9-]+(,[a-z0-9-]+)*$/,
      'lowercase wallet names separated by commas, like pagseguro,paypal',
    )
    .transform((text) => text.split(','))
    .default(['pagseguro', 'paypal']),
  // For the documentation's examples: an invalid value stops no command.
  COFRE_API: z.string().optional(),
  COFRE_STORE_ID: z.string().optional(),
  COFRE_SECRET: z.string().optional(),
})

export type VariableName = keyof (typeof VARIABLES)['shape']

/** Variables whose value may be in a file. No error shows the value. */
export const SECRETS: readonly VariableName[] = [
  'COFRE_VAULT_KEYS',
  'COFRE_VAULT_KEY_SHARES',
  'COFRE_VAULT_SERVICE_KEY',
  'COFRE_GATEWAY_KEY',
  'COFRE_DATABASE_URL',
  'COFRE_VAULT_DATABASE_URL',
  'COFRE_DEV_STORE_SECRET',
  'COFRE_SMTP_URL',
]
/** The collector's URL may also hold credentials. */
export const NEVER_SHOWN: readonly VariableName[] = [...SECRETS, 'OTEL_EXPORTER_OTLP_ENDPOINT']
