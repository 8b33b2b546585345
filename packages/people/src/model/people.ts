import type { Secret } from '@cofre/contracts'
import type { ActOrigin, Actor, ActsLog, NamedActor } from './act.js'
import type { Access, Role, RoleScope } from './role.js'

/** A browser, and its origin. */
export interface Origin extends ActOrigin {
  /** The id of a cookie that only this browser has. */
  readonly visitId: string
  /** True if it comes from a network that the operator has named, so from no stranger. */
  readonly isOfNamedNetwork?: boolean | undefined
}

/** The actor of a change, and its origin. */
export interface By extends ActOrigin {
  readonly actor: Actor
}

export interface StaffSession {
  /** SHA-256 of the id, which only the browser's cookie contains. */
  readonly idHash: string
  /** Constant for the whole session, even after a proof changes its id. */
  readonly firstIdHash: string
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly createdAtMs: number
  /** When the session was last used, up to a minute too early. */
  readonly usedAtMs: number
  readonly expiresAtMs: number
  readonly steppedUpUntilMs: number
  readonly address: string
  readonly browser: string
}

export interface SignInAttempt {
  readonly email: string
  readonly password: Secret<string>
  /** Six digits of the authenticator, or a recovery code. */
  readonly code: Secret<string>
  readonly from: Origin
}

/** The id is for the browser's cookie; no other copy exists. */
export interface OpenedSession {
  readonly sessionId: string
  readonly personId: string
}

/** `refused` gives no reason; `busy`: too many passwords are being checked, so retry soon. */
export type SignInResult = OpenedSession | 'refused' | 'busy' | { readonly waitMs: number }

/** A passkey with a verified answer, and its own values. */
export interface PasskeyUse {
  readonly passkeyId: string
  readonly counter: number
  readonly backedUp: boolean
}

/** A further proof of identity: a code, as at the sign-in, or a passkey. */
export type StepUpProof = { readonly code: Secret<string> } | { readonly passkey: PasskeyUse }

/** Bytes are in base64url. */
export interface NewPasskey {
  readonly id: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly backedUp: boolean
  /** The person's name for it. */
  readonly label: string
}

export interface Passkey extends NewPasskey {
  readonly personId: string
  readonly createdAtMs: number
  readonly usedAtMs?: number | undefined
}

export type ChallengePurpose = 'sign-in' | 'step-up' | 'register'

/** A challenge is accepted only for the values to which it is bound. */
export interface ChallengeFor {
  readonly purpose: ChallengePurpose
  readonly visitId: string
  /** Absent without a signed-in person. */
  readonly personId?: string | undefined
}

export interface Challenges {
  /** In base64url, for five minutes. Stores nothing, because a stranger may request one. */
  create(boundTo: ChallengeFor): Promise<string>
  /** Accepts a challenge once, in any process. Stores it, so call it only for a verified answer. */
  consume(challenge: string, boundTo: ChallengeFor): Promise<boolean>
}

/**
 * The purposes of links: first owner, invitation, invitation to the sandbox alone, new credentials,
 * forgotten password, and sign-in of the demo store's owner.
 */
export type LinkPurpose = 'owner' | 'invite' | 'sandbox-invite' | 'reset' | 'password' | 'demo'

/** A new link: its token is shown once, and only its hash is stored. */
export interface IssuedLink {
  readonly token: Secret<string>
  readonly expiresAtMs: number
}

/** A link for an e-mail. */
export interface LetterLink extends IssuedLink {
  /** The person's own: the typed one may only look like it. */
  readonly email: string
}

/** The data that the holder of a valid link sees. */
export interface LinkView {
  readonly purpose: LinkPurpose
  /** Absent if the person enters it. */
  readonly email?: string | undefined
  readonly storeId?: string | undefined
  readonly role?: Role | undefined
  readonly expiresAtMs: number
  /** A person with a known e-mail signs in to accept. */
  readonly isForKnownPerson: boolean
  /** The link proves an e-mail that the known person has never proved: a new person may take it. */
  readonly mayTakeEmail: boolean
}

/** A person's new credentials. */
export type NewCredentials =
  | { readonly passkey: NewPasskey }
  | {
      readonly password: Secret<string>
      /** In base32, as the page showed it. */
      readonly totp: Secret<string>
      /** A code of the secret, which proves that the authenticator works. */
      readonly code: Secret<string>
    }

/** The claim of a link's holder. */
export type LinkClaim =
  | {
      readonly kind: 'new-person'
      readonly name: string
      /** Required if the link names none. */
      readonly email?: string | undefined
      readonly credentials: NewCredentials
    }
  | { readonly kind: 'signed-in'; readonly session: StaffSession }
  | { readonly kind: 'reset'; readonly credentials: NewCredentials }
  | { readonly kind: 'password'; readonly password: Secret<string>; readonly code: Secret<string> }
  /** With the session of the signed-in person, if any. */
  | { readonly kind: 'demo'; readonly session?: StaffSession | undefined }

