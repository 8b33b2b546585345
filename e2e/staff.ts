// A store's staff, each with their own browser.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { type Browser, type Locator, type Page, expect } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectAccessibleInBothColours } from './accessibility.js'
import { COFRE, type CofreProcess, STORE } from './cofre-process.js'

const PASSWORD = 'uma senha longa 1'
const HEIGHT = 900
const WIDTHS = [1440, 390]

export interface Person {
  readonly page: Page
  /** The authenticator's current code. */
  readonly code: () => string
  readonly recoveryCodes: string[]
}

/** Runs a command on the product's data; returns its output. */
export async function command({ dataDir, ports }: CofreProcess, line: string): Promise<string> {
  const place = { COFRE_DATA_DIR: dataDir, COFRE_PANEL_PORT: String(ports.panel) }
  const env = { ...process.env, ...place }
  const args = [COFRE, ...line.split(' ')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return stdout
}

/** Returns the link that creates a person, as the command line does. */
export async function linkOf(cofre: CofreProcess, person: string): Promise<string> {
  const made = JSON.parse(await command(cofre, `person add ${person} --json`)) as { url: string }
  return made.url
}

/** Opens a link in a new browser, and becomes its person. */
export async function join(
  browser: Browser,
  link: string,
  { name }: { readonly name: string },
): Promise<Person> {
  const context = await browser.newContext({ locale: 'pt-BR' })
  const page = await context.newPage()
  await page.goto(link)
  await expectGoodPage(page)
  const form = page.locator('form').filter({ has: page.getByLabel('Nova senha') })
  await form.getByLabel('Nome', { exact: true }).fill(name)
  await form.getByLabel('Nova senha').fill(PASSWORD)
  const secret = await page.locator('#totp').innerText()
  const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) })
  await page.getByLabel('Código que aparece no autenticador').fill(totp.generate())
  await form.getByRole('button').last().click()
  const recoveryCodes = (await page.locator('#recovery-codes').innerText()).trim().split('\n')
  await page.getByRole('link', { name: 'Já guardei, continuar' }).click()
  await page.waitForURL('**/payments')
  return { page, code: () => totp.generate(), recoveryCodes }
}

/** Makes a person the first owner of a product's store. */
export async function joinFirstOwner(
  browser: Browser,
  cofre: CofreProcess,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<Person> {
  return join(browser, await linkOf(cofre, `${email} --store ${STORE.id}`), { name })
}

/** Confirms the identity with a recovery code: each works once, without waiting half a minute. */
export async function confirm({ page, recoveryCodes }: Person): Promise<void> {
  await page.getByLabel(/Código do autenticador/).fill(recoveryCodes.pop() ?? '')
  await page.getByRole('button', { name: 'Confirmar' }).click()
}

/** A proof is valid for five minutes; later the console requires a new one. */
export async function confirmIfAsked(person: Person, done: Locator): Promise<void> {
  const question = person.page.getByRole('heading', { name: 'Confirme que é você' })
  await expect(question.or(done).first()).toBeVisible()
  if (await question.isVisible()) await confirm(person)
}

/** Returns the link that adds a member. */
export async function invite(owner: Person, email: string, role: string): Promise<string> {
  await owner.page.goto(placeOf(owner.page, '/people'))
  await owner.page.getByLabel('E-mail').fill(email)
  await owner.page.getByLabel('Papel').selectOption({ label: role })
  await owner.page.getByRole('button', { name: 'Criar convite' }).click()
  const invitation = owner.page.locator('#invitation')
  await confirmIfAsked(owner, invitation)
  return (await invitation.innerText()).trim()
}

/** A page of the store, in the person's environment. */
export function placeOf(page: Page, path: string): string {
  const { origin, pathname } = new URL(page.url())
  const [, environment = '', store = ''] = pathname.split('/')
  return `${origin}/${environment}/${store}${path}`
}

/** The person may neither open the page of an act nor send its form. */
export async function expectForbidden(
  { page }: Person,
  path: string,
  form: Readonly<Record<string, string>> = {},
): Promise<void> {
  const url = placeOf(page, path)
  const csrf = await page.locator('[name=csrf]').first().inputValue()
  const headers = { origin: new URL(url).origin }
  const sent = await page.request.post(url, { form: { csrf, ...form }, headers })
  const opened = await page.request.get(url)
  expect([path, opened.status(), sent.status()]).toEqual([path, 403, 403])
}

/** The page is accessible in both colours, and fits a laptop and a phone. */
export async function expectGoodPage(page: Page): Promise<void> {
  await expectAccessibleInBothColours(page)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([page.url(), width, overflow]).toEqual([page.url(), width, 0])
  }
}
