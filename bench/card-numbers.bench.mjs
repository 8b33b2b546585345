// How many identifiers of other kinds are taken for card numbers, of a million each; and how many
// numbers that a store may have as references. Budget for identifiers: one in 100,000.
// Usage: node bench/card-numbers.bench.mjs [how many]
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { holdsCardNumber } from '../packages/contracts/dist/index.js'

const COUNT = Number(process.argv[2] ?? 1_000_000)
const BUDGET = 1 / 100_000

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function drawn(alphabet, length) {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
const digits = (length) => drawn('0123456789', length)
const hex = (bytes) => randomBytes(bytes).toString('hex')
const base64url = (bytes) => randomBytes(bytes).toString('base64url')

/** Within a year: `YYYYMMDDHHmm`. */
function minute() {
  const atMs = Date.UTC(2026, 0) + randomInt(365 * 24 * 60) * 60_000
  return new Date(atMs).toISOString().replaceAll(/\D/g, '').slice(0, 12)
}

function ulid() {
  const atMs = Date.UTC(2026, 0) + randomInt(365 * 24 * 3_600_000)
  const time = Array.from(
    { length: 10 },
    (_, i) => CROCKFORD[Math.floor(atMs / 32 ** (9 - i)) % 32],
  )
  return time.join('') + drawn(CROCKFORD, 16)
}

const IDENTIFIERS = {
  UUID: randomUUID,
  'UUID in capitals': () => randomUUID().toUpperCase(),
  'UUID without hyphens': () => randomUUID().replaceAll('-', ''),
  ULID: ulid,
  'hex, 12 bytes': () => hex(12),
  'hex, 16 bytes': () => hex(16),
  'hex, SHA-1': () => hex(20),
  'hex, SHA-256': () => createHash('sha256').update(randomBytes(8)).digest('hex'),
  'hex, SHA-512': () => hex(64),
  'JWE, compact': () => [32, 64, 12, 160, 16].map((bytes) => base64url(bytes)).join('.'),
  'txid, 26 characters': () => drawn(ALPHANUMERIC, 26),
  'txid, 35 characters': () => drawn(ALPHANUMERIC, 35),
  'end-to-end id': () => `E${digits(8)}${minute()}${drawn(ALPHANUMERIC, 11)}`,
}

const REFERENCES = {
  'reference of 8 to 20 digits': () => digits(8 + randomInt(13)),
  'reference of 13 to 19 digits': () => digits(13 + randomInt(7)),
  'reference of 16 digits': () => digits(16),
}

function share(draw) {
  let taken = 0
  for (let i = 0; i < COUNT; i++) if (holdsCardNumber(draw())) taken++
  return taken
}

let isOver = false
for (const [name, draw] of Object.entries(IDENTIFIERS)) {
  const taken = share(draw)
  isOver ||= taken > COUNT * BUDGET
  console.log(`${name}: ${taken} of ${COUNT.toLocaleString('en')}`)
}
for (const [name, draw] of Object.entries(REFERENCES))
  console.log(`${name}: ${share(draw)} of ${COUNT.toLocaleString('en')}`)
process.exitCode = isOver ? 1 : 0
