import type { Environment } from '@cofre/contracts'

/** A person's roles in a store. */
export const ROLES = ['owner', 'finance', 'support', 'developer'] as const
export type Role = (typeof ROLES)[number]

/** The permissions of roles, in any environment. A test compares them with docs/console.md. */
const ROLES_THAT_MAY = {
  'payments:read': ROLES,
  'notifications:read': ROLES,
  'figures:read': ROLES,
  /** Names, CPF and CNPJ in full. */
  'payers:unmasked': ['owner', 'finance'],
  /** An export is masked like its page. */
  export: ROLES,
  'notification:resend': ROLES,
  'events:read': ROLES,
  'event:send-again': ROLES,
  /** Their address, kinds and secret. */
  'event-endpoints:write': ['owner', 'developer'],
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
  /** The shop's own settings; those that protect the operator only become stricter. */
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

/** The scope of a role: both environments of a store, or its sandbox alone. */
export type RoleScope = 'both' | 'sandbox'

/** The visitor's access to one store. */
export type Access =
  | {
      readonly kind: 'person'
      readonly personId: string
      readonly name: string
      readonly role: Role
      readonly scope: RoleScope
      /** Acts that need a fresh proof require none until then. */
      readonly steppedUpUntilMs: number
    }
  /** A visitor with the store's secret. Opens the sandbox alone. */
  | { readonly kind: 'store-secret' }

/** Not available to a store's secret: these acts need a responsible person. */
const PERSON_ONLY: readonly Permission[] = ['store:change', 'people:manage', 'acts:read']

/** True if a role of this scope counts in an environment. */
export function isIn(scope: RoleScope, environment: Environment): boolean {
  return scope === 'both' || environment === 'sandbox'
}

export function may(access: Access, environment: Environment, permission: Permission): boolean {
  if (environment === 'production' && permission.startsWith('sandbox:')) return false
  if (access.kind === 'person' && !isIn(access.scope, environment)) return false
  if (access.kind === 'store-secret')
    return environment === 'sandbox' && !PERSON_ONLY.includes(permission)
  return rolesThatMay(permission).includes(access.role)
}
