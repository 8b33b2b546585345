// The bare limits: Hono doing only what a route cannot do without. Run as `peer-server.mjs <kind>
// <port>`.
import { createHash, createHmac, generateKeyPair, timingSafeEqual } from 'node:crypto'
import process from 'node:process'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const SECRET = 'a secret key for the benchmarks'
const [kind, port] = process.argv.slice(2)

function isSigned(target, body, authorization) {
  const digest =
    body.length === 0
      ? ''
      : Buffer.from(createHash('md5').update(body).digest('hex')).toString('base64')
  const expected = createHmac('sha256', SECRET).update(`${target}${digest}`).digest()
  const given = Buffer.from(authorization.slice(authorization.indexOf(':') + 1), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The shape of a payment's body. */
async function transactionSchema() {
  const { z } = await import('zod')
  return z.object({
    transaction: z.object({
      reference: z.string().max(64),
      country: z.literal('BR'),
      currency: z.literal('BRL'),
      'checkout-type': z.literal('direct'),
      'notification-url': z.string().max(200),
      language: z.string(),
    }),
    charge: z
      .array(
        z.object({
          amount: z.number(),
          'payment-method': z.object({ type: z.string() }),
          'payment-info': z.object({ installments: z.number(), token: z.string() }),
        }),
      )
      .length(1),
    payer: z.object({
      name: z.string(),
      email: z.string(),
      'birth-date': z.string(),
      'phone-number': z.string(),
      document: z.object({ type: z.string(), number: z.string() }),
      address: z.record(z.string(), z.string()),
    }),
    cart: z.array(
      z.object({
        quantity: z.number(),
        description: z.string(),
        'unit-price': z.number(),
        type: z.string(),
      }),
    ),
  })
}

/** Each makes a route, and loads no more than the route needs. */
const KINDS = {
  /** Reads the body, checks the signature and the shape, answers the body's own transaction. */
  async 'signed-body'() {
    const schema = await transactionSchema()
    return async (context) => {
      const body = Buffer.from(await context.req.arrayBuffer())
      if (!isSigned('/transactions', body, context.req.header('authorization') ?? '')) {
        return context.json({}, 401)
      }
      const { transaction } = schema.parse(JSON.parse(body.toString()))
      return context.json({ transaction }, 201)
    }
  },
  /** Checks the signature of a request without a body. */
  'signed-get': () => (context) => {
    const { pathname } = new URL(context.req.url)
    const signed = isSigned(pathname, Buffer.alloc(0), context.req.header('authorization') ?? '')
    return context.json({ pathname }, signed ? 200 : 401)
  },
  /** Generates one P-256 key pair. */
  'key-pair': () => {
    const generate = promisify(generateKeyPair)
    const options = {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    }
    return async (context) => {
      const { publicKey } = await generate('ec', options)
      return context.json({ key: publicKey.toString('base64url') }, 201)
    }
  },
  /** Decrypts one token with jose; the public key is what a GET answers. */
  async 'jwe-decrypt'() {
    const jose = await import('jose')
    const keys = await jose.generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
    const publicKey = await jose.exportJWK(keys.publicKey)
    return async (context) => {
      if (context.req.method === 'GET') return context.json(publicKey)
      const { plaintext } = await jose.compactDecrypt(await context.req.text(), keys.privateKey)
      return context.json({ bytes: plaintext.length }, 201)
    }
  },
  /** A shop that acknowledges every notification; how many is what a GET answers. */
  receiver: () => {
    let received = 0
    return async (context) => {
      if (context.req.method === 'GET') return context.json({ received })
      await context.req.arrayBuffer()
      received += 1
      return context.json({})
    }
  },
  echo: () => async (context) => context.json(JSON.parse(await context.req.text()), 201),
}

const makeRoute = KINDS[kind]
if (makeRoute === undefined) throw new Error(`unknown kind: ${kind}`)
const app = new Hono()
app.all('/*', await makeRoute())
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => {
  process.stdout.write('ready\n')
})
process.once('SIGTERM', () => process.exit())
