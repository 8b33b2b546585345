import { describe, expect, it } from 'vitest'
import { mayReach, parseTargetAllowances } from './notification-target.js'

const ONES = 'ffff:ffff:ffff:ffff:ffff:ffff'

describe('mayReach', () => {
  it.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['::', `1fff:ffff:${ONES}`],
    ['2001::', `2001:1ff:${ONES}`],
    ['2001:db8::', `2001:db8:${ONES}`],
    ['2002::', `2002:ffff:${ONES}`],
    ['3fff::', `3fff:fff:${ONES}`],
    ['4000::', `ffff:ffff:${ONES}`],
  ])('refuses the range from %s to %s', (first, last) => {
    for (const port of [80, 443]) {
      expect(mayReach(first, port, [])).toBe(false)
      expect(mayReach(last, port, [])).toBe(false)
    }
  })

  it.each([
    ['1.0.0.0', '9.255.255.255'],
    ['11.0.0.0', '100.63.255.255'],
    ['100.128.0.0', '126.255.255.255'],
    ['128.0.0.0', '168.63.129.15'],
    ['168.63.129.17', '169.253.255.255'],
    ['169.255.0.0', '172.15.255.255'],
    ['172.32.0.0', '191.255.255.255'],
    ['192.0.1.0', '192.0.1.255'],
    ['192.0.3.0', '192.88.98.255'],
    ['192.88.100.0', '192.167.255.255'],
    ['192.169.0.0', '198.17.255.255'],
    ['198.20.0.0', '198.51.99.255'],
    ['198.51.101.0', '203.0.112.255'],
    ['203.0.114.0', '223.255.255.255'],
    ['2000::', `2000:ffff:${ONES}`],
    ['2001:200::', `2001:db7:${ONES}`],
    ['2001:db9::', `2001:ffff:${ONES}`],
    ['2003::', `3ffe:ffff:${ONES}`],
    ['3fff:1000::', `3fff:ffff:${ONES}`],
  ])('reaches the range from %s to %s', (first, last) => {
    for (const port of [80, 443]) {
      expect(mayReach(first, port, [])).toBe(true)
      expect(mayReach(last, port, [])).toBe(true)
    }
  })

  it.each([
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '::8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::808:808',
    '100::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2002:808:808::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'ff02::1',
    '[2606:4700::1111]',
    'shop.example',
    '8.8.8',
    '010.8.8.8',
    '',
  ])('refuses %s', (address) => {
    expect(mayReach(address, 443, [])).toBe(false)
  })

  it.each([1, 22, 79, 81, 442, 444, 8080, 65_535])('reaches no public port %d', (port) => {
    expect(mayReach('8.8.8.8', port, [])).toBe(false)
    expect(mayReach('2606:4700::1111', port, [])).toBe(false)
  })

  it.each([
    ['10.1.2.3', 8080, true],
    ['::ffff:10.1.2.3', 8080, true],
    ['::ffff:a01:203', 8080, true],
    ['10.1.2.3', 80, false],
    ['10.2.2.3', 8080, false],
    ['::ffff:10.2.2.3', 8080, false],
    ['64:ff9b::a01:203', 8080, false],
    ['127.0.0.1', 1, true],
    ['127.0.0.1', 443, true],
    ['fd00::1', 9000, true],
    ['fd01::1', 9000, false],
    ['fd00::1%eth0', 9000, false],
    ['8.8.8.8', 8080, false],
    ['8.8.8.8', 443, true],
  ])('judges %s on port %d by what is allowed: %s', (address, port, isAllowed) => {
    const allowances = parseTargetAllowances('127.0.0.0/8:*, 10.1.0.0/16:8080, [fd00::/16]:9000')
    expect(mayReach(address, port, allowances)).toBe(isAllowed)
  })
})
