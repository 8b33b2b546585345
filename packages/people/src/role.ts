import type { Environment } from '@cofre/contracts'

/** What somebody is in a store. */
export const ROLES = ['owner', 'finance', 'support', 'developer'] as const
export type Role = (typeof ROLES)[number]

/** Who may do what, in any environment. A test holds it against the page in docs/console.md. */
const ROLES_THAT_MAY = {
  'payments:read': ROLES,
  'notifications:read': ROLES,
  'figures:read': ROLES,
  /** Names, CPF and CNPJ in full. */
  'payers:unmasked': ['owner', 'finance'],
  /** Leaves as masked as its page is. */
  export: ROLES,
  'notification:resend': ROLES,
  'refund:create': ['owner', 'finance'],
  'charge:cancel': ['owner', 'finance'],
  'payer:block': ['owner', 'finance'],
  'payment-links:read': ROLES,
  /** Ending a link cancels its open charge. */
  'payment-links:write': ['owner', 'finance'],
  'settlements:read': ['owner', 'finance'],
  'settlements:upload': ['owner', 'finance'],
  'provider:details': ROLES,
  'store:secret': ['owner', 'developer'],
  'store:settings': ['owner', 'developer'],
  'store:interest': ['owner'],
  /** What a shop decides; what protects the operator only becomes stricter. */
  'store:change': ['owner'],
  'people:manage': ['owner'],
  'acts:read': ['owner'],
  'sandbox:tools': ROLES,
  'sandbox:secret': ['owner', 'developer'],
  'sandbox:reset': ['owner', 'developer'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof ROLES_THAT_MAY

export const PERMISSIONS = Object.keys(ROLES_THAT_MAY) as readonly Permission[]

export function rolesThatMay(permission: Permission): readonly Role[] {
  return ROLES_THAT_MAY[permission]
}

/** Where a role counts: in both environments of a store, or in its sandbox alone. */
export type RoleScope = 'both' | 'sandbox'

/** Who asks, for one store. */
export type Access =
  | {
      readonly kind: 'person'
      readonly personId: string
      readonly name: string
      readonly role: Role
      readonly scope: RoleScope
      /** Until when what wants a fresh proof goes on without one. */
      readonly steppedUpUntilMs: number
    }
  /** Whoever knows the store's secret. Opens the sandbox alone. */
  | { readonly kind: 'store-secret' }

/** What a store's secret does not open: people have made it, and answer for it. */
const OF_PEOPLE_ALONE: readonly Permission[] = ['store:change', 'people:manage', 'acts:read']

/** Whether a role of this scope counts in an environment. */
export function isIn(scope: RoleScope, environment: Environment): boolean {
  return scope === 'both' || environment === 'sandbox'
}

export function may(access: Access, environment: Environment, permission: Permission): boolean {
  if (environment === 'production' && permission.startsWith('sandbox:')) return false
  if (access.kind === 'person' && !isIn(access.scope, environment)) return false
  if (access.kind === 'store-secret')
    return environment === 'sandbox' && !OF_PEOPLE_ALONE.includes(permission)
  return rolesThatMay(permission).includes(access.role)
}
