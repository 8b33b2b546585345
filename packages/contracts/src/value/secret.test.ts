import { Console } from 'node:console'
import { PassThrough } from 'node:stream'
import { format, inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Secret } from './secret.js'

const PAN = '4111111111111111'
const text = new Secret(PAN)
const card = new Secret({ number: PAN, cvv: '737' })

function logged(...values: unknown[]): string {
  const stdout = new PassThrough()
  new Console({ stdout }).log(...values)
  return String(stdout.read())
}

/** Every way in which a log, an error or a debugger might print. */
const PRINTERS: readonly [string, (secret: Secret<unknown>) => unknown][] = [
  ['String', (secret) => String(secret)],
  // oxlint-disable-next-line typescript/restrict-template-expressions -- the promise
  ['a template', (secret) => `card ${secret}`],
  ['a sum of texts', (secret) => ['card', secret].join(' ')],
  ['JSON.stringify', (secret) => JSON.stringify({ nested: [secret] }, null, 2)],
  ['toLocaleString', (secret) => [secret].toLocaleString()],
  ['inspect', (secret) => inspect(secret)],
  [
    'inspect of everything hidden',
    (secret) => inspect({ secret }, { showHidden: true, depth: Infinity, getters: true }),
  ],
  ['inspect without its hook', (secret) => inspect(secret, { customInspect: false })],
  ['format %s', (secret) => format('%s %o %O %j %d', secret, secret, secret, secret, secret)],
  ['console', (secret) => logged(secret, { secret }, [secret], new Map([['secret', secret]]))],
  ['console %s', (secret) => logged('%s %o %O %j', secret, secret, secret, secret)],
  ['an error', (secret) => inspect(new Error('failed', { cause: { secret } }))],
  ['its own keys', (secret) => Reflect.ownKeys(secret)],
  ['its entries', (secret) => Object.entries(secret)],
  ['its copy', (secret) => Object.assign({}, secret)],
  ['its clone', (secret) => structuredClone(secret)],
]

describe('Secret', () => {
  it.each(PRINTERS)('never prints itself through %s', (_, print) => {
    for (const secret of [text, card]) {
      const printed = inspect(print(secret), { depth: Infinity, showHidden: true })
      expect(printed).not.toContain(PAN)
      expect(printed).not.toContain('737')
    }
  })

  it('prints [secret]', () => {
    expect(`${text.toString()} ${JSON.stringify(text)} ${inspect(text)}`).toBe(
      '[secret] "[secret]" [secret]',
    )
  })

  it('returns its value from reveal', () => {
    expect(text.reveal()).toBe(PAN)
    expect(card.reveal()).toEqual({ number: PAN, cvv: '737' })
  })
})
