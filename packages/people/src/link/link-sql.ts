import { randomBytes } from 'node:crypto'
import { DAY_MS, Secret } from '@cofre/contracts'
import { calledToday, insertAct } from '../log/acts-log-sql.js'
import { digestOf } from '../model/digest.js'
import { emailOf } from '../model/email.js'
import { isHonoured, useLink } from './link-use-sql.js'
import {
  EMAILS_OF_NETWORK,
  LETTERS,
  LETTERS_OF_ALL,
  countFailure,
  isKnownBrowser,
  letterKeys,
  networkKeys,
} from '../sign-in/lockout-sql.js'
import { endUnused, isOpenLink, purposesOf, scopeOf } from '../sign-in/open-link-sql.js'
import {
  type StaffOf,
  anyOwnerOf,
  isPerson,
  lockStaff,
  lockStore,
  mayManage,
  ownersOf,
} from '../log/owner-sql.js'
import type {
  By,
  LinkPurpose,
  LinkView,
  Links,
  IssuedLink,
  OpenLink,
  Origin,
} from '../model/people.js'
import type { ConsoleLinkRow } from '../model/people-tables.js'
import { OWN_ACT, actIn, originOf } from '../sign-in/sign-in-sql.js'
import { type Db, type PeopleDeps, type Unit, inUnit } from '../model/unit.js'

const TOKEN_BYTES = 32
const LINK_LIVES_MS = DAY_MS

/** Links for one use, stored only as hashes. */
export function createSqlLinks(deps: PeopleDeps): Links {
  return {
    invite: ({ storeId, email: typed, role, scope = 'both', way }, by) =>
      inUnit(deps, async (unit) => {
        const { trx } = unit
        const email = emailOf(typed)
        if (email === undefined) return 'bad-email'
        if (!(await lockStaff(trx, { storeId, scope }))) return 'no-store'
        if (!(await mayManage(trx, { storeId, scope }, by.actor))) return 'not-allowed'
        const purpose = scope === 'sandbox' ? 'sandbox-invite' : 'invite'
        await endUnused(trx, { purpose, merchant_id: storeId, email })
        const provesEmail = way === 'letter' || !isPerson(by.actor)
        const link = await makeLink(unit, { purpose, email, storeId, role, provesEmail }, by)
        await insertAct(unit, {
          ...madeBy(by, purpose),
          ...actIn(scope),
          storeId,
          detail: { purpose, email, role },
        })
        return link
      }),

    forFirstOwner: (storeId, by) =>
      inUnit(deps, async (unit) => {
        const { trx } = unit
        if (!(await lockStore(trx, storeId))) return undefined
        if ((await ownersOf(trx, [storeId])).length > 0) return undefined
        const lost = await anyOwnerOf(trx, storeId)
        if (lost !== undefined) return await resetLink(unit, lost, by)
        await endUnused(trx, { purpose: 'owner', merchant_id: storeId })
        const link = await makeLink(unit, { purpose: 'owner', storeId, role: 'owner' }, by)
        await insertAct(unit, { ...madeBy(by, 'owner'), storeId })
        return link
      }),

    forDemoOwner: (storeId, by, livesMs) =>
      inUnit(deps, async (unit) => {
        if (!(await lockStore(unit.trx, storeId))) return undefined
        const link = await makeLink(unit, { purpose: 'demo', storeId, role: 'owner', livesMs }, by)
        await insertAct(unit, { ...madeBy(by, 'demo'), storeId })
        return link
      }),

    endForDemoOwner: (storeId) =>
      inUnit(deps, ({ trx }) => endUnused(trx, { purpose: 'demo', merchant_id: storeId })),

    reset: (email, by) =>
      inUnit(deps, async (unit) => {
        const person = await personOf(unit.trx, email)
        return person && (await resetLink(unit, person.id, by))
      }),

    forgotten: (email, from) => inUnit(deps, (unit) => forgotten(unit, email, from)),
    view: (token) => findLinkView(deps, token),
    use: (token, claim, from) => useLink(deps, token, { claim, from }),
    open: (storeId, scope = 'both') => openLinks(deps, { storeId, scope }),
    end: (storeId, id, by) => inUnit(deps, (unit) => endLink(unit, { storeId, id }, by)),
  }
}

async function resetLink(unit: Unit, personId: string, by: By): Promise<IssuedLink> {
  await endUnused(unit.trx, { purpose: 'reset', person_id: personId })
  const link = await makeLink(unit, { purpose: 'reset', personId }, by)
  await insertAct(unit, { ...madeBy(by, 'reset'), target: personId })
  return link
}

/**
 * Runs the same statements for every e-mail that gets no letter. A new letter leaves earlier links
 * valid: otherwise a stranger's repeated requests would end the link that the person has just
 * received.
 */
