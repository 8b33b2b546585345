import type { Secret } from '@cofre/contracts'
import { insertAct } from '../log/acts-log-sql.js'
import {
  type CheckedCredentials,
  checkCredentials,
  replaceCredentials,
  replaceRecoveryCodes,
} from '../credential/credentials-sql.js'
import { digestOf } from '../model/digest.js'
import { demoOwnerOf, isWithoutProof } from './demo-owner-sql.js'
import { emailOf } from '../model/email.js'
import { freeEmail, recordEmailLost, proveEmail } from './email-sql.js'
import {
  PROOFS,
  countFailure,
  endCount,
  forgetBrowsersOf,
  letterKeys,
} from '../sign-in/lockout-sql.js'
import { endInvitationsBy, isOpenLink, scopeOf } from '../sign-in/open-link-sql.js'
import { lockStaff, membershipsOf } from '../log/owner-sql.js'
import { isStrongPassword } from '../model/password.js'
import type { LinkClaim, LinkProblem, LinkResult, Origin, UsedLink } from '../model/people.js'
import type { ConsoleLinkRow, PersonRow } from '../model/people-tables.js'
import { insertPerson } from './person-sql.js'
import { endSessionsOf, isLive, renewSession } from '../sign-in/session-sql.js'
import { actIn, enter, originOf, useCode } from '../sign-in/sign-in-sql.js'
import { type PeopleDeps, type Unit, inUnit } from '../model/unit.js'

/** Rolls back the unit of work: the link is not used. */
class LinkProblemError extends Error {
  readonly problem: LinkProblem
  constructor(problem: LinkProblem) {
    super(`the link was not used: ${problem}`)
    this.name = 'LinkProblemError'
    this.problem = problem
  }
}

/** A claim that passed every check that needs no row. */
type CheckedClaim =
  | {
      readonly kind: 'new-person'
      readonly name: string
      readonly email: string
      readonly credentials: CheckedCredentials
    }
  | { readonly kind: 'reset'; readonly credentials: CheckedCredentials }
  | { readonly kind: 'password'; readonly password: string; readonly code: Secret<string> }
  | Extract<LinkClaim, { kind: 'signed-in' | 'demo' }>

export async function useLink(
  deps: PeopleDeps,
  token: Secret<string>,
  { claim, from }: { readonly claim: LinkClaim; readonly from: Origin },
): Promise<LinkResult> {
  const tokenHash = digestOf(token.reveal())
  const begun = await beginUse(deps, tokenHash, claim)
  if (typeof begun === 'string') return begun
  const checked = await checkClaim(deps, claim, begun)
  if (typeof checked === 'string') return checked
  try {
    return await inUnit(deps, async (unit) => {
      const link = await useLinkOnce(unit, tokenHash)
      if (link === undefined) throw new LinkProblemError('gone')
      return await useFor(unit, { link, claim: checked, from })
    })
  } catch (error) {
    if (error instanceof LinkProblemError) return error.problem
    throw error
  }
}

/**
 * Reads the link, and counts a guess at a code before it is checked: after five guesses the link is
 * over.
 */
async function beginUse(
  deps: PeopleDeps,
  tokenHash: string,
  claim: LinkClaim,
): Promise<{ readonly email: string | undefined } | 'gone' | 'weak-password'> {
  return await inUnit(deps, async (unit) => {
    const link = await openLink(unit, tokenHash)
    if (link === undefined || !isFor(link, claim)) return 'gone'
    if (!isHonoured(link, deps.demoStoreId)) return 'gone'
    const person = await personOfLink(unit, link)
    const email = link.email ?? person?.email
    if (claim.kind === 'password') {
      // The answer reveals nothing about a code, so it counts as no guess.
      if (!isStrongPassword(claim.password, email ?? '')) return 'weak-password'
      const key = digestOf(tokenHash, 'link')
      const { waitMs } = await countFailure(unit.trx, { key, limit: PROOFS }, unit.nowMs)
      if (waitMs > 0) return 'gone'
    }
    return { email }
  })
}

/** False for a demo link that is not for the demo store, or without a demo store. */
export function isHonoured(
  { purpose, merchant_id }: Pick<ConsoleLinkRow, 'purpose' | 'merchant_id'>,
  demoStoreId: string | undefined,
): boolean {
  return purpose !== 'demo' || merchant_id === demoStoreId
}

function isFor({ purpose }: ConsoleLinkRow, { kind }: LinkClaim): boolean {
  if (purpose === 'reset' || purpose === 'password' || purpose === 'demo') return kind === purpose
  return kind === 'new-person' || kind === 'signed-in'
}

