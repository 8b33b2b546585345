import { type By, type Person, type Role, type StaffResult, emailOf } from '@cofre/people'
import { SetupError } from '../config/errors.js'
import type { OpenedStores } from '@cofre/gateway/upkeep'
import {
  type CommandContext,
  type Shown,
  operator,
  table,
  timeText,
  sandboxOption,
} from './command.js'
import { unknownStore, withStores } from './opened-stores.js'

interface PersonOptions {
  readonly email: string
}

interface AddOptions extends PersonOptions {
  readonly store: string
  readonly role: Role
}

const LIST_HINT = 'see cofre person list'

/** `cofre person`: the people of the console, who are in production's database. */
export const personCommands = {
  'person add': add,
  'person uninvite': uninvite,
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

async function add(context: CommandContext, { email, role, store }: AddOptions): Promise<Shown> {
  const invitation = { storeId: store, email, role }
  const { link, known } = await withPeople(context, async ({ links, staff }) => ({
    link: await links.invite(invitation, byOperator()),
    known: (await staff.list()).find((person) => person.email === emailOf(email)),
  }))
  if (typeof link === 'string') throw unknownStore(store, 'production')
  const shown = shownLink(context, link)
  const text = `${email} becomes ${role} of the store ${store} by this link:\n${shown.url}\n${shown.text}${hintFor(known)}`
  return { data: { email, store, role, ...shown.data }, text }
}

/** Who is known signs in to accept a link. */
function hintFor(known: Person | undefined): string {
  if (known === undefined) return ''
  if (!known.enabled)
    return `${known.email} is disabled: cofre person enable ${known.email} comes first.\n`
  return known.hasPassword || known.passkeys > 0
    ? `${known.email} has access already, and signs in to accept.\n`
    : `${known.email} has nothing to sign in with: cofre person reset ${known.email} comes first.\n`
}

async function reset(context: CommandContext, { email }: PersonOptions): Promise<Shown> {
  const link = await withPeople(context, ({ links }) => links.reset(email, byOperator()))
  if (link === undefined) throw unknownPerson(email)
  const shown = shownLink(context, link)
  const text = `${email} sets password and authenticator anew by this link:\n${shown.url}\n${shown.text}`
  return { data: { email, ...shown.data }, text }
}

async function uninvite(
  context: CommandContext,
  { email, store }: Omit<AddOptions, 'role'>,
): Promise<Shown> {
  const ended = await withPeople(context, async ({ links }) => {
    const open = await links.open(store)
    const own = open.filter((link) => link.email === emailOf(email))
    const results = await Promise.all(own.map(({ id }) => links.end(store, id, byOperator())))
    return results.includes('done')
  })
  if (!ended)
    throw new SetupError(`No invitation of ${email} to the store ${store} is open`, LIST_HINT)
  const text = `The link that ${email} was invited by does not work any more.\n`
  return { data: { email, store }, text }
}

interface RenameOptions extends PersonOptions {
  /** Its e-mail, or its id where it has none. */
  readonly person: string
}

async function rename(context: CommandContext, which: RenameOptions): Promise<Shown> {
  const result = await withPeople(context, ({ staff }) => staff.rename(which, byOperator()))
  const { email, person } = which
  if (result === 'not-found') throw unknownPerson(person)
  if (result !== 'done') throw new SetupError(`${email} is the e-mail of another person`, LIST_HINT)
  return { data: { person, email }, text: `${person} signs in as ${email} from now on.\n` }
}

type MadeLink = NonNullable<Awaited<ReturnType<OpenedStores['people']['links']['reset']>>>

function shownLink(context: CommandContext, { token, expiresAtMs }: MadeLink) {
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
  const { people, invitations } = await withStores(
    context,
    { environment: 'production' },
    async ({ people: { staff, links }, stores }) => ({
      people: await staff.list(),
      invitations: await openInvitations(
        links,
        (await stores.list())
          .map(({ id }) => id)
          .filter((id) => store === undefined || id === store),
      ),
    }),
  )
  const data = people
    .filter(({ stores }) => store === undefined || stores.some(({ storeId }) => storeId === store))
    .map(shownPerson)
  const rows = data.map(({ email, enabled, formerEmail, name, signsInWith, stores }) => [
    formerEmail === undefined ? email : `${email} (was ${formerEmail})`,
    enabled ? 'enabled' : 'DISABLED',
    signsInWith.join(', ') || 'nothing',
    stores.map(({ id, role }) => `${id} (${role})`).join(', '),
    name,
  ])
  rows.push(...invitations.map(({ email, place }) => [email, 'invited', 'nothing', place, '']))
  const text =
    rows.length === 0
      ? 'There is nobody yet: cofre person add <email> --store <id>'
      : table(['E-mail', 'State', 'Signs in with', 'Stores', 'Name'], rows)
  return { data, text: `${text}\n` }
}

/** Who was invited by a link that still works, without whom a list would look empty. */
async function openInvitations(
  links: OpenedStores['people']['links'],
  storeIds: readonly string[],
) {
  const found: { readonly email: string; readonly place: string }[] = []
  for (const id of storeIds)
    for (const { purpose, email, role } of await links.open(id))
      if (purpose === 'invite' && email !== undefined)
        found.push({ email, place: `${id} (${role})` })
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
    stores: stores.map(({ storeId, role }) => ({ id: storeId, role })),
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

/** What somebody who is kept out goes on knowing. */
async function secretsOf(context: CommandContext, email: string): Promise<string> {
  const drawn = await withPeople(context, async ({ acts, staff }) => {
    const person = (await staff.list()).find((one) => one.email === emailOf(email))
    return person === undefined ? [] : await acts.drawnSecrets(person.id)
  })
  return drawn
    .map(({ storeId, environment }) => {
      const sandbox = sandboxOption(environment)
      return `It has drawn a secret key of ${storeId}, and knows it: cofre store rotate ${storeId}${sandbox} --at-once ends it.\n`
    })
    .join('')
}

/** @throws SetupError */
function refuse(result: StaffResult, email: string): void {
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
