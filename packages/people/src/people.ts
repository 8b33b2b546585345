import type { Secret } from '@cofre/contracts'
import type { ActOrigin, Actor, ActsLog, Who } from './act.js'
import type { Access, Role, RoleScope } from './role.js'

/** A browser, and from where it comes. */
export interface Origin extends ActOrigin {
  /** Id of a cookie that this browser alone has. */
  readonly visitId: string
  /** Whether it comes from a network that the operator has named: no stranger's. */
  readonly isOfNamedNetwork?: boolean | undefined
}

/** Who changes people, and from where. */
export interface By extends ActOrigin {
  readonly actor: Actor
}

export interface Session {
  /** SHA-256 of the id that only the browser's cookie has. */
  readonly idHash: string
  /** The same for as long as the session lasts, also when a proof gives it another id. */
  readonly firstIdHash: string
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly createdAtMs: number
  /** When somebody last used it, or up to a minute before. */
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

/** The id is for the browser's cookie: nobody else has it. */
export interface OpenedSession {
  readonly sessionId: string
  readonly personId: string
}

/**
 * `refused` says no more; `busy`: too many passwords are being checked, to be tried again soon.
 */
export type SignInResult = OpenedSession | 'refused' | 'busy' | { readonly waitMs: number }

/** A passkey whose answer was verified: what it says of itself. */
export interface PasskeyUse {
  readonly passkeyId: string
  readonly counter: number
  readonly backedUp: boolean
}

/** What shows once more that it is the person: a code as at the sign-in, or a passkey. */
export type StepUpProof = { readonly code: Secret<string> } | { readonly passkey: PasskeyUse }

/** Bytes are in base64url. */
export interface NewPasskey {
  readonly id: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly backedUp: boolean
  /** What the person calls it. */
  readonly label: string
}

export interface Passkey extends NewPasskey {
  readonly personId: string
  readonly createdAtMs: number
  readonly usedAtMs?: number | undefined
}

export type ChallengePurpose = 'sign-in' | 'step-up' | 'register'

/** What a challenge is bound to: it is taken for this alone. */
export interface ChallengeFor {
  readonly purpose: ChallengePurpose
  readonly visitId: string
  /** Absent where nobody is signed in. */
  readonly personId?: string | undefined
}

export interface Challenges {
  /** In base64url, for five minutes. Keeps nothing: whoever asks may be a stranger. */
  make(boundTo: ChallengeFor): Promise<string>
  /** Once, in whichever process. Kept, so only for an answer that was verified. */
  take(challenge: string, boundTo: ChallengeFor): Promise<boolean>
}

/**
 * What a link is for: the first owner, an invitation, one to the sandbox alone, all credentials
 * anew, a forgotten password, or the owner of the demo store, whom it signs in.
 */
export type LinkPurpose = 'owner' | 'invite' | 'sandbox-invite' | 'reset' | 'password' | 'demo'

/** A link that was made: its token is shown once, and its hash is kept. */
export interface MadeLink {
  readonly token: Secret<string>
  readonly expiresAtMs: number
}

/** A link for a letter. */
export interface LetterLink extends MadeLink {
  /** As the person has it: what was typed may only look like it. */
  readonly email: string
}

/** What whoever holds a link that still works is told. */
export interface LinkView {
  readonly purpose: LinkPurpose
  /** Absent where the person says it. */
  readonly email?: string | undefined
  readonly storeId?: string | undefined
  readonly role?: Role | undefined
  readonly expiresAtMs: number
  /** Who is known by its e-mail signs in to accept it. */
  readonly isForKnownPerson: boolean
  /** The link proves the e-mail, which the known person has never done: a new one may take it. */
  readonly mayTakeEmail: boolean
}

/** What somebody signs in with from now on. */
export type NewCredentials =
  | { readonly passkey: NewPasskey }
  | {
      readonly password: Secret<string>
      /** In base32, as the page has shown it. */
      readonly totp: Secret<string>
      /** A code of it: the authenticator works. */
      readonly code: Secret<string>
    }

/** What the holder of a link does with it. */
export type LinkClaim =
  | {
      readonly kind: 'new-person'
      readonly name: string
      /** Where the link names none. */
      readonly email?: string | undefined
      readonly credentials: NewCredentials
    }
  | { readonly kind: 'signed-in'; readonly session: Session }
  | { readonly kind: 'reset'; readonly credentials: NewCredentials }
  | { readonly kind: 'password'; readonly password: Secret<string>; readonly code: Secret<string> }
  /** With the session of the person who is signed in, if any. */
  | { readonly kind: 'demo'; readonly session?: Session | undefined }

/** Why credentials are not taken. */
export type CredentialsProblem = 'weak-password' | 'wrong-code' | 'passkey-taken'

/**
 * `gone`: unknown, used, expired, or not for this claim. `known-email` and `other-person`: the
 * link's person signs in to accept it.
 */
export type LinkProblem = CredentialsProblem | 'gone' | 'bad-email' | 'known-email' | 'other-person'

/** A link that was used. */
export interface UsedLink {
  readonly personId: string
  readonly storeId?: string | undefined
  /** Of a session that it opened; none where somebody was signed in. */
  readonly sessionId?: string | undefined
  /** The session is the one that was given, which goes on under this id and has stepped up. */
  readonly isProof?: true
  /** To be shown once; none where the person keeps its own. */
  readonly recoveryCodes: readonly Secret<string>[]
  /** Where the e-mail was another person's, which had not proved it. */
  readonly taken?: TakenEmail | undefined
}

/** An e-mail that a person lost, and the owners of its stores: they are to be told. */
export interface TakenEmail {
  readonly email: string
  readonly owners: readonly { readonly storeId: string; readonly email: string }[]
}

export type LinkResult = UsedLink | LinkProblem

/** `not-allowed`: the maker manages the store's people no more. */
export type LinkRefusal = 'bad-email' | 'no-store' | 'not-allowed'

export interface NewInvitation {
  readonly storeId: string
  readonly email: string
  readonly role: Role
  /** Default: both. The caller knows that the sandbox has the store. */
  readonly scope?: RoleScope | undefined
  /** The link goes to the e-mail alone, so it proves it; else it is handed over. */
  readonly way?: 'letter' | undefined
}

export interface Links {
  /** The same statements for known and unknown people. One that was made before ends. */
  invite(invitation: NewInvitation, by: By): Promise<MadeLink | LinkRefusal>
  /**
   * For the first owner of a store; where its owner has nothing left to sign in with, all
   * credentials anew. A link that was made before ends. Undefined where an owner can sign in.
   */
  forFirstOwner(storeId: string, by: By): Promise<MadeLink | undefined>
  /**
   * Signs in the owner of the demo store, who is made where the store has none. An owner without
   * password and passkey, who is signed in, confirms with it what wants a fresh proof. Undefined
   * when there is no such store.
   */
  forDemoOwner(storeId: string, by: By, livesMs: number): Promise<MadeLink | undefined>
  /** Ends the links for the demo store's owner that were not used. */
  endForDemoOwner(storeId: string): Promise<void>
  /** All credentials anew. Undefined when nobody has the e-mail. */
  reset(email: string, by: By): Promise<MadeLink | undefined>
  /**
   * To be sent to the e-mail that the person has, after the answer. Undefined when nobody who
   * signs in by password has the e-mail, or too many were asked for: three of the last hour, or
   * three of the day from this address. Links of letters before go on working.
   */
  forgotten(email: string, from: Origin): Promise<LetterLink | undefined>
  /** Changes nothing. Undefined for one that is unknown or cannot be used. */
  look(token: Secret<string>): Promise<LinkView | undefined>
  /** Once, in whichever process. A problem other than `gone` leaves it to be used. */
  use(token: Secret<string>, claim: LinkClaim, from: Origin): Promise<LinkResult>
  /** Those of a store that make people, and can still be used; the newest first. */
  open(storeId: string, scope?: RoleScope): Promise<readonly OpenLink[]>
  /** Ends one of them. */
  end(storeId: string, id: string, by: By): Promise<'done' | 'not-found' | 'not-allowed'>
}

/** With who made it. */
export interface OpenLink extends Who {
  /** Opens nothing. */
  readonly id: string
  readonly purpose: LinkPurpose
  readonly email?: string | undefined
  readonly role?: Role | undefined
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** A store that somebody works in. */
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
  /** Lost to who proved it: the person's id stands for its e-mail. */
  readonly formerEmail?: string | undefined
  readonly enabled: boolean
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly stores: readonly StoreOfPerson[]
  readonly createdAtMs: number
}

/** Somebody of a store's staff. */
export interface Member extends Omit<Person, 'stores'> {
  readonly role: Role
  readonly joinedAtMs: number
  /** Of a session that has not been swept. */
  readonly lastSeenAtMs?: number | undefined
  /** Passwords from unknown browsers wait: too many were wrong. */
  readonly isGuessedAt: boolean
}

/** Somebody's place in a store. */
export interface MemberId {
  readonly storeId: string
  readonly personId: string
  /** Default: both. */
  readonly scope?: RoleScope | undefined
}

/** `last-owner`: nobody who can sign in would own the store any more; the sandbox needs none. */
export type StaffResult = 'done' | 'not-found' | 'last-owner'

/** `not-allowed`: the actor manages the store's people no more. */
export type MembershipResult = StaffResult | 'not-allowed'

export type RenameResult = 'done' | 'not-found' | 'bad-email' | 'email-taken'

export interface Staff {
  members(storeId: string, scope?: RoleScope): Promise<readonly Member[]>
  storesOf(personId: string): Promise<readonly StoreOfPerson[]>
  setRole(member: MemberId, role: Role, by: By): Promise<MembershipResult>
  takeOut(member: MemberId, by: By): Promise<MembershipResult>
  /** Of all stores, for the command line. */
  list(): Promise<readonly Person[]>
  /**
   * Ends all sessions and links, and forgets the browsers. Refused while a store would be left
   * without an owner.
   */
  disable(email: string, by: By): Promise<StaffResult>
  enable(email: string, by: By): Promise<StaffResult>
  /** Gives a person, by its id or e-mail, another e-mail: for operators, who answer for it. */
  rename(which: { readonly person: string; readonly email: string }, by: By): Promise<RenameResult>
}

/** The credentials of whoever is signed in, who has stepped up. `ended`: the session is over. */
export interface OwnCredentials {
  passkeys(personId: string): Promise<readonly Passkey[]>
  /** Whoever has it, for a sign-in. */
  findPasskey(passkeyId: string): Promise<Passkey | undefined>
  addPasskey(
    session: Session,
    passkey: NewPasskey,
  ): Promise<'done' | 'passkey-taken' | 'too-many' | 'ended'>
  /** Refused where nothing would be left to sign in with. Other sessions end. */
  removePasskey(
    session: Session,
    passkeyId: string,
  ): Promise<'done' | 'not-found' | 'last-one' | 'ended'>
  /** Other sessions end; returns the new id of this one. */
  setPassword(
    session: Session,
    password: Secret<string>,
  ): Promise<OpenedSession | 'weak-password' | 'no-totp' | 'ended'>
  /**
   * With a password where the person has none. Other sessions end; returns the new id of this one.
   */
  setTotp(
    session: Session,
    totp: { readonly secret: Secret<string>; readonly code: Secret<string> },
    password?: Secret<string>,
  ): Promise<OpenedSession | 'weak-password' | 'wrong-code' | 'ended'>
  setName(session: Session, name: string): Promise<void>
  /** Ten, shown once; those from before are void. */
  newRecoveryCodes(session: Session): Promise<readonly Secret<string>[] | 'ended'>
  recoveryCodesLeft(personId: string): Promise<number>
  /** With an authenticator: without one a password opens nothing. */
  hasPassword(personId: string): Promise<boolean>
  sessions(personId: string): Promise<readonly Session[]>
  /** Those of the person but this one. */
  endOtherSessions(session: Session): Promise<void>
}

/** What people who see documents masked search by one. */
export interface DocumentSearches {
  /**
   * Counts a search as a miss before its outcome is known; after five misses none is allowed that
   * day. The digest is keyed: it stands for the document in the log of acts.
   */
  begin(
    personId: string,
    document: string,
  ): Promise<{ readonly isAllowed: boolean; readonly digest: string }>
  /** It was no miss. */
  found(personId: string): Promise<void>
}

/** The people of an installation: kept in production's database, by the machine's clock. */
export interface People {
  readonly acts: ActsLog
  readonly challenges: Challenges
  readonly links: Links
  readonly staff: Staff
  readonly documentSearches: DocumentSearches
  readonly own: OwnCredentials
  /** The same statements in the same order for everybody, known or not. */
  signIn(attempt: SignInAttempt): Promise<SignInResult>
  /** After its answer was verified. A passkey is both factors. */
  signInWithPasskey(use: PasskeyUse, from: Origin): Promise<OpenedSession | 'refused'>
  /**
   * One statement. Undefined when there is no such session or it is over. Access is undefined to a
   * store that the person does not work in.
   */
  find(
    idHash: string,
    storeId: string | undefined,
  ): Promise<{ readonly session: Session; readonly access: Access | undefined } | undefined>
  /**
   * The access that a session still gives, under whichever id it goes on. Undefined once it is
   * over, or the person is out of the store.
   */
  accessOf(session: Session, storeId: string): Promise<Access | undefined>
  /** Returns the session's new id. `ended`: too many proofs were wrong. */
  stepUp(
    session: Session,
    proof: StepUpProof,
    from: Origin,
  ): Promise<OpenedSession | 'refused' | 'ended'>
  signOut(session: Session): Promise<void>
  /** Deletes what is over: sessions, links, challenges, failures, forgotten browsers. */
  sweep(): Promise<void>
  /** Wraps by the current key what another key wrapped; returns how many. */
  rewrap(): Promise<number>
}
