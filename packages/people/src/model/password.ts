import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@cofre/contracts'

/** The cost of one guess for an attacker who has the hash. */
export interface PasswordCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** 32 MiB, and some tenths of a second. */
const PASSWORD_COST: PasswordCost = { log2N: 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const AT_ONCE_MAX = 2
const WAITING_MAX = 10
const PER_ADDRESS_MAX = 2
const LENGTH_MIN = 12
const LENGTH_MAX = 128

/** True if the password meets PCI DSS 8.3.6, and is not the e-mail. */
export function isStrongPassword(password: Secret<string>, email: string): boolean {
  const text = password.reveal().normalize('NFC')
  const length = Array.from(text).length
  const hasBoth = /\p{L}/u.test(text) && /\d/.test(text)
  return length >= LENGTH_MIN && length <= LENGTH_MAX && hasBoth && text.toLowerCase() !== email
}

/** The kinds of callers that try a password: each has its own places, and known ones go first. */
export type Trier = 'known' | 'stranger'

/** Hashes passwords, a few at once, since each takes memory and a core. */
export interface Passwords {
  /**
   * Admits one try of a password. Undefined while too many of its kind, or of the same network or
   * browser, are in progress. The caller must give the place back.
   */
  readonly enter: (from: string, trier?: Trier) => { leave(): void } | undefined
  /** For a person who has presented a session or a link. */
  hash(password: Secret<string>): Promise<string>
  /** Compares with a dummy hash if there is none, which takes as long. */
  matches(password: Secret<string>, hash: string | undefined, trier?: Trier): Promise<boolean>
}

export function createPasswords(cost: PasswordCost = PASSWORD_COST): Passwords {
  const inTurn = turns(AT_ONCE_MAX)
  const { log2N, r, p } = cost
  const derive = (password: Secret<string>, salt: Buffer, { by, trier }: Derivation) =>
    inTurn(trier, () => derivedKey(password.reveal().normalize('NFC'), salt, by))
  const hash = async (password: Secret<string>): Promise<string> => {
    const salt = randomBytes(SALT_BYTES)
    const key = await derive(password, salt, { by: cost, trier: 'known' })
    return ['scrypt', log2N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
  }
  const unknownHash = ['', log2N, r, p, zeros(SALT_BYTES), zeros(HASH_BYTES)].join('$')
  const enter = { known: createHashQueue(), stranger: createHashQueue() }
  return {
    enter: (from, trier = 'stranger') => enter[trier](from),
    hash,
    async matches(password, kept, trier = 'stranger') {
      const [, ...parts] = (kept ?? unknownHash).split('$')
      const [by, salt = '', key = ''] = [costOf(parts), ...parts.slice(3)]
      const derived = await derive(password, Buffer.from(salt, 'base64url'), { by, trier })
      const isSame = timingSafeEqual(derived, Buffer.from(key, 'base64url'))
      return isSame && kept !== undefined
    },
  }
}

interface Derivation {
  readonly by: PasswordCost
  readonly trier: Trier
}

function costOf([log2N, r, p]: readonly string[]): PasswordCost {
  return { log2N: Number(log2N), r: Number(r), p: Number(p) }
}

function zeros(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64url')
}

function derivedKey(password: string, salt: Buffer, { log2N, r, p }: PasswordCost) {
  const cost = 2 ** log2N
  // Twice the required memory: otherwise Node refuses more than 32 MiB.
  const options = { cost, blockSize: r, parallelization: p, maxmem: 2 * 128 * r * (cost + p) }
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/** Limits concurrent work; the rest waits in order, strangers behind all known callers. */
function turns(atOnce: number): <T>(trier: Trier, work: () => Promise<T>) => Promise<T> {
  let free = atOnce
  const waiting: Record<Trier, (() => void)[]> = { known: [], stranger: [] }
  return async (trier, work) => {
    if (free > 0) free -= 1
    else
      await new Promise<void>((resolve) => {
        waiting[trier].push(resolve)
      })
    try {
      return await work()
    } finally {
      const next = waiting.known.shift() ?? waiting.stranger.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

function createHashQueue(): (from: string) => { leave(): void } | undefined {
  const taken = new Map<symbol, string>()
  return (from) => {
    const alike = [...taken.values()].filter((one) => one === from).length
    if (taken.size >= AT_ONCE_MAX + WAITING_MAX || alike >= PER_ADDRESS_MAX) return undefined
    const place = Symbol('place')
    taken.set(place, from)
    return {
      leave() {
        taken.delete(place)
      },
    }
  }
}
