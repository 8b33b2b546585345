import { expect, it } from 'vitest'
import { originForm } from './request-target.js'

it.each([
  ['/transactions?reference=a%20b', '/transactions?reference=a%20b'],
  ['http://api.loja.example/transactions?a=%2F//', '/transactions?a=%2F//'],
  ['https://api.loja.example:8443/transactions/1', '/transactions/1'],
  ['HTTP://127.0.0.1:8080/a', '/a'],
  ['http://[::1]:8080/a', '/a'],
  ['http://api.loja.example', '/'],
  ['http://api.loja.example?a=1', '/?a=1'],
  ['/http://api.loja.example/a', '/http://api.loja.example/a'],
  ['*', '*'],
  ['', ''],
])('the target %j is %j', (target, form) => {
  expect(originForm(target)).toBe(form)
})
