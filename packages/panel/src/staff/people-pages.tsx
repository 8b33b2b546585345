import { fill } from '@cofre/pages'
import {
  type By,
  type DrawnSecret,
  type IssuedLink,
  type Member,
  type OpenLink,
  ROLES,
  type Role,
} from '@cofre/people'
import { actorText } from '../part/act-text.js'
import {
  type ActionRule,
  type ConsolePages,
  type ActionResult,
  done,
  refused,
} from '../frame/console-pages.js'
import type { Flash } from '../frame/flash.js'
import { originOf } from '../frame/page-act.js'
import type { ConsolePeople, PanelParts, PeopleParts } from '../visit/panel-parts.js'
import { Copyable, Facts, PostForm, Select, Time } from '../part/parts.js'
import { type Form, type Visit, useView, useTexts } from '../visit/visit.js'
import {
  type ScopedMember,
  drawnSecrets,
  findMember,
  memberIdOf,
  scopeOf,
  scopesOf,
  staffOf,
} from './staff-scope.js'
import { STAFF_TEXTS } from './texts.js'

const MANAGE = { needs: 'people:manage', stepUp: true } as const
const INVITE = { ...MANAGE, act: 'link-made' } as const satisfies ActionRule
const END_LINK = { ...MANAGE, act: 'link-ended' } as const satisfies ActionRule
const SET_ROLE = { ...MANAGE, act: 'role-changed' } as const satisfies ActionRule
const REMOVE = { ...MANAGE, act: 'taken-out' } as const satisfies ActionRule
const EMAIL_LENGTH_MAX = 254

/** The people of a store, their invitations and roles. */
export function peoplePages({ page, action }: ConsolePages, parts: PeopleParts): void {
  const { people } = parts
  page('/people', async (visit) => {
    const { storeId } = visit
    const [staff, open] = await Promise.all([
      staffOf(people, visit),
      Promise.all(scopesOf(visit).map((scope) => people.links.open(storeId, scope))),
    ])
    const links = open.flat()
    const body = (
      <>
        <MemberTable members={staff} />
        <Invite isMailed={parts.mailer !== undefined} />
        {links.length > 0 && <OpenLinks links={links} />}
      </>
    )
    return { body }
  })

  page('/people/:id', { needs: 'people:manage' }, async (visit) => {
    const member = await findMember(people, visit)
    if (member === undefined) return undefined
    const secrets = await drawnSecrets(people, visit, member)
    return { title: member.name, body: <MemberCard member={member} secrets={secrets} /> }
  })

  action('/people/invite', INVITE, (visit, form) => invite(visit, form, { parts, people }))

  action('/people/links/end', END_LINK, async (visit, form) => {
    const result = await people.links.end(visit.storeId, form.get('link') ?? '', byOf(visit, parts))
    if (result === 'done') return done('link-ended')
    return refused(result === 'not-found' ? 'gone' : result)
  })

  action('/people/:id/role', SET_ROLE, async (visit, form) => {
    const role = roleOf(form)
    if (role === undefined) return refused('form-incomplete')
    const member = await findMember(people, visit)
    if (member === undefined) return refused('gone')
    const place = memberIdOf(visit, member)
    const result = await people.staff.setRole(place, role, byOf(visit, parts))
    return result === 'done' ? done('role-changed') : refused(STAFF_FLASHES[result])
  })

  action('/people/:id/remove', REMOVE, async (visit) => {
    const beside = { to: visit.view.at('/people') }
    const member = await findMember(people, visit)
    if (member === undefined) return refused('gone', beside)
    const secrets = await drawnSecrets(people, visit, member)
    const result = await people.staff.remove(memberIdOf(visit, member), byOf(visit, parts))
    if (result !== 'done') return refused(STAFF_FLASHES[result], beside)
    return done(secrets.length === 0 ? 'taken-out' : 'taken-out-with-secret', beside)
  })
}

const STAFF_FLASHES = {
  'not-found': 'gone',
  'last-owner': 'last-owner',
  'not-allowed': 'not-allowed',
} as const satisfies Readonly<Record<string, Flash>>

function byOf({ access, c }: Visit, parts: PanelParts): By {
  if (access.kind !== 'person') throw new Error('a store’s secret manages no people')
  const { address, browser } = originOf(c, parts)
  return { actor: `person:${access.personId}`, address, browser }
}

function roleOf(form: Form): Role | undefined {
  return ROLES.find((known) => known === form.get('role'))
}

interface Invites {
  readonly parts: PanelParts
  readonly people: ConsolePeople
}

