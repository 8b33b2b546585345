import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  type OpenConsole,
  openConsole,
  type Developer,
  PANEL_URL,
  hiddenValue,
  visibleText,
  STORE_ID,
} from '../testing/whole-console.fixture.js'

const PEOPLE = `/production/${STORE_ID}/people`
const ACTS = `/production/${STORE_ID}/acts`

/** Posts a form of a page, then the requested code. */
async function submit(
  person: Developer,
  on: string,
  { action, ...fields }: { readonly action: string } & Readonly<Record<string, string>>,
) {
  const { html } = await person.get(on)
  const typed = { ...fields, here: on }
  const asked = await person.post(action, { ...typed, csrf: hiddenValue(html, 'csrf') })
  if (!asked.html.includes('step-up-code')) return asked
  const csrf = hiddenValue(asked.html, 'csrf')
  return await person.post(action, { ...typed, csrf, 'step-up-code': CODE })
}

let console: OpenConsole
let owner: Developer
beforeEach(() => {
  console = openConsole()
  owner = console.newPerson('owner')
})

describe('the people of a store', () => {
  it('are on one page, with their role', async () => {
    console.newPerson('support')
    const page = visibleText((await owner.get(PEOPLE)).html)
    expect(page).toContain('The owner owner@example.com Owner')
    expect(page).toContain('The support support@example.com Support')
  })

  it('are invited by a link of the configured host, shown once', async () => {
    const fields = { email: ' ana@example.com ', role: 'finance' }
    const { html, status } = await submit(owner, PEOPLE, { action: `${PEOPLE}/invite`, ...fields })
    expect(status).toBe(200)
    expect(visibleText(html)).toContain(`${PANEL_URL}/link/${'t'.repeat(43)}`)
    expect(console.acts).toContain(
      `- ${STORE_ID} person:per_owner link-made ana@example.com finance`,
    )
    expect((await owner.get(PEOPLE)).html).not.toContain('/link/')
  })

  it.each([
    [{ email: 'nobody', role: 'support' }, 'Enter a valid e-mail address.'],
    [{ email: 'ana@example.com', role: 'king' }, 'The form is incomplete'],
    [{ email: '', role: 'support' }, 'The form is incomplete'],
  ])('are not invited as %j', async (fields, text) => {
    await submit(owner, PEOPLE, { action: `${PEOPLE}/invite`, ...fields })
    expect(visibleText((await owner.get(PEOPLE)).html)).toContain(text)
    expect(console.acts).toEqual([])
  })

  describe('where letters are sent', () => {
    const letters: { to: string; text: string }[] = []
    const ways: (string | undefined)[] = []
    let isTaken = true
    beforeEach(() => {
      letters.length = 0
      ways.length = 0
      isTaken = true
      console = openConsole({
        mailer: {
          send: (letter) => {
            letters.push(letter)
            return isTaken ? Promise.resolve() : Promise.reject(new Error('550 no such box'))
          },
        },
      })
      const { invite } = console.people.links
      console.people.links.invite = async (invitation, by) => {
        ways.push(invitation.way)
        return await invite(invitation, by)
      }
      owner = console.newPerson('owner')
    })
    const fields = { action: `${PEOPLE}/invite`, email: 'ana@example.com', role: 'support' }

    it('get their link by e-mail, which proves it: the owner does not see it', async () => {
      const { html } = await submit(owner, PEOPLE, fields)
      expect(letters).toHaveLength(1)
      expect(letters[0]).toMatchObject({ to: 'ana@example.com' })
      expect(letters[0]?.text).toContain(`${PANEL_URL}/link/${'t'.repeat(43)}`)
      expect(visibleText(html)).toContain('We sent the invitation to ana@example.com.')
      expect(html).not.toContain('/link/ttt')
      expect(ways).toEqual(['letter'])
    })

    it('get another link, which proves nothing, by hand or where the letter fails', async () => {
      const byHand = await submit(owner, PEOPLE, { ...fields, way: 'by-hand' })
      expect([letters.length, ways]).toEqual([0, [undefined]])
      expect(byHand.html).toContain('/link/ttt')
      isTaken = false
      const unsent = visibleText((await submit(owner, PEOPLE, fields)).html)
      expect(unsent).toContain('Send the link yourself.')
      expect(unsent).toContain('/link/ttt')
      expect(ways).toEqual([undefined, 'letter', undefined])
      expect(console.logged.join()).not.toContain('/link/ttt')
    })
  })

  it('lose an open invitation when an owner ends it', async () => {
    console.openLinks.push({
      id: 'hash-1',
      purpose: 'invite',
      email: 'ana@example.com',
      role: 'support',
      actor: 'person:per_owner',
      actorName: 'The owner',
      actorEmail: 'owner@example.com',
      createdAtMs: 0,
      expiresAtMs: 1,
    })
    expect(visibleText((await owner.get(PEOPLE)).html)).toContain(
      'created by The owner (owner@example.com), valid until',
    )
    await submit(owner, PEOPLE, { action: `${PEOPLE}/links/end`, link: 'hash-1' })
    expect(console.acts).toEqual([`- ${STORE_ID} person:per_owner link-ended hash-1`])
    expect(visibleText((await owner.get(PEOPLE)).html)).toContain('The link no longer works.')
  })

  it('get another role, and are removed', async () => {
    console.newPerson('support')
    const support = `${PEOPLE}/per_support`
    await submit(owner, support, { action: `${support}/role`, role: 'finance' })
    const { location } = await submit(owner, support, { action: `${support}/remove` })
    expect(location).toBe(PEOPLE)
    expect(console.acts).toEqual([
      `- ${STORE_ID} person:per_owner role-changed per_support finance`,
      `- ${STORE_ID} person:per_owner taken-out per_support`,
    ])
    expect(visibleText((await owner.get(PEOPLE)).html)).toContain(
      'The person was removed from this store',
    )
  })

  it('leave with a secret key that they drew: the owner is informed', async () => {
    const developer = console.newPerson('developer')
    const store = `/production/${STORE_ID}/store`
    const { html } = await developer.get(store)
    const mark = hiddenValue(html, 'mark')
    await submit(developer, store, { action: `${store}/secret`, mark, confirm: 'yes' })
    const page = `${PEOPLE}/per_developer`
    expect(visibleText((await owner.get(page)).html)).toContain('Created the secret key')
    await submit(owner, page, { action: `${page}/remove` })
    expect(visibleText((await owner.get(PEOPLE)).html)).toContain(
      'knows a secret key that they created',
    )
  })

  it('are changed by no role without the permission, and the log names the person who tried', async () => {
    const support = console.newPerson('support')
    const csrf = hiddenValue((await support.get('/me')).html, 'csrf')
    const fields = { csrf, email: 'ana@example.com', role: 'owner' }
    for (const path of ['/invite', '/per_owner/role', '/per_owner/remove'])
      expect((await support.post(`${PEOPLE}${path}`, fields)).status).toBe(403)
    const by = `production ${STORE_ID} person:per_support`
    expect(console.acts).toEqual([
      `${by} link-made - asked from 192.0.2.1`,
      '1 refused why: role',
      `${by} role-changed per_owner asked from 192.0.2.1`,
      '3 refused why: role',
      `${by} taken-out per_owner asked from 192.0.2.1`,
      '5 refused why: role',
    ])
  })

  it('of the sandbox alone are on its pages, and its owner only invites to the sandbox', async () => {
    const people = `/sandbox/${STORE_ID}/people`
    const alone = console.newPerson('developer', [STORE_ID], 'sandbox')
    expect(visibleText((await owner.get(PEOPLE)).html)).not.toContain('The developer')
    expect(visibleText((await owner.get(people)).html)).toContain('Developer (sandbox)')
    expect((await alone.get(people)).status).toBe(403)
    const member = `${people}/per_developer`
    await submit(owner, member, { action: `${member}/role`, role: 'owner' })
    const sandboxOwner = console.newPerson('owner', [STORE_ID], 'sandbox')
    const fields = { email: 'eva@example.com', role: 'support' }
    await submit(sandboxOwner, people, { action: `${people}/invite`, ...fields })
    await submit(sandboxOwner, member, { action: `${member}/remove` })
    expect(console.acts).toEqual([
      `sandbox ${STORE_ID} person:per_owner role-changed per_developer owner`,
      `sandbox ${STORE_ID} person:per_owner link-made eva@example.com support`,
      `sandbox ${STORE_ID} person:per_owner taken-out per_developer`,
    ])
  })

  it('keep an owner', async () => {
    const own = `${PEOPLE}/per_owner`
    await submit(owner, own, { action: `${own}/remove` })
    expect(visibleText((await owner.get(PEOPLE)).html)).toContain(
      'the store needs an owner who can sign in',
    )
    expect((await owner.get(`${PEOPLE}/per_nobody`)).status).toBe(404)
  })
})

