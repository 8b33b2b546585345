import path from 'node:path'
import { BlockList, isIP } from 'node:net'
import {
  DAY_MS,
  ENVIRONMENTS,
  type Environment,
  HOUR_MS,
  MINUTE_MS,
  type MinorUnits,
  SECOND_MS,
  Secret,
  parseAmount,
} from '@cofre/contracts'
import { PUBLIC_URL_LENGTH_MAX } from '@cofre/gateway'
import { type ServiceKeys, parseServiceKeys } from '@cofre/vault/client'
import type { VariableRule } from './variable.js'

const matching = (accepts: string, pattern: RegExp): VariableRule<string> => ({
  accepts,
  read: (text) => (pattern.test(text) ? text : undefined),
})

export const oneOf = <const Values extends readonly string[]>(
  values: Values,
): VariableRule<Values[number]> => ({
  accepts: `one of ${values.join(', ')}`,
  read: (text) => values.find((value) => value === text),
})

export const port: VariableRule<number> = {
  accepts: 'a port number from 1 to 65535',
  read: (text) =>
    /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536 ? Number(text) : undefined,
}

export const host: VariableRule<string> = {
  accepts: 'an IP address or host name to listen on, like 127.0.0.1 or 0.0.0.0',
  read: (text) => (isIP(text) > 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text) ? text : undefined),
}

export const folder: VariableRule<string> = {
  accepts: 'a folder; created when absent',
  read: (text) => path.resolve(text),
}

export const databaseUrl: VariableRule<string> = {
  accepts: 'sqlite:<path of a file> or postgres://user:password@host/database',
  read: (text) => (/^(sqlite:.+|postgres(ql)?:\/\/.+)$/.test(text) ? text : undefined),
  secret: true,
}

export const origin: VariableRule<string> = {
  accepts: 'an origin like https://api.example.com, without a path',
  read: (text) => {
    const url = new URL(text)
    return /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === ''
      ? url.origin
      : undefined
  },
}

/** An origin whose addresses for payers have at most 64 characters (specification, section 2.3). */
export const payerOrigin: VariableRule<string> = {
  accepts: `${origin.accepts}, of at most ${PUBLIC_URL_LENGTH_MAX} characters`,
  read: (text) => {
    const read = origin.read(text)
    return read !== undefined && read.length <= PUBLIC_URL_LENGTH_MAX ? read : undefined
  },
}

export const amount: VariableRule<MinorUnits> = {
  accepts: 'an amount in BRL, like 10000.00',
  read: (text) => parseAmount(text),
}

const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
}

export const duration: VariableRule<number> = {
  accepts: 'a duration from 1s to 24h, like 30s, 10m or 2h; a bare number is seconds',
  read: (text) => readDuration(text, { leastMs: SECOND_MS, mostMs: DAY_MS }),
}

export const delay: VariableRule<number> = {
  accepts: 'a duration from 0 to 10m, like 0, 3s or 1m; a bare number is seconds',
  read: (text) => readDuration(text, { leastMs: 0, mostMs: 10 * MINUTE_MS }),
}

function readDuration(
  text: string,
  { leastMs, mostMs }: { readonly leastMs: number; readonly mostMs: number },
): number | undefined {
  const { count, trx = 's' } = /^(?<count>\d{1,6})(?<trx>[smh])?$/.exec(text)?.groups ?? {}
  const durationMs = Number(count) * (DURATION_UNITS_MS[trx] ?? Number.NaN)
  return durationMs >= leastMs && durationMs <= mostMs ? durationMs : undefined
}

export const boletoDays: VariableRule<number> = {
  accepts: 'days from 1 to 60',
  read: (text) => (/^([1-9]|[1-5]\d|60)$/.test(text) ? Number(text) : undefined),
}

export const vendor = matching(
  'lowercase letters and digits, starting with a letter (it names the library file and its global)',
  /^[a-z][a-z0-9]{0,30}$/,
)

export const mediaVendor = matching(
  'lowercase letters, digits, dots and hyphens, like acme.com',
  /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/,
)

export const storeId = matching('1 to 64 letters, digits, - and _', /^[A-Za-z0-9_-]{1,64}$/)

export const storeSecret: VariableRule<Secret<string>> = {
  accepts: 'at least 16 characters',
  read: (text) => (text.length >= 16 ? new Secret(text) : undefined),
  secret: true,
}

export const serviceKeys: VariableRule<ServiceKeys> = {
  accepts:
    'keys that the vault and its gateways share, as id:key,id:key, each key 32 bytes in base64url; the first one signs',
  read: parseServiceKeys,
  secret: true,
}

export const monthlyRate: VariableRule<number> = {
  accepts: 'interest a month as a fraction from 0 to 1, like 0.0299',
  read: (text) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined),
}

export const interestFree: VariableRule<number> = {
  accepts: 'how many installments are free of interest, from 1 to 12',
  read: (text) => (/^([1-9]|1[0-2])$/.test(text) ? Number(text) : undefined),
}

export const wallets: VariableRule<readonly string[]> = {
  accepts: 'lowercase wallet names separated by commas, like pagseguro,paypal',
  read: (text) => (/^[a-z0-9-]+(,[a-z0-9-]+)*$/.test(text) ? text.split(',') : undefined),
}

export const environments: VariableRule<readonly Environment[]> = {
  accepts: `${ENVIRONMENTS.join(', ')}, or both separated by a comma`,
  read: (text) => {
    const named = text.split(',').map((entry) => entry.trim())
    const known = ENVIRONMENTS.filter((environment) => named.includes(environment))
    return named.length === known.length ? known : undefined
  },
}

export const keyShares: VariableRule<Secret<readonly string[]>> = {
  accepts: 'shares of the current key as cofre keys split printed them, or file:<path> of one each',
  read: (text) => {
    const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
    const areShares = entries.every((entry) => /^(share-[0-9a-f-]+|file:.+)$/i.test(entry))
    return entries.length > 0 && areShares ? new Secret(entries) : undefined
  },
  secret: true,
}

export const perMinute: VariableRule<number> = {
  accepts: 'how many a minute, for each address, up to 1000000; 0 is without limit',
  read: (text) => (/^\d{1,7}$/.test(text) && Number(text) <= 1_000_000 ? Number(text) : undefined),
}

export const atOnce: VariableRule<number> = {
  accepts: 'how many requests at once, from 10 to 100000',
  read: (text) =>
    /^\d{2,6}$/.test(text) && Number(text) >= 10 && Number(text) <= 100_000
      ? Number(text)
      : undefined,
}

export const collectorUrl: VariableRule<string> = {
  accepts: 'the URL of an OpenTelemetry collector for OTLP over HTTP, like http://127.0.0.1:4318',
  read: (text) => (/^https?:$/.test(new URL(text).protocol) ? text : undefined),
  // It may hold credentials.
  secret: true,
}

export const networks: VariableRule<BlockList> = {
  accepts: 'networks or addresses, like 10.0.0.0/8,2001:db8::/32,192.0.2.1',
  read: (text) => {
    const list = new BlockList()
    for (const entry of text.split(',')) {
      const [address = '', prefix, ...rest] = entry.trim().split('/')
      const isV6 = isIP(address) === 6
      if (isIP(address) === 0 || rest.length > 0) return undefined
      if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined
      // Throws on a prefix that is too long.
      list.addSubnet(address, Number(prefix ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4')
    }
    return list
  },
}
