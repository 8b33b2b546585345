import { describe, expect, it } from 'vitest'
import { HOSTS_MAX, hostOfLane, laneOf } from './lane.js'

const lane = (merchantId: string, url: string, refundId?: number) =>
  laneOf({ merchantId, url, refundId })

describe('The lane of a notification', () => {
  it('is of its store, its host with the port, and its kind', () => {
    const lanes = [
      lane('store-a', 'https://shop.example/n?order=1'),
      lane('store-a', 'https://shop.example/other'),
      lane('store-a', 'https://shop.example/n', 7),
      lane('store-a', 'http://shop.example:8080/n'),
      lane('store-b', 'https://shop.example/n'),
    ]
    expect(lanes[1]).toBe(lanes[0])
    expect(new Set(lanes).size).toBe(4)
    expect(lanes.map(hostOfLane)).toEqual([
      'store-a shop.example',
      'store-a shop.example',
      'store-a shop.example',
      'store-a shop.example:8080',
      'store-b shop.example',
    ])
  })

  it('is shared by the hosts of a store beyond the twentieth', () => {
    const hosts = Array.from({ length: HOSTS_MAX + 5 }, (_, i) => `https://h${i}.example/n`)
    const lanes = hosts.map((url) => lane('store-of-many', url))
    expect(new Set(lanes).size).toBe(HOSTS_MAX + 1)
    expect(hosts.map((url) => lane('store-of-many', url))).toEqual(lanes)
    expect(lane('store-c', hosts.at(-1)!)).toContain(`h${HOSTS_MAX + 4}.example`)
  })

  it('is that of all others where the address is none', () => {
    expect(hostOfLane(lane('store-d', 'no address'))).toBe('store-d *')
  })
})
