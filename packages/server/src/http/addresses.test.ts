import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  createClientAddress,
  createHostCheck,
  createPermittedAddress,
  originsOf,
} from './addresses.js'

const trusted = new BlockList()
trusted.addSubnet('10.0.0.0', 8, 'ipv4')
trusted.addAddress('2001:db8::1', 'ipv6')

const warnings: unknown[] = []
const log = {
  info: () => undefined,
  warn: (fields: unknown) => warnings.push(fields),
  error: () => undefined,
}

function reader(create = createClientAddress) {
  const addressOf = create(trusted, log)
  return (peer: string, forwarded?: string): string =>
    addressOf(
      new Request('http://vault/', {
        headers: forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded },
      }),
      { incoming: { socket: { remoteAddress: peer } } },
    )
}

describe('The address of a client', () => {
  it.each([
    ['a connection of its own', '203.0.113.9', undefined, '203.0.113.9'],
    ['what a stranger claims', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a proxy of ours', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a proxy on IPv6', '2001:db8::1', '203.0.113.9', '203.0.113.9'],
    ['an IPv4 proxy on an IPv6 socket', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['two proxies of ours', '10.0.0.1', '203.0.113.9, 10.2.3.4', '203.0.113.9'],
    ['what a client claims to a proxy', '10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['a proxy that says nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy that says nonsense', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['a proxy that adds a port', '10.0.0.1', '203.0.113.9:51234', '203.0.113.9'],
    ['a proxy that adds a port to IPv6', '10.0.0.1', '[2001:db8::9]:443', '2001:db8::9'],
    ['a proxy that writes IPv6 in brackets', '10.0.0.1', '[2001:db8::9]', '2001:db8::9'],
    ['a proxy that adds a port to another', '10.0.0.1', '203.0.113.9, 10.0.0.2:80', '203.0.113.9'],
    ['proxies alone', '10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['no connection', '', '203.0.113.9', ''],
  ])('is read from %s', (_, peer, forwarded, address) => {
    expect(reader()(peer, forwarded)).toBe(address)
  })

  it('warns once of an unknown proxy, because all its clients share its address', () => {
    warnings.splice(0)
    const read = reader()
    read('203.0.113.9')
    read('10.0.0.1', '203.0.113.9')
    expect(warnings).toEqual([])
    read('192.168.0.1', '203.0.113.9')
    read('192.168.0.1', '203.0.113.10')
    expect(warnings).toEqual([{ peer: '192.168.0.1' }])
  })
})

describe('The address that permissions go by', () => {
  it.each([
    ['a connection of its own', '203.0.113.9', undefined, '203.0.113.9'],
    ['a proxy of ours', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a proxy that nobody named', '192.168.0.1', '203.0.113.9', '192.168.0.1 (proxy)'],
    ['a proxy that says nothing', '10.0.0.1', undefined, '10.0.0.1 (proxy)'],
    ['a proxy that says nonsense', '10.0.0.1', 'unknown', '10.0.0.1 (proxy)'],
    ['proxies alone', '10.0.0.1', '10.0.0.2', '10.0.0.2 (proxy)'],
  ])('is read from %s', (_, peer, forwarded, address) => {
    expect(reader(createPermittedAddress)(peer, forwarded)).toBe(address)
  })
})

const PUBLIC_URL = 'https://api.example'

describe('originsOf', () => {
  const local = ['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost:8080']
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080', local],
    ['127.0.0.1', 'https://API.shop.example:443', ['https://api.shop.example', ...local]],
    [
      '0.0.0.0',
      'https://api.shop.example',
      ['https://api.shop.example', 'http://0.0.0.0:8080', ...local],
    ],
    ['::', 'http://[::]:8080', ['http://[::]:8080', ...local]],
  ])('of a port on %s that others reach at %s', (host, publicUrl, origins) => {
    const place = { host, hostNamedBy: 'COFRE_HOST', port: 8080, publicUrl } as const
    const endpoint = { ...place, portVariable: 'COFRE_API_PORT' } as const
    expect(originsOf(endpoint)).toEqual(origins)
  })
})

describe('createHostCheck', () => {
  it.each([
    'localhost',
    'LOCALHOST:8080',
    'shop.localhost:8084',
    'localhost.',
    '127.0.0.1:8080',
    '127.4.5.6',
    '[::1]:8080',
    '[::1]',
    'api.example',
    'api.example:443',
  ])('accepts %s on loopback', (host) => {
    expect(createHostCheck('127.0.0.1', PUBLIC_URL)(host)).toBe(true)
    expect(createHostCheck('::1', PUBLIC_URL)(host)).toBe(true)
  })

  it.each([
    '',
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'api.example.evil.example',
    'evillocalhost',
    '192.168.0.2:8080',
    '0.0.0.0:8080',
    '[::2]:8080',
    '2130706433',
    'localhost:8080@evil.example',
  ])('refuses %s on loopback', (host) => {
    expect(createHostCheck('127.0.0.1', PUBLIC_URL)(host)).toBe(false)
    expect(createHostCheck('127.0.0.1', '')(host)).toBe(false)
  })

  it.each(['0.0.0.0', '::', '192.168.0.2'])('accepts any host on %s', (address) => {
    expect(createHostCheck(address, PUBLIC_URL)('evil.example')).toBe(true)
  })
})