async function invite(visit: Visit, form: Form, { parts, people }: Invites): Promise<ActionResult> {
  const { access, storeId, view } = visit
  const role = roleOf(form)
  const email = (form.get('email') ?? '').trim()
  if (role === undefined || email === '') return refused('form-incomplete')
  const isMailable = parts.mailer !== undefined && form.get('way') !== 'by-hand'
  const invitation = { storeId, email, role, scope: scopeOf(access) }
  const by = byOf(visit, parts)
  const way = isMailable ? ('letter' as const) : undefined
  const link = await people.links.invite({ ...invitation, way }, by)
  if (typeof link === 'string') return refused(link === 'no-store' ? 'gone' : link)
  const urlOf = ({ token }: IssuedLink) => `${parts.publicUrl}/link/${token.reveal()}`
  const isMailed = isMailable && (await mail(visit, parts, { to: email, role, url: urlOf(link) }))
  const { title } = STAFF_TEXTS[view.language].people.invitation
  // A mailed link proves the e-mail, so it is not shown. A link to hand over is a new one.
  if (isMailed) return { once: { title, body: <Invitation email={email} isMailed={true} /> } }
  const again = isMailable ? await people.links.invite(invitation, by) : link
  if (typeof again === 'string') return refused(again === 'no-store' ? 'gone' : again)
  const shown = { email, url: urlOf(again), isMailed: isMailable ? false : undefined }
  return { once: { title, body: <Invitation {...shown} /> } }
}

/** True if the mail server accepted the mail. */
async function mail(
  { storeId, view }: Visit,
  { log, mailer }: PanelParts,
  { to, role, url }: { readonly to: string; readonly role: Role; readonly url: string },
): Promise<boolean> {
  if (mailer === undefined) return false
  const people = STAFF_TEXTS[view.language].people
  const { roles } = view.texts
  const { subject, text } = people.letter
  try {
    const filled = fill(text, { store: storeId, role: roles[role], link: url })
    await mailer.send({ to, subject: fill(subject, { store: storeId }), text: filled })
    return true
  } catch (error) {
    log.warn({ error }, 'an invitation was not sent')
    return false
  }
}

interface InvitationProps {
  readonly email: string
  /** Absent if the link was mailed. */
  readonly url?: string | undefined
  readonly isMailed: boolean | undefined
}

/** Shown once: only the link's hash is stored. */
function Invitation({ email, url, isMailed }: InvitationProps) {
  const { at } = useView()
  const texts = useTexts(STAFF_TEXTS).people.invitation
  return (
    <section class="card">
      {isMailed !== undefined && (
        <p class={`flash ${isMailed ? 'good' : 'bad'}`} role="status">
          {fill(isMailed ? texts.mailed : texts.notMailed, { email })}
        </p>
      )}
      {url !== undefined && (
        <>
          <p>{fill(texts.text, { email })}</p>
          <Copyable id="invitation" text={url} label={texts.link} block />
        </>
      )}
      <p>
        <a class="button" href={at('/people')}>
          {texts.back}
        </a>
      </p>
    </section>
  )
}