async function forgotten(unit: Unit, email: string, from: Origin) {
  const { trx } = unit
  const typed = emailOf(email) ?? ''
  const { own, allTries } = letterKeys(typed, from.address)
  const counted = await countFailure(trx, { key: own, limit: LETTERS }, unit.nowMs)
  const ofAll = await countFailure(
    trx,
    { key: allTries, limit: LETTERS_OF_ALL, adds: counted.waitMs === 0 },
    unit.nowMs,
  )
  const person = await personOf(trx, typed)
  const isKnown = await isKnownBrowser(trx, person?.id ?? '', from.visitId)
  const isStranger = !isKnown && from.isOfNamedNetwork !== true
  const { emails } = networkKeys(from.address, 'letter')
  const ofNetwork = await countFailure(
    trx,
    { key: emails, limit: EMAILS_OF_NETWORK, adds: isStranger && counted.failures === 1 },
    unit.nowMs,
  )
  if (isStranger && ofNetwork.waitMs > 0) return undefined
  const isAble = person?.enabled === 1 && person.password !== null && person.totp !== null
  if (counted.waitMs > 0 || ofAll.waitMs > 0 || !isAble) return undefined
  const by: By = { ...originOf(from), actor: `person:${person.id}` }
  const link = await makeLink(unit, { purpose: 'password', personId: person.id }, by)
  await insertAct(unit, { ...madeBy(by, 'password'), target: person.id })
  return { ...link, email: person.email }
}

async function openLinks({ database, clock }: PeopleDeps, { storeId, scope }: StaffOf) {
  const rows = await database.reader
    .selectFrom('console_links')
    .selectAll()
    .where('merchant_id', '=', storeId)
    .where('purpose', 'in', purposesOf(scope))
    .where(isOpenLink(clock.now()))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row): OpenLink => ({
    id: row.token_hash,
    purpose: row.purpose,
    email: row.email ?? undefined,
    role: row.role ?? undefined,
    actor: row.created_by,
    actorName: row.maker_name ?? undefined,
    actorEmail: row.maker_email ?? undefined,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
  }))
}

async function endLink(
  unit: Unit,
  { storeId, id }: { readonly storeId: string; readonly id: string },
  { actor, address, browser }: By,
) {
  const { trx, nowMs } = unit
  const own = trx.selectFrom('console_links').select('purpose').where('token_hash', '=', id)
  const known = await own.executeTakeFirst()
  const scope = known === undefined ? 'both' : scopeOf(known)
  await lockStaff(trx, { storeId, scope })
  if (!(await mayManage(trx, { storeId, scope }, actor))) return 'not-allowed'
  const link = await trx
    .deleteFrom('console_links')
    .where('token_hash', '=', id)
    .where('merchant_id', '=', storeId)
    .where(isOpenLink(nowMs))
    .returningAll()
    .executeTakeFirst()
  if (link === undefined) return 'not-found'
  const { purpose, email, role } = link
  const detail = { purpose, ...(email !== null && { email }), ...(role !== null && { role }) }
  const act = { ...actIn(scope), actor, address, browser, storeId, detail } as const
  await insertAct(unit, { ...act, action: 'link-ended', outcome: 'done' })
  return 'done'
}

interface NewLink {
  readonly purpose: LinkPurpose
  readonly email?: string
  readonly personId?: string
  readonly storeId?: string
  readonly role?: NonNullable<ConsoleLinkRow['role']>
  readonly provesEmail?: boolean
  /** Default: a day. */
  readonly livesMs?: number
}

async function makeLink(
  { trx, nowMs }: Unit,
  { purpose, email, personId, storeId, role, provesEmail, livesMs = LINK_LIVES_MS }: NewLink,
  { actor }: By,
): Promise<IssuedLink> {
  const token = new Secret(randomBytes(TOKEN_BYTES).toString('base64url'))
  const expiresAtMs = nowMs + livesMs
  const { actor_name: makerName, actor_email: makerEmail } = calledToday(trx, actor)
  await trx
    .insertInto('console_links')
    .values({
      token_hash: digestOf(token.reveal()),
      purpose,
      email: email ?? null,
      person_id: personId ?? null,
      merchant_id: storeId ?? null,
      role: role ?? null,
      proves_email: provesEmail === true ? 1 : 0,
      created_by: actor,
      maker_name: makerName,
      maker_email: makerEmail,
      created_at: nowMs,
      expires_at: expiresAtMs,
      used_at: null,
    })
    .execute()
  return { token, expiresAtMs }
}

function madeBy({ actor, address, browser }: By, purpose: LinkPurpose) {
  const act = { action: 'link-made', outcome: 'done', detail: { purpose } } as const
  return { ...OWN_ACT, ...act, actor, address, browser }
}

export async function personOf(trx: Db, email: string) {
  return await trx
    .selectFrom('people')
    .selectAll()
    .where('email', '=', emailOf(email) ?? '')
    .executeTakeFirst()
}

async function findLinkView(
  { database, clock, demoStoreId }: PeopleDeps,
  token: Secret<string>,
): Promise<LinkView | undefined> {
  const row = await database.reader
    .selectFrom('console_links')
    .leftJoin('people', (join) =>
      join.on((on) =>
        on.or([
          on('people.id', '=', on.ref('console_links.person_id')),
          on('people.email', '=', on.ref('console_links.email')),
        ]),
      ),
    )
    .select(['purpose', 'merchant_id', 'role', 'expires_at'])
    .select(['console_links.email', 'people.id as known', 'people.email as known_email'])
    .select(['proves_email', 'people.email_proved_at'])
    .where('token_hash', '=', digestOf(token.reveal()))
    .where(isOpenLink(clock.now()))
    .executeTakeFirst()
  if (row === undefined || !isHonoured(row, demoStoreId)) return undefined
  return {
    purpose: row.purpose,
    email: row.email ?? row.known_email ?? undefined,
    storeId: row.merchant_id ?? undefined,
    role: row.role ?? undefined,
    expiresAtMs: row.expires_at,
    isForKnownPerson: row.known !== null,
    mayTakeEmail: row.proves_email === 1 && row.known !== null && row.email_proved_at === null,
  }
}
