import { expect, it } from 'vitest'
import { readRequestFilter } from './request-filter.js'

it.each([
  [{}, {}, []],
  [{ path: ' /card ', status: '', error: ' ' }, { path: '/card' }, []],
  [{ status: 'failed' }, { status: { from: 400, to: 599 } }, []],
  [{ status: '5xx', error: '10003' }, { status: { from: 500, to: 599 }, error: 10_003 }, []],
  [{ status: '600', error: 'x' }, {}, ['status', 'error']],
  [{ status: '4', error: '1' }, {}, ['status', 'error']],
])('reads the filter %j as %j', (text, filter, wrong) => {
  expect(readRequestFilter(text)).toEqual({ filter, wrong })
})
