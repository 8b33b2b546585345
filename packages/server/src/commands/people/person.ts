import type { Environment } from '@cofre/contracts'
import {
  type By,
  type MembershipResult,
  type Person,
  type Role,
  type RoleScope,
  emailOf,
} from '@cofre/people'
import { SetupError } from '../../config/errors.js'
import { presentEnvironments } from '../../installation/databases.js'
import type { OpenedStores } from '@cofre/gateway/upkeep'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  gatewayConfig,
  operator,
  table,
  timeText,
  sandboxOption,
} from '../line/command.js'
import { unknownStore, withStores } from '../store/opened-stores.js'

interface PersonOptions {
  readonly email: string
}

/** A person's membership in a store. In the sandbox, it is for the sandbox only. */
interface PlaceOptions extends PersonOptions, InEnvironment {
  readonly store: string
}

interface AddOptions extends PlaceOptions {
  readonly role: Role
}

const LIST_HINT = 'see cofre person list'

/** `cofre person`: people of the console, who are in production's database. */
export const personCommands = {
  'person add': add,
  'person uninvite': uninvite,
  'person remove': remove,
  'person rename': rename,
  'person list': list,
  'person disable': enabling(false),
  'person enable': enabling(true),
  'person reset': reset,
}

function withPeople<T>(
  context: CommandContext,
  work: (people: OpenedStores['people']) => Promise<T>,
): Promise<T> {
  return withStores(context, { environment: 'production' }, ({ people }) => work(people))
}

function byOperator(): By {
  return { actor: operator(), address: '', browser: '' }
}

function scopeIn(environment: Environment): RoleScope {
  return environment === 'sandbox' ? 'sandbox' : 'both'
}

/** An invitation to a production store also opens its sandbox. @throws SetupError */
async function requireSandboxAlone(context: CommandContext, store: string): Promise<void> {
  const [sandbox, production] = await Promise.all(
    (['sandbox', 'production'] as const).map((environment) =>
      withStores(context, { environment }, ({ stores }) => stores.find(store)),
    ),
  )
  if (production !== undefined)
    throw new SetupError(
      `The store ${store} is in production, and its staff also see its sandbox`,
      'leave out --sandbox',
    )
  if (sandbox === undefined) throw unknownStore(store, 'sandbox')
}

async function add(
  context: CommandContext,
  { email, environment, role, store }: AddOptions,
): Promise<Shown> {
  if (environment === 'sandbox') await requireSandboxAlone(context, store)
  const invitation = { storeId: store, email, role, scope: scopeIn(environment) }
  const { link, known } = await withPeople(context, async ({ links, staff }) => ({
    link: await links.invite(invitation, byOperator()),
    known: (await staff.list()).find((person) => person.email === emailOf(email)),
  }))
  if (typeof link === 'string') throw unknownStore(store, 'production')
  const shown = shownLink(context, link)
  const isAlone = environment === 'sandbox'
  const where = isAlone ? `in the sandbox of the store ${store}` : `of the store ${store}`
  const text = `${email} becomes ${role} ${where} by this link:\n${shown.url}\n${shown.text}${hintFor(known)}`
  const data = { email, store, role, ...(isAlone && { environment }), ...shown.data }
  return { data, text }
}

/** A known person signs in to accept a link. */
function hintFor(known: Person | undefined): string {
  if (known === undefined) return ''
  if (!known.enabled)
    return `${known.email} is disabled: cofre person enable ${known.email} comes first.\n`
  return known.hasPassword || known.passkeys > 0
    ? `${known.email} already has access, and signs in to accept.\n`
    : `${known.email} has no credentials: cofre person reset ${known.email} comes first.\n`
}

async function reset(context: CommandContext, { email }: PersonOptions): Promise<Shown> {
  const link = await withPeople(context, ({ links }) => links.reset(email, byOperator()))
  if (link === undefined) throw unknownPerson(email)
  const shown = shownLink(context, link)
  const text = `${email} sets a new password and authenticator by this link:\n${shown.url}\n${shown.text}`
  return { data: { email, ...shown.data }, text }
}

async function uninvite(
  context: CommandContext,
  { email, environment, store }: PlaceOptions,
): Promise<Shown> {
  const ended = await withPeople(context, async ({ links }) => {
    const open = await links.open(store, scopeIn(environment))
    const own = open.filter((link) => link.email === emailOf(email))
    const results = await Promise.all(own.map(({ id }) => links.end(store, id, byOperator())))
    return results.includes('done')
  })
  if (!ended)
    throw new SetupError(`${email} has no open invitation to the store ${store}`, LIST_HINT)
  const text = `The invitation link of ${email} no longer works.\n`
  return { data: { email, store }, text }
}

async function remove(
  context: CommandContext,
  { email, environment, store }: PlaceOptions,
): Promise<Shown> {
  const scope = scopeIn(environment)
  const result = await withPeople(context, async ({ staff }) => {
    const members = await staff.members(store, scope)
    const member = members.find((one) => one.email === emailOf(email))
    if (member === undefined) return 'not-found'
    return await staff.remove({ storeId: store, personId: member.id, scope }, byOperator())
  })
  const where = `the store ${store}${environment === 'sandbox' ? ' in the sandbox only' : ''}`
  if (result === 'not-found') throw new SetupError(`${email} has no role at ${where}`, LIST_HINT)
  refuse(result, email)
  const secrets = await secretsOf(context, email, store)
  return { data: { email, store }, text: `${email} no longer has a role at ${where}.\n${secrets}` }
}

interface RenameOptions extends PersonOptions {
  /** Its e-mail, or its id if it has none. */
  readonly person: string
}