describe('the log', () => {
  it('lists person, act, time and origin, by person and act', async () => {
    const support = console.newPerson('support')
    await support.get(`/production/${STORE_ID}/payments.csv`)
    await owner.get(`${ACTS}.csv`)
    const page = async (query: string) => visibleText((await owner.get(`${ACTS}${query}`)).html)
    const all = await page('')
    expect(all).toContain('The support support@example.com List downloaded')
    expect(all).toContain('192.0.2.1')
    expect(all).toContain('list: transactions')
    expect(await page('?person=per_owner')).not.toContain('list: transactions')
    expect(await page('?act=export&person=per_support')).toContain('list: transactions')
    expect(await page('?act=refund:create')).toContain('No entries match this filter')
    // Values that no form offers filter nothing.
    expect(await page('?act=constructor&from=never')).toContain('list: transactions')
  })

  it('leaves as a file, row by row', async () => {
    await owner.get(`/production/${STORE_ID}/payments.csv`)
    const { html, status } = await owner.get(`${ACTS}.csv?separator=comma`)
    const [heads, first] = html.split('\r\n')
    expect(status).toBe(200)
    expect(heads).toMatch(
      /^When,Who,Action,Target,Outcome,Environment,Detail,IP address,.*,E-mail,Id$/,
    )
    expect(first).toContain(',The owner,List downloaded,')
    expect(first).toContain(',owner@example.com,person:per_owner')
  })
})
