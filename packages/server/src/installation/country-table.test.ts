import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../config/errors.js'
import { readCountries } from './country-table.js'

const folder = mkdtempSync(path.join(tmpdir(), 'cofre-countries-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function tableOf(text: string) {
  const file = path.join(folder, 'countries.csv')
  writeFileSync(file, text)
  return readCountries(file)
}

const FILE = [
  '\uFEFFnetwork,country',
  '# of the provider, by month',
  '"198.51.100.0/24","US","North America"',
  '203.0.113.0/24,br',
  '203.0.113.64/26;PT',
  '203.0.113.70,AR',
  '2001:db8::/32,DE',
  '2001:db8:1::/48,FR',
  '192.0.2.77/25,JP',
  '',
].join('\r\n')

describe('the countries of addresses', () => {
  it.each([
    ['198.51.100.0', 'US'],
    ['198.51.100.255', 'US'],
    ['198.51.101.0', undefined],
    ['198.51.99.255', undefined],
    ['203.0.113.1', 'BR'],
    ['203.0.113.64', 'PT'],
    ['203.0.113.70', 'AR'],
    ['203.0.113.71', 'PT'],
    ['203.0.113.127', 'PT'],
    ['203.0.113.128', 'BR'],
    ['::ffff:203.0.113.70', 'AR'],
    ['::FFFF:cb00:7146', 'AR'],
    ['192.0.2.1', 'JP'],
    ['192.0.2.128', undefined],
    ['2001:db8::1', 'DE'],
    ['2001:db8:1:ffff::1', 'FR'],
    ['2001:0DB8:0001:0000:0000:0000:0000:0001', 'FR'],
    ['2001:db8:2::', 'DE'],
    ['2001:db9::', undefined],
    ['::', undefined],
    ['no address', undefined],
  ])('has %s in %s', (address, country) => {
    expect(tableOf(FILE)(address)).toBe(country)
  })

  it('may be none', () => {
    expect(tableOf('')('203.0.113.1')).toBeUndefined()
  })

  it.each(['203.0.113.0/33,BR', '203.0.113.0/24,Brasil', 'x,BR', '1.0.0.0-1.0.0.255,AU'])(
    'names the line %s that it cannot read',
    (line) => {
      expect(() => tableOf(`network,country\n${line}`)).toThrow(ConfigError)
      expect(() => tableOf(`network,country\n${line}`)).toThrow(/COFRE_COUNTRIES=.*line 2/)
    },
  )

  it('names a file that is not there', () => {
    expect(() => readCountries(path.join(folder, 'gone.csv'))).toThrow('ENOENT')
  })
})