async function rename(context: CommandContext, which: RenameOptions): Promise<Shown> {
  const result = await withPeople(context, ({ staff }) => staff.rename(which, byOperator()))
  const { email, person } = which
  if (result === 'not-found') throw unknownPerson(person)
  if (result !== 'done') throw new SetupError(`${email} is the e-mail of another person`, LIST_HINT)
  return { data: { person, email }, text: `${person} now signs in as ${email}.\n` }
}

type PersonLink = NonNullable<Awaited<ReturnType<OpenedStores['people']['links']['reset']>>>

function shownLink(context: CommandContext, { token, expiresAtMs }: PersonLink) {
  const { publicUrl } = context.config('dev').endpoints.panel
  const url = `${publicUrl}/link/${token.reveal()}`
  const expiresAt = timeText(expiresAtMs)
  const text = `It works once, until ${expiresAt}, and is not shown again.\n`
  return { url, text, data: { url, expiresAt } }
}

async function list(
  context: CommandContext,
  { store }: { readonly store?: string },
): Promise<Shown> {
  const inSandbox = await storesOfSandbox(context)
  const { people, invitations } = await withStores(
    context,
    { environment: 'production' },
    async ({ people: { staff, links }, stores }) => {
      const both = (await stores.list()).map(({ id }) => ({ id, scope: 'both' }) as const)
      const alone = inSandbox.map((id) => ({ id, scope: 'sandbox' }) as const)
      const asked = [...both, ...alone].filter(({ id }) => store === undefined || id === store)
      return { people: await staff.list(), invitations: await openInvitations(links, asked) }
    },
  )
  const data = people
    .filter(({ stores }) => store === undefined || stores.some(({ storeId }) => storeId === store))
    .map(shownPerson)
  const rows = data.map(({ email, enabled, formerEmail, name, signsInWith, stores }) => [
    formerEmail === undefined ? email : `${email} (was ${formerEmail})`,
    enabled ? 'enabled' : 'DISABLED',
    signsInWith.join(', ') || 'nothing',
    stores.map(memberScopeText).join(', '),
    name,
  ])
  rows.push(...invitations.map(({ email, place }) => [email, 'invited', 'nothing', place, '']))
  const text =
    rows.length === 0
      ? 'There are no people yet: cofre person add <email> --store <id>'
      : table(['E-mail', 'State', 'Signs in with', 'Stores', 'Name'], rows)
  return { data, text: `${text}\n` }
}

interface MemberScope {
  readonly id: string
  readonly role: Role | undefined
  readonly environment?: 'sandbox'
}

function memberScopeText({ id, role, environment }: MemberScope): string {
  return `${id} (${role}${environment === undefined ? '' : ', sandbox alone'})`
}

function memberScopeOf(id: string, role: Role | undefined, scope: RoleScope): MemberScope {
  return { id, role, ...(scope === 'sandbox' && { environment: scope }) }
}

async function storesOfSandbox(context: CommandContext): Promise<readonly string[]> {
  const present = await presentEnvironments(await gatewayConfig(context))
  if (!present.includes('sandbox')) return []
  return await withStores(context, { environment: 'sandbox' }, async ({ stores }) =>
    (await stores.list()).map(({ id }) => id),
  )
}

/** Open invitations, without which a list would seem empty. */
async function openInvitations(
  links: OpenedStores['people']['links'],
  stores: readonly { readonly id: string; readonly scope: RoleScope }[],
) {
  const found: { readonly email: string; readonly place: string }[] = []
  for (const { id, scope } of stores)
    for (const { email, role } of await links.open(id, scope))
      if (email !== undefined)
        found.push({ email, place: memberScopeText(memberScopeOf(id, role, scope)) })
  return found
}

function shownPerson(person: Person) {
  const { email, enabled, formerEmail, hasPassword, isEmailProved, name, passkeys, stores } = person
  const keys = passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`
  return {
    email,
    ...(formerEmail !== undefined && { formerEmail }),
    emailProved: isEmailProved,
    name,
    enabled,
    signsInWith: [...(hasPassword ? ['password'] : []), ...(passkeys > 0 ? [keys] : [])],
    stores: stores.map(({ storeId, role, scope }) => memberScopeOf(storeId, role, scope)),
  }
}

function enabling(enabled: boolean) {
  return async (context: CommandContext, { email }: PersonOptions): Promise<Shown> => {
    const result = await withPeople(context, ({ staff }) =>
      enabled ? staff.enable(email, byOperator()) : staff.disable(email, byOperator()),
    )
    refuse(result, email)
    const text = enabled
      ? `${email} may enter the console again.\n`
      : `${email} may not enter the console; all sessions and links have ended.\n${await secretsOf(context, email)}`
    return { data: { email, enabled }, text }
  }
}

/** Warns of secrets that a person without access still knows. */
async function secretsOf(context: CommandContext, email: string, store?: string): Promise<string> {
  const drawn = await withPeople(context, async ({ acts, staff }) => {
    const person = (await staff.list()).find((one) => one.email === emailOf(email))
    return person === undefined ? [] : await acts.drawnSecrets(person.id)
  })
  return drawn
    .filter(({ storeId }) => store === undefined || storeId === store)
    .map(({ storeId, environment }) => {
      const sandbox = sandboxOption(environment)
      return `This person has drawn a secret key of ${storeId} and knows it: cofre store rotate ${storeId}${sandbox} --at-once ends it.\n`
    })
    .join('')
}

/** @throws SetupError */
function refuse(result: MembershipResult, email: string): void {
  if (result === 'not-found') throw unknownPerson(email)
  if (result === 'last-owner')
    throw new SetupError(
      `${email} is the last owner of a store who can sign in`,
      'make another owner first: cofre person add <email> --store <id>',
    )
}

function unknownPerson(email: string): SetupError {
  return new SetupError(`Nobody has the e-mail ${email}`, LIST_HINT)
}
