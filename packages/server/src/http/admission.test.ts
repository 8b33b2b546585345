import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { RequestBound } from './admission.js'

const LONGEST = String(256 * 1024)
const ROOM = 256

/** A request whose body has not arrived. */
function arriving(headers: IncomingMessage['headers']): IncomingMessage {
  return Object.assign(new PassThrough(), {
    headers,
    complete: false,
  }) as unknown as IncomingMessage
}

function fill(bound: RequestBound, headers: IncomingMessage['headers']) {
  return Array.from({ length: ROOM }, () => {
    const incoming = arriving(headers)
    return { incoming, leave: bound.enter(incoming) }
  })
}

describe('bodies that are still arriving', () => {
  it.each([
    ['declare their length', { 'content-length': LONGEST }],
    ['declare more than any may have', { 'content-length': '9'.repeat(15) }],
    ['hide their length', { 'transfer-encoding': 'chunked' }],
  ])('take no more than 64 MiB where they %s', (_, headers) => {
    const bound = new RequestBound(10)
    const taken = fill(bound, headers)
    expect(taken.every(({ leave }) => leave !== undefined)).toBe(true)
    expect(bound.enter(arriving(headers))).toBeUndefined()
    expect(bound.enter(arriving({ 'content-length': '2000' }))).toBeDefined()
    expect(bound.enter(undefined)).toBeDefined()
  })

  it('give their room back once, when they have arrived or their request is over', () => {
    const bound = new RequestBound(10)
    const headers = { 'content-length': LONGEST }
    const [first, second] = fill(bound, headers)
    first?.leave?.()
    first?.leave?.()
    second?.incoming.emit('end')
    second?.leave?.()
    expect(bound.enter(arriving(headers))).toBeDefined()
    expect(bound.enter(arriving(headers))).toBeDefined()
    expect(bound.enter(arriving(headers))).toBeUndefined()
    expect(bound.underWay).toBe(0)
  })
})