function MemberTable({ members }: { readonly members: readonly ScopedMember[] }) {
  const { at, texts: all } = useView()
  const texts = useTexts(STAFF_TEXTS).people
  return (
    <table class="list card" aria-label={texts.title}>
      <thead>
        <tr>
          <th scope="col">{texts.name}</th>
          <th scope="col">{texts.role}</th>
          <th scope="col">{texts.state}</th>
          <th scope="col">{texts.lastSeen}</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr>
            <th scope="row" data-label={texts.name}>
              <a class="row-link" href={at(`/people/${member.id}`)}>
                {member.name}
              </a>{' '}
              <span class="minor">{member.formerEmail ?? member.email}</span>
            </th>
            <td data-label={texts.role}>
              <RoleName member={member} />
            </td>
            <td data-label={texts.state}>
              <MemberState member={member} />
            </td>
            <td data-label={texts.lastSeen}>
              {member.lastSeenAtMs === undefined ? (
                all.frame.none
              ) : (
                <Time ms={member.lastSeenAtMs} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RoleName({ member: { role, scope } }: { readonly member: ScopedMember }) {
  const { frame, roles } = useView().texts
  return (
    <>
      {roles[role]}
      {scope === 'sandbox' && <span class="minor"> ({frame.sandbox})</span>}
    </>
  )
}

function proofOf({ formerEmail, isEmailProved }: Member) {
  if (formerEmail !== undefined) return 'lost'
  return isEmailProved ? 'proved' : 'unproved'
}

function MemberState({ member }: { readonly member: Member }) {
  const { states } = useTexts(STAFF_TEXTS).people
  const { enabled, formerEmail, hasPassword, isGuessedAt, passkeys } = member
  if (!enabled) return <span class="badge bad">{states.disabled}</span>
  if (formerEmail !== undefined) return <span class="badge bad">{states.emailLost}</span>
  if (isGuessedAt) return <span class="badge waiting">{states.guessedAt}</span>
  if (!hasPassword && passkeys === 0) return <span class="badge waiting">{states.lost}</span>
  return <span class="badge good">{states.active}</span>
}

function RoleSelect({ chosen }: { readonly chosen?: Role }) {
  const texts = useTexts(STAFF_TEXTS).people
  const { roles } = useView().texts
  return <Select name="role" label={texts.role} options={roles} {...(chosen && { chosen })} />
}

function RoleHint() {
  const texts = useTexts(STAFF_TEXTS).people
  const { roles } = useView().texts
  return (
    <details data-keep="roles">
      <summary>{texts.whatRolesMay}</summary>
      <Facts facts={ROLES.map((role) => [roles[role], texts.roleTexts[role]] as const)} />
    </details>
  )
}

function Invite({ isMailed }: { readonly isMailed: boolean }) {
  const { at } = useView()
  const texts = useTexts(STAFF_TEXTS).people
  return (
    <section class="card">
      <h2>{texts.invite}</h2>
      <PostForm action={at('/people/invite')}>
        <label>
          {texts.email}
          <input
            name="email"
            type="email"
            required
            autocomplete="off"
            maxlength={EMAIL_LENGTH_MAX}
          />
        </label>
        <RoleSelect chosen="support" />
        {isMailed && (
          <Select
            name="way"
            label={texts.way}
            options={{ letter: texts.ways.letter, 'by-hand': texts.ways.byHand }}
            chosen="letter"
          />
        )}
        <p class="hint">{isMailed ? texts.inviteByMail : texts.inviteByLink}</p>
        <button>{texts.inviteButton}</button>
      </PostForm>
      <RoleHint />
    </section>
  )
}

function OpenLinks({ links }: { readonly links: readonly OpenLink[] }) {
  const view = useView()
  const texts = STAFF_TEXTS[view.language].people
  const { roles } = view.texts
  return (
    <section class="card">
      <h2>{texts.open}</h2>
      <ul>
        {links.map(({ id, email, expiresAtMs, role, ...who }) => (
          <li class="row">
            <span>
              {email ?? texts.firstOwner} {role !== undefined && `(${roles[role]})`}
            </span>
            <span class="minor">
              {fill(texts.madeBy, { who: actorText(who, view) })}, {texts.worksUntil}{' '}
              <Time ms={expiresAtMs} />
            </span>
            <PostForm action={view.at('/people/links/end')}>
              <input type="hidden" name="link" value={id} />
              <button class="quiet">{texts.endLink}</button>
            </PostForm>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface MemberCardProps {
  readonly member: ScopedMember
  readonly secrets: readonly DrawnSecret[]
}

function MemberCard({ member, secrets }: MemberCardProps) {
  const { at, texts: all } = useView()
  const texts = useTexts(STAFF_TEXTS).people
  const address = at(`/people/${member.id}`)
  return (
    <>
      <section class="card">
        <Facts
          facts={[
            [texts.email, member.formerEmail ?? member.email],
            [texts.proof, texts.proofs[proofOf(member)]],
            [texts.role, <RoleName member={member} />],
            [texts.state, <MemberState member={member} />],
            [texts.joined, <Time ms={member.joinedAtMs} />],
            [
              texts.lastSeen,
              member.lastSeenAtMs !== undefined && <Time ms={member.lastSeenAtMs} />,
            ],
            [texts.passkeys, String(member.passkeys)],
            ...secrets.map(({ environment, atMs }) => {
              const value = (
                <>
                  <Time ms={atMs} /> ({all.frame[environment]})
                </>
              )
              return [texts.drewSecret, value] as const
            }),
          ]}
        />
        <p>
          <a href={at(`/acts?${new URLSearchParams({ person: member.id }).toString()}`)}>
            {texts.acts}
          </a>
        </p>
      </section>
      <section class="card">
        <h2>{texts.changeRole}</h2>
        <PostForm action={`${address}/role`}>
          <RoleSelect chosen={member.role} />
          <button>{texts.save}</button>
        </PostForm>
        <RoleHint />
      </section>
      <section class="card">
        <h2>{texts.remove}</h2>
        <p>{texts.removeText}</p>
        {secrets.length > 0 && <p class="flash bad">{texts.removeWithSecret}</p>}
        <PostForm action={`${address}/remove`}>
          <button class="bad">{fill(texts.removeButton, { name: member.name })}</button>
        </PostForm>
      </section>
    </>
  )
}
