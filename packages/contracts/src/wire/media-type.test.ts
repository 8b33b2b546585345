import { describe, expect, it } from 'vitest'
import { mediaType } from './merchant-request.js'

describe('mediaType', () => {
  it.each([
    ['cofre', 'v1', 'application/vnd.cofre.v1+json; charset=UTF-8'],
    ['cofre', 'v2', 'application/vnd.cofre.v2+json; charset=UTF-8'],
    ['acme.com', 'v2', 'application/vnd.acme.com.v2+json; charset=UTF-8'],
  ] as const)('of %s in %s is %s', (vendor, version, type) => {
    expect(mediaType(vendor, version)).toBe(type)
  })
})
