import type { Environment } from '@cofre/contracts'
import type { ActName, ActOutcome, Actor } from './act.js'
import type { LinkPurpose } from './people.js'
import type { Role } from './role.js'

/** The part of a store's row that people need; the row is the gateway's. */
export interface StoreRow {
  id: string
  enabled: number
}

/** Times are in milliseconds of the machine's clock. */
export interface PersonRow {
  /** `per_` and 26 characters. */
  id: string
  /** Unique; in the form of `emailOf`. */
  email: string
  /** When a link sent to it, or an operator, proved it. */
  email_proved_at: number | null
  /** The e-mail that the person lost to its prover: the id replaces the e-mail. */
  former_email: string | null
  name: string
  enabled: number
  /** `scrypt$15$8$3$salt$hash`. */
  password: string | null
  /** Sealed: see PeopleSealing. */
  totp: string | null
  /** The step of the last accepted code. */
  totp_step: number | null
  /** Sessions from before this time are over. */
  credentials_at: number
  created_at: number
  disabled_at: number | null
}

export interface MembershipRow {
  merchant_id: string
  person_id: string
  role: Role
  created_at: number
}

/** A role in the sandbox of a store alone; production may have no such store. */
export type SandboxMembershipRow = MembershipRow

export interface PasskeyRow {
  /** The credential's id, in base64url. */
  id: string
  person_id: string
  /** COSE, in base64url. */
  public_key: string
  counter: number
  /** JSON of the browser's transports for it. */
  transports: string
  label: string
  backed_up: number
  created_at: number
  used_at: number | null
}

export interface RecoveryCodeRow {
  person_id: string
  code_hash: string
  used_at: number | null
}

/** A session of a person or, in the sandbox, of a user with a store's secret. */
export interface ConsoleSessionRow {
  /** SHA-256 of the id, which only the browser's cookie contains. */
  id_hash: string
  /** The hash of its first id, which opens nothing once a proof has drawn another one. */
  first_id_hash: string
  person_id: string | null
  merchant_id: string | null
  /** Identifies the secret without revealing it. */
  secret_mark: string | null
  created_at: number
  /** Accurate to the minute. */
  used_at: number
  expires_at: number
  stepped_up_at: number | null
  address: string
  browser: string
}

export interface SignInFailureRow {
  /** SHA-256 of the kind of attempt, its target and its origin. */
  key: string
  failures: number
  first_at: number
  last_at: number
}

/** A browser with a successful sign-in. */
export interface KnownBrowserRow {
  /** In the sandbox, the store's id. */
  person_id: string
  visit_hash: string
  used_at: number
}

/** A challenge that a passkey has answered; it cannot be answered again. */
export interface ConsoleChallengeRow {
  nonce_hash: string
  expires_at: number
}

export interface ConsoleLinkRow {
  token_hash: string
  purpose: LinkPurpose
  email: string | null
  person_id: string | null
  merchant_id: string | null
  role: Role | null
  /** 1 if its user proves the e-mail: it was sent there, or an operator is responsible for it. */
  proves_email: number
  created_by: Actor
  /** The maker's name on that day. */
  maker_name: string | null
  maker_email: string | null
  created_at: number
  expires_at: number
  used_at: number | null
}

/** An entry of the log. Rows are only added. */
export interface ActRow {
  /** Ordered by time. */
  id: number
  environment: Environment
  merchant_id: string | null
  actor: Actor
  action: ActName
  target: string | null
  /** The act that this entry ends. */
  of_act: number | null
  outcome: ActOutcome
  /** JSON of ActDetail. */
  detail: string
  at: number
  address: string
  browser: string
  /** The person's name on that day. */
  actor_name: string | null
  actor_email: string | null
}

export interface PeopleKeyRow {
  name: string
  /** Sealed: see PeopleSealing. */
  sealed: string
}

export interface PeopleTables {
  people_keys: PeopleKeyRow
  merchants: StoreRow
  people: PersonRow
  memberships: MembershipRow
  sandbox_memberships: SandboxMembershipRow
  passkeys: PasskeyRow
  recovery_codes: RecoveryCodeRow
  console_sessions: ConsoleSessionRow
  sign_in_failures: SignInFailureRow
  known_browsers: KnownBrowserRow
  console_challenges: ConsoleChallengeRow
  console_links: ConsoleLinkRow
  acts: ActRow
}
