import type { Environment } from '@cofre/contracts'
import type { ActName, ActOutcome, Actor } from './act.js'
import type { LinkPurpose } from './people.js'
import type { Role } from './role.js'

/** What people need to know of a store: the row is the gateway's. */
export interface StoreRow {
  id: string
  enabled: number
}

/** Times are milliseconds of the machine's clock. */
export interface PersonRow {
  /** `per_` and 26 characters. */
  id: string
  /** Unique; as `emailOf` writes it. */
  email: string
  /** When a link that was sent to it, or an operator, proved it. */
  email_proved_at: number | null
  /** What the person lost to who proved it: its id stands for its e-mail. */
  former_email: string | null
  name: string
  enabled: number
  /** `scrypt$15$8$3$salt$hash`. */
  password: string | null
  /** Sealed: see PeopleSealing. */
  totp: string | null
  /** The last one whose code was taken. */
  totp_step: number | null
  /** Sessions from before it are over. */
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

/** A role in the sandbox of a store alone, which production need not have. */
export type SandboxMembershipRow = MembershipRow

export interface PasskeyRow {
  /** The credential's id, in base64url. */
  id: string
  person_id: string
  /** COSE, in base64url. */
  public_key: string
  counter: number
  /** JSON of how the browser reaches it. */
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

/** Of a person; in the sandbox, of whoever signed in with a store's secret. */
export interface ConsoleSessionRow {
  /** SHA-256 of the id that only the browser's cookie has. */
  id_hash: string
  /** Of the id that it was opened with: it opens nothing once a proof has drawn another one. */
  first_id_hash: string
  person_id: string | null
  merchant_id: string | null
  /** Identifies the secret without revealing it. */
  secret_mark: string | null
  created_at: number
  /** To the minute. */
  used_at: number
  expires_at: number
  stepped_up_at: number | null
  address: string
  browser: string
}

export interface SignInFailureRow {
  /** SHA-256 of who tries what, from where. */
  key: string
  failures: number
  first_at: number
  last_at: number
}

/** A browser that somebody has signed in with. */
export interface KnownBrowserRow {
  /** In the sandbox, the store's id. */
  person_id: string
  visit_hash: string
  used_at: number
}

/** A challenge that a passkey has answered: nobody answers it again. */
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
  /** Whether who uses it has the e-mail: it was sent there, or an operator answers for it. */
  proves_email: number
  created_by: Actor
  /** As the maker was called that day. */
  maker_name: string | null
  maker_email: string | null
  created_at: number
  expires_at: number
  used_at: number | null
}

/** An entry of the log. Rows are added, and never changed or deleted. */
export interface ActRow {
  /** Ordered by time. */
  id: number
  environment: Environment
  merchant_id: string | null
  actor: Actor
  action: ActName
  target: string | null
  /** The act whose end this is. */
  of_act: number | null
  outcome: ActOutcome
  /** JSON of ActDetail. */
  detail: string
  at: number
  address: string
  browser: string
  /** As the person was called that day. */
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