async function checkClaim(
  deps: PeopleDeps,
  claim: LinkClaim,
  { email: known }: { readonly email: string | undefined },
): Promise<CheckedClaim | LinkProblem> {
  if (claim.kind === 'signed-in' || claim.kind === 'demo') return claim
  const email = known ?? (claim.kind === 'new-person' ? emailOf(claim.email ?? '') : undefined)
  if (email === undefined) return 'bad-email'
  if (claim.kind === 'password') {
    return { ...claim, password: await deps.passwords.hash(claim.password) }
  }
  const credentials = await checkCredentials(deps, claim.credentials, email)
  if (typeof credentials === 'string') return credentials
  return claim.kind === 'reset'
    ? { kind: 'reset', credentials }
    : { kind: 'new-person', name: claim.name, email, credentials }
}

async function openLink({ trx, nowMs }: Unit, tokenHash: string) {
  return await trx
    .selectFrom('console_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where(isOpenLink(nowMs))
    .executeTakeFirst()
}

/**
 * Uses a link once, in any process. The store is locked first, so that the maker's right is checked
 * after concurrent changes of its people.
 */
async function useLinkOnce(unit: Unit, tokenHash: string) {
  const { trx, nowMs } = unit
  const link = await openLink(unit, tokenHash)
  if (link === undefined) return undefined
  const storeId = link.merchant_id ?? undefined
  if (storeId !== undefined) await lockStaff(trx, { storeId, scope: scopeOf(link) })
  return await trx
    .updateTable('console_links')
    .set({ used_at: nowMs })
    .where('token_hash', '=', tokenHash)
    .where(isOpenLink(nowMs))
    .returningAll()
    .executeTakeFirst()
}

async function personOfLink({ trx }: Unit, { person_id: id }: ConsoleLinkRow) {
  if (id === null) return undefined
  return await trx.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
}

interface Use {
  readonly link: ConsoleLinkRow
  readonly claim: CheckedClaim
  readonly from: Origin
}

async function useFor(unit: Unit, { link, claim, from }: Use): Promise<UsedLink> {
  const { trx } = unit
  switch (claim.kind) {
    case 'new-person': {
      const isProved = link.proves_email === 1
      const before = isProved ? await freeEmail(unit, claim.email) : undefined
      const personId = await insertPerson(unit, claim)
      if (personId === undefined) throw new LinkProblemError('known-email')
      if (isProved) await proveEmail(unit, personId)
      await setCredentials(unit, personId, claim.credentials)
      const taken = before && (await recordEmailLost(unit, before, { by: personId, from }))
      await join(unit, { link, personId, from })
      return { ...(await entered(unit, { link, personId, from }, true)), taken }
    }
    case 'signed-in': {
      const { personId, email } = claim.session
      if (link.email !== null && link.email !== email) throw new LinkProblemError('other-person')
      if (!(await isLive(unit, claim.session))) throw new LinkProblemError('gone')
      await join(unit, { link, personId, from })
      if (link.proves_email === 1) await proveEmail(unit, personId)
      return { personId, storeId: link.merchant_id ?? undefined, recoveryCodes: [] }
    }
    case 'reset': {
      const person = await enabledPersonOf(unit, link)
      await endSessionsOf(trx, person.id)
      await forgetBrowsersOf(trx, person.id)
      await endInvitationsBy(trx, person.id)
      await setCredentials(unit, person.id, claim.credentials)
      await recordLinkUse(unit, { link, personId: person.id, from }, 'person-reset')
      return await entered(unit, { link, personId: person.id, from }, true)
    }
    case 'password': {
      return await changePassword(unit, { link, claim, from })
    }
    case 'demo': {
      return await enterAsDemoOwner(unit, { link, claim, from })
    }
  }
}

/** A session of that owner, who has no other proof, is proved by the link. */
async function enterAsDemoOwner(
  unit: Unit,
  { link, claim, from }: Use & { readonly claim: Extract<CheckedClaim, { kind: 'demo' }> },
): Promise<UsedLink> {
  const storeId = link.merchant_id ?? undefined
  const owner = storeId === undefined ? undefined : await demoOwnerOf(unit, storeId)
  if (owner === undefined) throw new LinkProblemError('gone')
  const personId = owner.id
  if (owner.isNew) await join(unit, { link, personId, from })
  const { session } = claim
  const isSame = session?.personId === personId && (await isLive(unit, session))
  if (!isSame || !(await isWithoutProof(unit, personId)))
    return await entered(unit, { link, personId, from }, false)
  const renewed = await renewSession(unit.trx, session, { stepped_up_at: unit.nowMs })
  if (renewed === undefined) throw new LinkProblemError('gone')
  return { ...renewed, storeId, recoveryCodes: [], isProof: true }
}

async function changePassword(
  unit: Unit,
  { link, claim, from }: Use & { readonly claim: Extract<CheckedClaim, { kind: 'password' }> },
): Promise<UsedLink> {
  const { trx, nowMs } = unit
  const person = await enabledPersonOf(unit, link)
  if (!(await useCode(unit, person, claim.code))) throw new LinkProblemError('wrong-code')
  await endSessionsOf(trx, person.id)
  // A stranger may have known the password until now.
  await forgetBrowsersOf(trx, person.id)
  await endInvitationsBy(trx, person.id)
  // The letter went to this e-mail.
  await proveEmail(unit, person.id)
  await trx
    .updateTable('people')
    .set({ password: claim.password, credentials_at: nowMs })
    .where('id', '=', person.id)
    .execute()
  await trx
    .deleteFrom('console_links')
    .where('person_id', '=', person.id)
    .where('purpose', '=', 'password')
    .where('used_at', 'is', null)
    .execute()
  // A person who forgets this password too need not wait.
  for (const key of Object.values(letterKeys(person.email, from.address))) await endCount(trx, key)
  await recordLinkUse(unit, { link, personId: person.id, from }, 'password-changed')
  return await entered(unit, { link, personId: person.id, from }, false)
}

/** Locked, so that no passkey is added while the person gets new credentials. */
async function lockPersonOf({ trx }: Unit, { person_id: id }: ConsoleLinkRow) {
  if (id === null) return undefined
  const people = trx.selectFrom('people').selectAll().where('id', '=', id)
  return await people.forUpdate().executeTakeFirst()
}

async function enabledPersonOf(unit: Unit, link: ConsoleLinkRow): Promise<PersonRow> {
  const person = await lockPersonOf(unit, link)
  if (person?.enabled !== 1) throw new LinkProblemError('gone')
  return person
}

async function setCredentials(
  unit: Unit,
  personId: string,
  credentials: CheckedCredentials,
): Promise<void> {
  if (!(await replaceCredentials(unit, personId, credentials)))
    throw new LinkProblemError('passkey-taken')
}

interface UsedBy {
  readonly link: ConsoleLinkRow
  readonly personId: string
  readonly from: Origin
}

/**
 * An owner's role is never lowered. A person who joins a store loses a role in its sandbox alone:
 * otherwise that role would remain after a later removal.
 */
async function join(unit: Unit, used: UsedBy): Promise<void> {
  const { link, personId: person_id } = used
  const { merchant_id, role } = link
  const { trx, nowMs } = unit
  if (merchant_id === null || role === null) throw new LinkProblemError('gone')
  const scope = scopeOf(link)
  const table = membershipsOf(scope)
  await trx
    .insertInto(table)
    .values({ merchant_id, person_id, role, created_at: nowMs })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'person_id'])
        .doUpdateSet({ role })
        .where(`${table}.role`, '<>', 'owner'),
    )
    .execute()
  if (scope === 'both')
    await trx
      .deleteFrom('sandbox_memberships')
      .where((of) => of.and({ merchant_id, person_id }))
      .execute()
  await recordLinkUse(unit, used, 'joined')
}

async function recordLinkUse(
  unit: Unit,
  { link, personId, from }: UsedBy,
  action: 'joined' | 'person-reset' | 'password-changed',
): Promise<void> {
  await insertAct(unit, {
    ...actIn(scopeOf(link)),
    ...originOf(from),
    storeId: link.merchant_id ?? undefined,
    actor: `person:${personId}`,
    action,
    target: personId,
    outcome: 'done',
    detail: { link: link.purpose, ...(link.role !== null && { role: link.role }) },
  })
}

async function entered(
  unit: Unit,
  { link, personId, from }: UsedBy,
  withCodes: boolean,
): Promise<UsedLink> {
  const recoveryCodes = withCodes ? await replaceRecoveryCodes(unit.trx, personId) : []
  const by = { id: personId, by: 'link' } as const
  const { sessionId } = await enter(unit, by, from)
  return { personId, storeId: link.merchant_id ?? undefined, sessionId, recoveryCodes }
}
