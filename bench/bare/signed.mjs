// The check of a request's signature, which no route of a shop can do without.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const SECRET = 'a secret key for the benchmarks'

/** @param body - Bytes; none for a request without a body. */
export function isSigned(target, body, authorization = '') {
  const digest =
    body.length === 0
      ? ''
      : Buffer.from(createHash('md5').update(body).digest('hex')).toString('base64')
  const expected = createHmac('sha256', SECRET).update(`${target}${digest}`).digest()
  const given = Buffer.from(authorization.slice(authorization.indexOf(':') + 1), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
