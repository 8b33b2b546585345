import { type KeyObject, createSecretKey } from 'node:crypto'

const KEY_BYTES = 32

/** A key that a gateway and its vault share. It signs; it encrypts nothing. */
export interface ServiceKey {
  readonly id: string
  readonly key: KeyObject
}

/**
 * Each side signs with the first key and accepts all, so that a key can be changed without a pause.
 */
export interface ServiceKeys {
  readonly current: ServiceKey
  readonly all: ReadonlyMap<string, ServiceKey>
}

/** A list of service keys is wrong. The message never holds a part of a key. */
export class ServiceKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ServiceKeyError'
  }
}

/**
 * Reads `id:key,id:key`, the current key first; a key is 32 bytes in base64url without padding.
 * @throws ServiceKeyError
 */
export function parseServiceKeys(text: string): ServiceKeys {
  const keys = text.split(',').map((entry) => parseServiceKey(entry.trim()))
  const all = new Map(keys.map((key) => [key.id, key]))
  if (all.size < keys.length) throw new ServiceKeyError('two service keys have the same id')
  const [current] = keys
  if (current === undefined) throw new ServiceKeyError('there is no service key')
  return { current, all }
}

function parseServiceKey(entry: string): ServiceKey {
  const { id, text } = /^(?<id>[A-Za-z0-9_-]{1,32}):(?<text>[\w-]+)$/.exec(entry)?.groups ?? {}
  if (id === undefined || text === undefined)
    throw new ServiceKeyError('a service key is not of the form id:key')
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== KEY_BYTES || bytes.toString('base64url') !== text)
    throw new ServiceKeyError(`the service key ${id} is not 32 bytes in base64url`)
  return { id, key: createSecretKey(bytes) }
}
