import { type Request, expect } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothColours } from './accessibility.js'
import { STORE } from './cofre-process.js'
import { railOrder } from './orders.js'
import { test } from './story.js'

const REFERENCE = 'tried-in-the-reference'
const ORDER = railOrder('pix', {
  reference: REFERENCE,
  notificationUrl: 'http://127.0.0.1:9/notifications',
})

test('a developer pays in the reference, which signs in the page and contacts no other host', async ({
  page,
  product: {
    proxy: { url: origin },
  },
}) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const isOwn = (request: Request) =>
    request.url().startsWith('data:') || new URL(request.url()).origin === origin
  const requests: Request[] = []
  page.on('request', (request) => {
    requests.push(request)
  })

  await page.goto(`${origin}/docs`)
  await page.getByLabel('Id da loja').fill(STORE.id)
  await page.getByLabel('Chave secreta').fill(STORE.secret)

  const creation = page.locator('[id$="-createTransaction"]')
  await creation.locator('.opblock-summary-control').click()
  await creation.locator('textarea').first().fill(JSON.stringify(ORDER))
  await creation.getByRole('button', { name: 'Execute' }).click()
  const answer = creation.locator('.live-responses-table tbody')
  await expect(answer.locator('.response-col_status')).toContainText('201')
  await expect(answer).toContainText(REFERENCE)

  const found = page.locator('[id$="-searchTransactions"]')
  await found.locator('.opblock-summary-control').click()
  await found.locator('[data-param-name=reference] input').fill(REFERENCE)
  await found.getByRole('button', { name: 'Execute' }).click()
  await expect(found.locator('.live-responses-table tbody .response-col_status')).toContainText(
    '200',
  )

  expect(complaints).toEqual([])
  expect(requests.filter((request) => !isOwn(request))).toEqual([])
  for (const request of requests)
    expect(
      JSON.stringify([request.url(), await request.allHeaders(), request.postData()]),
    ).not.toContain(STORE.secret)
})

test('the reference and the page of errors are accessible in both colours', async ({
  page,
  product: {
    proxy: { url: origin },
  },
}) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${origin}/docs`)
    const creation = page.locator('[id$="-createTransaction"]')
    await creation.locator('.opblock-summary-control').click()
    await creation.locator('textarea').first().waitFor()
    await expectAccessible(page)
  }
  await page.goto(`${origin}/docs/errors`)
  await expectAccessibleInBothColours(page)
})

test('the reference has the letters and colours of its frame, and fits a telephone', async ({
  page,
  product: {
    proxy: { url: origin },
  },
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${origin}/docs`)
    const creation = page.locator('[id$="-createTransaction"]')
    await creation.locator('.opblock-summary-control').click()
    await creation.locator('.highlight-code').first().waitFor()
    const look = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      const styleOf = (name: string, value: string) => {
        probe.style.setProperty(name, value)
        return getComputedStyle(probe).getPropertyValue(name)
      }
      const own = (name: string, variables: readonly string[]) =>
        variables.map((variable) => styleOf(name, `var(--${variable})`))
      const seen = [...document.querySelectorAll('#reference *')].filter(
        (element) => element.checkVisibility() && element.textContent.trim() !== '',
      )
      const used = (name: string) => [
        ...new Set(seen.map((element) => getComputedStyle(element).getPropertyValue(name))),
      ]
      const inks = ['ink', 'ink-soft', 'accent-strong', 'on-accent', 'good', 'bad']
      const grounds = ['surface', 'sunken', 'accent', 'accent-soft', 'good-soft']
      const foreign = (name: string, variables: readonly string[]) => {
        const known = new Set([...own(name, variables), 'rgba(0, 0, 0, 0)'])
        return used(name).filter((value) => !known.has(value))
      }
      return {
        fonts: foreign('font-family', ['sans', 'mono']),
        inks: foreign('color', inks),
        grounds: foreign('background-color', grounds),
        width: document.querySelector('#reference')?.scrollWidth,
      }
    })
    expect(look).toEqual({ fonts: [], inks: [], grounds: [], width: 390 })
  }
})

test('every origin describes itself at /', async ({ cofre }) => {
  const { api, sandbox, vault, notices, metrics, panel, demo, productionDemo } = cofre.ports
  for (const port of [api, sandbox, vault, notices, metrics, panel, demo, productionDemo]) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { Accept: 'text/html' } })
    expect([port, answer.status]).toEqual([port, 200])
    expect(await answer.text()).toMatch(/<h1[^>]*>\s*\S/)
  }
})
