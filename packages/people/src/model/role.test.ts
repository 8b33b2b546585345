import { ENVIRONMENTS } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { type Access, PERMISSIONS, ROLES, type Role, may } from './role.js'

/** The permissions of each role beyond those of all roles. */
const MORE: Readonly<Record<Role, readonly string[]>> = {
  owner: [
    'payers:unmasked',
    'refund:create',
    'charge:cancel',
    'payer:block',
    'payment-links:write',
    'settlements:read',
    'settlements:upload',
    'event-endpoints:write',
    'store:secret',
    'store:settings',
    'store:interest',
    'store:change',
    'people:manage',
    'acts:read',
    'sandbox:secret',
    'sandbox:reset',
  ],
  finance: [
    'payers:unmasked',
    'refund:create',
    'charge:cancel',
    'payer:block',
    'payment-links:write',
    'settlements:read',
    'settlements:upload',
  ],
  support: [],
  developer: [
    'event-endpoints:write',
    'store:secret',
    'store:settings',
    'sandbox:secret',
    'sandbox:reset',
  ],
}
const ALL_MAY = [
  'payments:read',
  'notifications:read',
  'figures:read',
  'payment-links:read',
  'export',
  'notification:resend',
  'events:read',
  'event:send-again',
  'provider:details',
  'sandbox:tools',
]
const STORE_SECRET: Access = { kind: 'store-secret' }

function personOf(role: Role): Access {
  return {
    kind: 'person',
    personId: 'per_1',
    name: 'Ana',
    role,
    scope: 'both',
    steppedUpUntilMs: 0,
  }
}

describe('roles', () => {
  it.each(ROLES)('lets %s do exactly what the table permits', (role) => {
    const inSandbox = PERMISSIONS.filter((name) => may(personOf(role), 'sandbox', name))

    expect(new Set(inSandbox)).toEqual(new Set([...ALL_MAY, ...MORE[role]]))
  })

  it('has no sandbox tools in production, for any role', () => {
    const everyone = [STORE_SECRET, ...ROLES.map(personOf)]
    const tools = PERMISSIONS.filter((name) => name.startsWith('sandbox:'))

    expect(tools).toHaveLength(3)
    for (const access of everyone)
      expect(tools.filter((name) => may(access, 'production', name))).toEqual([])
  })

  it('differs between environments in nothing else', () => {
    for (const name of PERMISSIONS.filter((one) => !one.startsWith('sandbox:')))
      for (const role of ROLES)
        expect(new Set(ENVIRONMENTS.map((one) => may(personOf(role), one, name))).size).toBe(1)
  })

  it('opens nothing of production to a role in the sandbox alone, and its sandbox as any', () => {
    for (const role of ROLES)
      for (const name of PERMISSIONS) {
        const alone: Access = { ...personOf(role), scope: 'sandbox' } as Access
        expect(may(alone, 'production', name)).toBe(false)
        expect(may(alone, 'sandbox', name)).toBe(may(personOf(role), 'sandbox', name))
      }
  })

  it("opens nothing of production with a store's secret", () => {
    expect(PERMISSIONS.filter((name) => may(STORE_SECRET, 'production', name))).toEqual([])
  })

  it("opens no settings, people or log with a store's secret", () => {
    const closed = PERMISSIONS.filter((name) => !may(STORE_SECRET, 'sandbox', name))

    expect(closed).toEqual(['store:change', 'people:manage', 'acts:read'])
  })
})
