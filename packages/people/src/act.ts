import type { Environment, ListPage, ListQuery } from '@cofre/contracts'
import type { Permission, RoleScope } from './role.js'

/**
 * What somebody does on a page: the console logs that it was asked before it is done, and how it
 * ended.
 */
export type PageAct =
  | Extract<
      Permission,
      | 'export'
      | 'notification:resend'
      | 'refund:create'
      | 'charge:cancel'
      | 'payer:block'
      | 'settlements:upload'
      | 'store:secret'
      | 'store:interest'
      | 'store:change'
      | 'sandbox:tools'
      | 'sandbox:secret'
      | 'sandbox:reset'
    >
  | 'payer:unblock'
  | 'payer:search'
  | 'payment-link:create'
  | 'payment-link:revoke'
  | 'payment-link:lift'
  | 'settlements:compare'
  | 'settlements:remove'
  | 'settlements:resolve'

/** What people log of themselves: logged in the unit of work that changes it. */
export const PEOPLE_ACTS = [
  'signed-in',
  'sign-in-failed',
  'signed-out',
  'step-up-failed',
  'link-made',
  'link-ended',
  'joined',
  'role-changed',
  'taken-out',
  'person-disabled',
  'person-enabled',
  'person-reset',
  'name-changed',
  'email-lost',
  'email-changed',
  'passkey-added',
  'passkey-removed',
  'password-changed',
  'totp-changed',
  'recovery-codes-made',
  'sessions-ended',
  'credentials-lost',
] as const
export type PeopleAct = (typeof PEOPLE_ACTS)[number]

export type ActName = PageAct | PeopleAct

/** Somebody of the staff, or an operator at the command line; `start` is `npm start`. */
export type Actor = `person:${string}` | `operator:${string}` | 'start'

/** What a person was called on the day that it acted. */
export interface Called {
  readonly actorName?: string | undefined
  readonly actorEmail?: string | undefined
}

export interface Who extends Called {
  readonly actor: string
}

export type ActOutcome = 'asked' | 'done' | 'refused'

/** Codes, amounts and names of filters: never a payer's data, never a secret. */
export type ActDetail = Readonly<Record<string, string | number | boolean>>

/** From where somebody acts. Empty at the command line. */
export interface ActOrigin {
  readonly address: string
  /** What the browser calls itself, shortened. */
  readonly browser: string
}

export interface NewAct extends ActOrigin {
  readonly environment: Environment
  readonly storeId?: string | undefined
  readonly actor: Actor
  readonly action: ActName
  /** A payment's code, a link's, a person's id, a file's id or a list's name. */
  readonly target?: string | undefined
  readonly outcome: ActOutcome
  readonly detail?: ActDetail | undefined
}

/** Ordered by time. */
export type ActId = number

/** An act with how it ended: `asked` where nothing says so. */
export interface Act extends NewAct, Called {
  readonly id: ActId
  readonly atMs: number
  readonly detail: ActDetail
}

export interface ActsQuery extends ListQuery {
  /** Default: both. Those in the sandbox alone see its acts, and their own. */
  readonly scope?: RoleScope | undefined
  readonly actor?: Actor | undefined
  readonly action?: ActName | undefined
  readonly target?: string | undefined
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly untilMs?: number | undefined
}

/** A secret of a store that was shown to a person. */
export interface DrawnSecret {
  readonly storeId: string
  readonly environment: Environment
  readonly atMs: number
}

/** What people did: added to, and never changed or deleted. */
export interface ActsLog {
  /** Durable once the promise resolves. */
  record(act: NewAct): Promise<ActId>
  /** How an act that was asked ended, as an entry of its own. */
  end(id: ActId, outcome: 'done' | 'refused', detail?: ActDetail): Promise<void>
  /** Of a store and of its people's sign-ins and credentials, the newest first. */
  list(storeId: string, query: ActsQuery): Promise<ListPage<Act>>
  /**
   * Secrets of stores that a person has drawn and that may still sign: no person has drawn another
   * one more than a day later. An operator may have: the log of stores knows that.
   */
  drawnSecrets(personId: string): Promise<readonly DrawnSecret[]>
  /** What was done to a payment, a person or a file of the store, the oldest first. */
  of(storeId: string, target: string): Promise<readonly Act[]>
}