/** Why credentials are refused. */
export type CredentialsProblem = 'weak-password' | 'wrong-code' | 'passkey-taken'

/**
 * `gone`: unknown, used, expired, or not for this claim. `known-email` and `other-person`: the
 * link's person signs in to accept it.
 */
export type LinkProblem = CredentialsProblem | 'gone' | 'bad-email' | 'known-email' | 'other-person'

/** A used link. */
export interface UsedLink {
  readonly personId: string
  readonly storeId?: string | undefined
  /** The id of the opened session; absent if a person was already signed in. */
  readonly sessionId?: string | undefined
  /** The given session continues under this id and has stepped up. */
  readonly isProof?: true
  /** Shown once; empty if the person keeps earlier ones. */
  readonly recoveryCodes: readonly Secret<string>[]
  /** Present if the e-mail belonged to another person, who had not proved it. */
  readonly taken?: MovedEmail | undefined
}

/** An e-mail that a person lost, and the owners of its stores, who must be notified. */
export interface MovedEmail {
  readonly email: string
  readonly owners: readonly { readonly storeId: string; readonly email: string }[]
}

export type LinkResult = UsedLink | LinkProblem

/** `not-allowed`: the maker no longer manages the store's people. */
export type LinkRefusal = 'bad-email' | 'no-store' | 'not-allowed'

export interface NewInvitation {
  readonly storeId: string
  readonly email: string
  readonly role: Role
  /** Default: both. The caller has checked that the sandbox has the store. */
  readonly scope?: RoleScope | undefined
  /** The link is sent only to the e-mail, so it proves the e-mail; otherwise it is handed over. */
  readonly way?: 'letter' | undefined
}

export interface Links {
  /** Runs the same statements for known and unknown people. Ends an earlier invitation. */
  invite(invitation: NewInvitation, by: By): Promise<IssuedLink | LinkRefusal>
  /**
   * For the first owner of a store, or new credentials if its owner has no way to sign in. Ends an
   * earlier link. Undefined if an owner can sign in.
   */
  forFirstOwner(storeId: string, by: By): Promise<IssuedLink | undefined>
  /**
   * Signs in the owner of the demo store, and creates the owner if there is none. A signed-in owner
   * without password and passkey uses it as a fresh proof. Undefined if there is no such store.
   */
  forDemoOwner(storeId: string, by: By, livesMs: number): Promise<IssuedLink | undefined>
  /** Ends unused links for the demo store's owner. */
  endForDemoOwner(storeId: string): Promise<void>
  /** A link to new credentials. Undefined if no person has the e-mail. */
  reset(email: string, by: By): Promise<IssuedLink | undefined>
  /**
   * A link to be sent to the person's e-mail, after the answer. Undefined if no person with the
   * e-mail signs in by password. Also undefined after too many requests: three in the last hour, or
   * three from this address today. Links in earlier e-mails keep working.
   */
  forgotten(email: string, from: Origin): Promise<LetterLink | undefined>
  /** Changes nothing. Undefined for an unknown or unusable link. */
  view(token: Secret<string>): Promise<LinkView | undefined>
  /** Uses a link once, in any process. After a problem other than `gone`, it can still be used. */
  use(token: Secret<string>, claim: LinkClaim, from: Origin): Promise<LinkResult>
  /** The usable links of a store that add people, newest first. */
  open(storeId: string, scope?: RoleScope): Promise<readonly OpenLink[]>
  /** Ends one of these links. */
  end(storeId: string, id: string, by: By): Promise<'done' | 'not-found' | 'not-allowed'>
}

