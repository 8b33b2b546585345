import { describe, expect, it } from 'vitest'
import {
  acceptsTarget,
  endpointOf,
  hostAllowance,
  parseTargetAllowances,
} from './notification-target.js'

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

  it.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://1%32%37.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://0/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/',
    'https://10.0.0.1/',
    'https://192.168.0.1/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://shop.localhost/',
  ])('refuses %s, which is not public', (url) => {
    expect(acceptsTarget(url, [])).toBe(false)
  })

  it.each([
    'http://8.8.8.8/n',
    'https://[2606:4700::1111]/n',
    'http://notlocalhost/',
    // Checked at the connection, by their resolved addresses.
    'http://intranet/',
    'http://127.0.0.1.nip.example/',
  ])('takes %s', (url) => {
    expect(acceptsTarget(url, [])).toBe(true)
  })

  it.each([
    'ftp://shop.example/',
    'shop.example',
    '',
    'http://',
    'http://[fe80::1%25eth0]/',
    'http://shop..example/',
    'http://.shop.example/',
    'http://shop.example../',
    'http://./',
  ])('refuses "%s", which is no address of a web server', (url) => {
    expect(acceptsTarget(url, [])).toBe(false)
  })

  it.each([
    'https://user@shop.example/',
    'https://:password@shop.example/',
    'https://a:b@8.8.8.8/',
  ])('refuses %s, because nobody is signed in', (url) => {
    expect(acceptsTarget(url, [])).toBe(false)
  })

  it('takes the networks and ports that are allowed besides', () => {
    const allowances = parseTargetAllowances('127.0.0.0/8:*, 10.1.0.0/16:8080, [fd00::/8]:9000')
    const accepts = (url: string): boolean => acceptsTarget(url, allowances)
    expect(accepts('http://localhost:3000/n')).toBe(true)
    expect(accepts('http://shop.localhost:3000/n')).toBe(true)
    expect(accepts('http://127.0.0.1/n')).toBe(true)
    expect(accepts('http://2130706433:3000/n')).toBe(true)
    expect(accepts('http://10.1.2.3:8080/n')).toBe(true)
    expect(accepts('http://[::ffff:10.1.2.3]:8080/n')).toBe(true)
    expect(accepts('http://[fd00::1]:9000/n')).toBe(true)
    expect(accepts('http://10.1.2.3:8081/n')).toBe(false)
    expect(accepts('http://10.2.2.3:8080/n')).toBe(false)
    expect(accepts('http://shop.example:8080/n')).toBe(false)
  })
})

describe('hostAllowance', () => {
  it.each([
    ['Trial.example', '10.1.2.3', 'http://trial.example:8086/n', true],
    ['trial.example', '10.1.2.3', 'http://trial.example.:8086/n', true],
    ['trial.example', '10.1.2.3', 'http://10.1.2.3:8086/n', true],
    ['fd00::1', 'fd00::1', 'http://[fd00::1]:8086/n', true],
    ['trial.example', '10.1.2.3', 'http://shop.trial.example:8086/n', false],
    ['trial.example', '10.1.2.3', 'http://10.1.2.4:8086/n', false],
    ['trial.example', '10.1.2.3', 'http://localhost:8086/n', false],
    ['shop.localhost', '127.0.0.1', 'http://other.localhost:8086/n', true],
  ])('of %s at %s: %s is accepted: %s', (host, address, url, isAccepted) => {
    expect(acceptsTarget(url, [hostAllowance(host, address)])).toBe(isAccepted)
  })
})

describe('endpointOf', () => {
  it.each([
    ['http://shop.example/n', 'shop.example', 80],
    ['https://Shop.Example./n', 'shop.example', 443],
    ['https://shop.example:80', 'shop.example', 80],
    ['http://[::FFFF:127.0.0.1]:8080/', '::ffff:7f00:1', 8080],
    ['http://0x7f.1/', '127.0.0.1', 80],
  ])('reads %s', (url, host, port) => {
    expect(endpointOf(url)).toEqual({ host, port })
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
