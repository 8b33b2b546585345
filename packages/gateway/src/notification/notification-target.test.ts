import { describe, expect, it } from 'vitest'
import { acceptsTarget, parseTargetAllowances } from './notification-target.js'

describe('acceptsTarget', () => {
  it.each([
    'https://shop.example/n',
    'http://shop.example',
    'http://shop.example:443/n',
    'https://shop.example:80/',
  ])('takes %s', (url) => {
    expect(acceptsTarget(url, [])).toBe(true)
  })

  it.each(['https://shop.example:8443/n', 'http://127.0.0.1:8084/n', 'http://localhost:3000'])(
    'refuses the port of %s',
    (url) => {
      expect(acceptsTarget(url, [])).toBe(false)
    },
  )

  it('takes the networks and ports that are allowed besides', () => {
    const allowances = parseTargetAllowances('127.0.0.0/8:*, 10.1.0.0/16:8080, [fd00::/8]:9000')
    const accepts = (url: string): boolean => acceptsTarget(url, allowances)
    expect(accepts('http://localhost:3000/n')).toBe(true)
    expect(accepts('http://10.1.2.3:8080/n')).toBe(true)
    expect(accepts('http://[fd00::1]:9000/n')).toBe(true)
    expect(accepts('http://10.1.2.3:8081/n')).toBe(false)
    expect(accepts('http://10.2.2.3:8080/n')).toBe(false)
    expect(accepts('http://shop.example:8080/n')).toBe(false)
  })
})

describe('parseTargetAllowances', () => {
  it.each([
    '10.0.0.0',
    '10.0.0.0/8',
    '10.0.0.0/33:80',
    'shop.example/8:80',
    '10.0.0.0/8:0',
    '10.0.0.0/8:70000',
    'x',
  ])('names the entry %s that it cannot read', (entry) => {
    expect(() => parseTargetAllowances(`127.0.0.0/8:*,${entry}`)).toThrow(entry)
  })

  it('reads an empty list', () => {
    expect(parseTargetAllowances(' , ')).toEqual([])
  })
})