/** A usable link, with its maker. */
export interface OpenLink extends NamedActor {
  /** Identifies the link, but opens nothing. */
  readonly id: string
  readonly purpose: LinkPurpose
  readonly email?: string | undefined
  readonly role?: Role | undefined
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** A store in which a person works. */
export interface StoreOfPerson {
  readonly storeId: string
  readonly role: Role
  readonly scope: RoleScope
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isEmailProved: boolean
  /** Lost to its prover: the person's id replaces the e-mail. */
  readonly formerEmail?: string | undefined
  readonly enabled: boolean
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly stores: readonly StoreOfPerson[]
  readonly createdAtMs: number
}

/** A member of a store's staff. */
export interface Member extends Omit<Person, 'stores'> {
  readonly role: Role
  readonly joinedAtMs: number
  /** From the sessions that still exist. */
  readonly lastSeenAtMs?: number | undefined
  /** True after too many wrong passwords: attempts from unknown browsers wait. */
  readonly isGuessedAt: boolean
}

/** A person's place in a store. */
export interface MemberId {
  readonly storeId: string
  readonly personId: string
  /** Default: both. */
  readonly scope?: RoleScope | undefined
}

/** `last-owner`: the store would have no owner who can sign in; the sandbox needs none. */
export type StaffResult = 'done' | 'not-found' | 'last-owner'

/** `not-allowed`: the actor no longer manages the store's people. */
export type MembershipResult = StaffResult | 'not-allowed'

export type RenameResult = 'done' | 'not-found' | 'bad-email' | 'email-taken'

export interface Staff {
  members(storeId: string, scope?: RoleScope): Promise<readonly Member[]>
  storesOf(personId: string): Promise<readonly StoreOfPerson[]>
  setRole(member: MemberId, role: Role, by: By): Promise<MembershipResult>
  remove(member: MemberId, by: By): Promise<MembershipResult>
  /** The people of all stores, for the command line. */
  list(): Promise<readonly Person[]>
  /**
   * Ends all sessions and links, and forgets the browsers. Refused if a store would have no owner
   * left.
   */
  disable(email: string, by: By): Promise<StaffResult>
  enable(email: string, by: By): Promise<StaffResult>
  /** Gives a person, by id or e-mail, another e-mail. For operators, who are responsible for it. */
  rename(which: { readonly person: string; readonly email: string }, by: By): Promise<RenameResult>
}

/** The credentials of a signed-in person who has stepped up. `ended`: the session is over. */
export interface OwnCredentials {
  passkeys(personId: string): Promise<readonly Passkey[]>
  /** Finds any person's passkey, for a sign-in. */
  findPasskey(passkeyId: string): Promise<Passkey | undefined>
  addPasskey(
    session: StaffSession,
    passkey: NewPasskey,
  ): Promise<'done' | 'passkey-taken' | 'too-many' | 'ended'>
  /** Refused for the last way to sign in. Other sessions end. */
  removePasskey(
    session: StaffSession,
    passkeyId: string,
  ): Promise<'done' | 'not-found' | 'last-one' | 'ended'>
  /** Other sessions end; returns the new id of this one. */
  setPassword(
    session: StaffSession,
    password: Secret<string>,
  ): Promise<OpenedSession | 'weak-password' | 'no-totp' | 'ended'>
  /**
   * Includes a password if the person has none. Other sessions end; returns the new id of this one.
   */
  setTotp(
    session: StaffSession,
    totp: { readonly secret: Secret<string>; readonly code: Secret<string> },
    password?: Secret<string>,
  ): Promise<OpenedSession | 'weak-password' | 'wrong-code' | 'ended'>
  setName(session: StaffSession, name: string): Promise<void>
  /** Ten codes, shown once; earlier ones are void. */
  newRecoveryCodes(session: StaffSession): Promise<readonly Secret<string>[] | 'ended'>
  recoveryCodesLeft(personId: string): Promise<number>
  /** True for a password with an authenticator: alone, a password opens nothing. */
  hasPassword(personId: string): Promise<boolean>
  sessions(personId: string): Promise<readonly StaffSession[]>
  /** Ends all sessions of the person except this one. */
  endOtherSessions(session: StaffSession): Promise<void>
}

/** Searches by document, for people who see documents masked. */
export interface DocumentSearches {
  /**
   * Counts a search as a miss before its outcome is known; after five misses, none is allowed that
   * day. The digest is keyed: it replaces the document in the log of acts.
   */
  begin(
    personId: string,
    document: string,
  ): Promise<{ readonly isAllowed: boolean; readonly digest: string }>
  /** Removes the miss that the search was counted as. */
  found(personId: string): Promise<void>
}

/** The people of an installation, stored in production's database, by the machine's clock. */
export interface People {
  readonly acts: ActsLog
  readonly challenges: Challenges
  readonly links: Links
  readonly staff: Staff
  readonly documentSearches: DocumentSearches
  readonly own: OwnCredentials
  /** Runs the same statements in the same order for known and unknown people. */
  signIn(attempt: SignInAttempt): Promise<SignInResult>
  /** Called after the answer was verified. A passkey is both factors. */
  signInWithPasskey(use: PasskeyUse, from: Origin): Promise<OpenedSession | 'refused'>
  /**
   * One statement. Undefined if there is no such session or it is over. Access is undefined for a
   * store in which the person does not work.
   */
  find(
    idHash: string,
    storeId: string | undefined,
  ): Promise<{ readonly session: StaffSession; readonly access: Access | undefined } | undefined>
  /**
   * The access that a session still gives, under any later id. Undefined once it is over, or once
   * the person has left the store.
   */
  accessOf(session: StaffSession, storeId: string): Promise<Access | undefined>
  /** Returns the session's new id. `ended`: too many proofs were wrong. */
  stepUp(
    session: StaffSession,
    proof: StepUpProof,
    from: Origin,
  ): Promise<OpenedSession | 'refused' | 'ended'>
  signOut(session: StaffSession): Promise<void>
  /** Deletes expired sessions, links, challenges, failures and forgotten browsers. */
  sweep(): Promise<void>
  /** Wraps again with the current key what another key had wrapped; returns the number. */
  rewrap(): Promise<number>
}
