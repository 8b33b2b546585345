import type { Environment, ListPage, ListQuery } from '@cofre/contracts'
import type { Permission, RoleScope } from './role.js'

/** A person's act on a page: the console logs the request before the act, and then its end. */
export type PageAct =
  | Extract<
      Permission,
      | 'export'
      | 'notification:resend'
      | 'event:send-again'
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
  | 'payment:capture'
  | 'payment:void'
  | 'payer:search'
  | 'payment-link:create'
  | 'payment-link:revoke'
  | 'payment-link:lift'
  | 'event-endpoint:create'
  | 'event-endpoint:change'
  | 'event-endpoint:rotate'
  | 'event-endpoint:delete'
  | 'settlements:compare'
  | 'settlements:remove'
  | 'settlements:resolve'

/** Acts on people's own data, logged in the unit of work that changes it. */
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

/** Acts of an operator by the API of stores. */
export type OperatorAct =
  | 'operator:store-create'
  | 'operator:store-set'
  | 'operator:store-suspend'
  | 'operator:store-resume'
  | 'operator:key-add'
  | 'operator:key-rotate'
  | 'operator:key-end'
  | 'operator:notification-secret'
  | 'operator:refused'

export type ActName = PageAct | PeopleAct | OperatorAct

/**
 * A member of the staff, an operator at the command line or by a key for the API of stores; `start`
 * is `npm start`.
 */
export type Actor = `person:${string}` | `operator:${string}` | `operator-key:${string}` | 'start'

/** The actor's name and e-mail on the day of the act. */
export interface ActorName {
  readonly actorName?: string | undefined
  readonly actorEmail?: string | undefined
}

export interface NamedActor extends ActorName {
  readonly actor: string
}

export type ActOutcome = 'asked' | 'done' | 'refused'

/** Codes, amounts and names of filters; never a payer's data or a secret. */
export type ActDetail = Readonly<Record<string, string | number | boolean>>

/** The origin of an act. Empty at the command line. */
export interface ActOrigin {
  readonly address: string
  /** The browser's `User-Agent`, shortened. */
  readonly browser: string
}

export interface NewAct extends ActOrigin {
  readonly environment: Environment
  readonly storeId?: string | undefined
  readonly actor: Actor
  readonly action: ActName
  /** The code of a payment or link, the id of a person or file, or the name of a list. */
  readonly target?: string | undefined
  readonly outcome: ActOutcome
  readonly detail?: ActDetail | undefined
}

/** Ordered by time. */
export type ActId = number

/** An act with its end: `asked` if no end is recorded. */
export interface Act extends NewAct, ActorName {
  readonly id: ActId
  readonly atMs: number
  readonly detail: ActDetail
}

export interface ActsQuery extends ListQuery {
  /** Default: both. A role in the sandbox alone sees the sandbox's acts, and its own. */
  readonly scope?: RoleScope | undefined
  readonly actor?: Actor | undefined
  readonly action?: ActName | undefined
  readonly target?: string | undefined
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly untilMs?: number | undefined
}

/** A store's secret that a person was shown. */
export interface DrawnSecret {
  readonly storeId: string
  readonly environment: Environment
  readonly atMs: number
}

/** The log of people's acts: entries are added, never changed or deleted. */
export interface ActsLog {
  /** Durable once the promise resolves. */
  record(act: NewAct): Promise<ActId>
  /** Records the end of a requested act, as a separate entry. */
  end(id: ActId, outcome: 'done' | 'refused', detail?: ActDetail): Promise<void>
  /** The acts of a store, and its people's sign-ins and changes of credentials, newest first. */
  list(storeId: string, query: ActsQuery): Promise<ListPage<Act>>
  /**
   * Stores' secrets that a person has drawn and that may still sign: no other person has drawn one
   * more than a day later. An operator may have, as the log of stores records.
   */
  drawnSecrets(personId: string): Promise<readonly DrawnSecret[]>
  /** The acts on a payment, person or file of the store, oldest first. */
  of(storeId: string, target: string): Promise<readonly Act[]>
}
