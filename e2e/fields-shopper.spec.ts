import { readFileSync } from 'node:fs'
import process from 'node:process'
import { type CDPSession, type Page, chromium, expect } from '@playwright/test'
import ts from 'typescript'
import { expectAccessible } from './accessibility.js'
import { findWindowedBrowser } from './browser.js'
import { expectRunning } from './card-frame.js'
import { STORE } from './cofre-process.js'
import {
  CARD,
  FIELDS_SCRIPT,
  expectReady,
  frameOf,
  openFields,
  registerOrigins,
  strictPolicy,
  test,
  fieldEvents,
  tokenOf,
  typeCard,
} from './fields-story.js'
import { SCRIPT, VISA, expectPayable } from './library-story.js'

const scriptTag = (vaultUrl: string, name: string): string =>
  `<script src="${vaultUrl}/${name}"></script>`

for (const names of [
  [FIELDS_SCRIPT, SCRIPT],
  [SCRIPT, FIELDS_SCRIPT],
  [FIELDS_SCRIPT, SCRIPT, FIELDS_SCRIPT, SCRIPT],
]) {
  test(`the global has library and fields with ${names.join(', ')}`, async ({
    page,
    cofre,
    registered: shop,
    vaultUrl,
  }) => {
    const head = names.map((name) => scriptTag(vaultUrl, name)).join('')
    await typeCard(await openFields(page, { shop, vaultUrl, head }))
    await expectPayable(cofre, await tokenOf(page))
    const token = await page.evaluate(
      (card) => new window.Cofre.PaymentMethod().createDirectToken(card),
      VISA,
    )
    await expectPayable(cofre, [null, token])
  })
}

test('Tab goes through the fields in their order, and out of the frame', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const body = '<input id="before"><div id="fields"></div><button id="after">Pay</button>'
  const frame = await openFields(page, { shop, vaultUrl, body })
  await page.locator('#before').focus()
  const seen: string[] = []
  for (const field of ['number', 'expiry', 'cvv']) {
    await page.keyboard.press('Tab')
    await expect(frame.locator(`#${field}`)).toBeFocused()
    seen.push(field)
  }
  await page.keyboard.press('Tab')
  await expect(page.locator('#after')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(frame.locator('#cvv')).toBeFocused()
  const focused = async () =>
    (await fieldEvents(page)).all.filter(([name]) => name === 'focus').map(([, event]) => event)
  await expect.poll(focused).toEqual([...seen, 'cvv'].map((field) => ({ field })))
})

for (const [language, title, names] of [
  ['pt-BR', 'Dados do cartão', ['Número do cartão', 'Validade', 'Código (CVV)']],
  ['en', 'Card details', ['Card number', 'Expiry date', 'Code (CVV)']],
  ['es', 'Datos de la tarjeta', ['Número de la tarjeta', 'Vencimiento', 'Código (CVV)']],
] as const) {
  test(`frame and fields have names in ${language}`, async ({
    page,
    registered: shop,
    vaultUrl,
  }) => {
    const frame = await openFields(page, { shop, vaultUrl, options: { language } })
    await expect(page.locator('iframe')).toHaveAttribute('title', title)
    expect(await page.locator('iframe').getAttribute('role')).toBeNull()
    for (const name of names)
      await expect(frame.getByRole('textbox', { name, exact: true })).toBeVisible()
    await expect(frame.locator('html')).toHaveAttribute('lang', language)
  })
}

test('an error is shown beside its field, and is announced', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const frame = await openFields(page, { shop, vaultUrl })
  const number = frame.getByRole('textbox', { name: 'Card number' })
  await number.pressSequentially('4111111111111112')
  await page.keyboard.press('Tab')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(number).toHaveAccessibleDescription('Visa Check the card number.')
  await number.press('End')
  await number.press('Backspace')
  await number.pressSequentially('1')
  await expect(number).toHaveAttribute('aria-invalid', 'false')
  await expect(number).toHaveAccessibleDescription('Visa')

  const rejected = await page.evaluate(() =>
    (window.fields.getDirectToken() as Promise<string>).catch((error: unknown) => {
      const { code, fields } = error as { code: string; fields: string[] }
      return { code, fields }
    }),
  )
  expect(rejected).toEqual({ code: 'creditcard_invalid_fields', fields: ['cvv', 'month', 'year'] })
  const expiry = frame.getByRole('textbox', { name: 'Expiry' })
  await expect(expiry).toBeFocused()
  await expect(expiry).toHaveAccessibleDescription('Enter the expiry date.')
  await expect(frame.locator('#cvv')).toHaveAccessibleDescription('Enter the security code.')
})

test('a brand that is not accepted is refused by name, before anything is sent', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const frame = await openFields(page, { shop, vaultUrl })
  await typeCard(frame, { number: '6011111111111117', expiry: '12/35', cvv: '123' } as never)
  expect(await tokenOf(page)).toEqual(['creditcard_invalid_fields'])
  await expect(frame.locator('#number')).toHaveAccessibleDescription(/accept this brand/)
})

for (const [what, filled] of [
  ['as Chrome does', { number: '4111111111111111', expiry: '12/35', cvv: '737' }],
  ['with a long year', { number: '4111 1111 1111 1111', expiry: '12/2035', cvv: '737' }],
  ['without separators', { number: '4111-1111-1111-1111', expiry: '1235', cvv: '737' }],
  ['as a month input would be', { number: '4111111111111111', expiry: '2035-12', cvv: '737' }],
] as const) {
  test(`a card that is filled in at once pays, ${what}`, async ({
    page,
    cofre,
    registered: shop,
    vaultUrl,
  }) => {
    const frame = await openFields(page, { shop, vaultUrl })
    for (const [field, value] of Object.entries(filled))
      await frame.locator(`#${field}`).evaluate((input, text) => {
        const filledIn = input as HTMLInputElement
        filledIn.value = text
        filledIn.dispatchEvent(new Event('input', { bubbles: true }))
        // The fields leave an autofilled value unchanged until the browser reports its change.
        if (filledIn.value !== text) throw new Error('fought the autofill')
        filledIn.dispatchEvent(new Event('change', { bubbles: true }))
      }, value)
    await expect(frame.locator('#number')).toHaveValue(CARD.number)
    await expect
      .poll(async () => (await fieldEvents(page)).last.change)
      .toMatchObject({ complete: true })
    await expectPayable(cofre, await tokenOf(page))
  })
}

test('a number is typed, corrected and pasted with the caret at the right place', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const frame = await openFields(page, { shop, vaultUrl })
  const number = frame.locator('#number')
  await number.pressSequentially('411111111111')
  await expect(number).toHaveValue('4111 1111 1111')
  for (let i = 0; i < 10; i++) await number.press('ArrowLeft')
  await number.pressSequentially('55')
  await expect(number).toHaveValue('4111 5511 1111 11')
  await number.press('Backspace')
  await number.press('Backspace')
  await expect(number).toHaveValue('4111 1111 1111')
  const caret = await number.evaluate((input) => (input as HTMLInputElement).selectionStart)
  expect(caret).toBe(4)
  await number.press('ControlOrMeta+a')
  await page.keyboard.insertText('5555 5555 5555 4444')
  await expect(number).toHaveValue('5555 5555 5555 4444')
  await expect(frame.locator('#brand')).toHaveText('Mastercard')

  const expiry = frame.locator('#expiry')
  await expiry.pressSequentially('930')
  await expect(expiry).toHaveValue('09/30')
  for (let i = 0; i < 4; i++) await expiry.press('Backspace')
  await expect(expiry).toHaveValue('')
})

test('Enter in a field asks the page to pay', async ({ page, registered: shop, vaultUrl }) => {
  const frame = await openFields(page, { shop, vaultUrl })
  await frame.locator('#expiry').press('Enter')
  await expect.poll(async () => (await fieldEvents(page)).last).toHaveProperty('submit')
  expect(page.url()).toContain(shop.url)
})

test('the page can put the cursor into a field', async ({ page, registered: shop, vaultUrl }) => {
  const frame = await openFields(page, { shop, vaultUrl })
  await page.evaluate(() => {
    window.fields.focus('cvv')
  })
  await expect(frame.locator('#cvv')).toBeFocused()
  await typeCard(frame, { number: CARD.number })
  await page.locator('button').focus()
  await page.evaluate(() => {
    window.fields.focus()
  })
  await expect(frame.locator('#expiry')).toBeFocused()
})

for (const [what, viewport, zoom] of [
  ['on 320 px', { width: 320, height: 600 }, 1],
  ['at 200 %', { width: 640, height: 600 }, 2],
  ['at 400 %', { width: 1280, height: 800 }, 4],
] as const) {
  test(`nothing runs over its edge ${what}, and the frame is as high as its content`, async ({
    page,
    registered: shop,
    vaultUrl,
  }) => {
    // A zoomed page has a viewport that is smaller by the zoom factor.
    const { width, height } = viewport
    await page.setViewportSize({ width: width / zoom, height: Math.round(height / zoom) })
    const frame = await openFields(page, { shop, vaultUrl, options: { language: 'pt-BR' } })
    await tokenOf(page)
    await expect(frame.locator('#cvv-error')).not.toBeEmpty()
    const overflow = (): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await overflow()).toBeLessThanOrEqual(0)
    const inside = await frame.locator('html').evaluate((root) => ({
      wide: root.scrollWidth - root.clientWidth,
      high: root.scrollHeight,
    }))
    expect(inside.wide).toBeLessThanOrEqual(0)
    await expect
      .poll(() => page.evaluate(() => document.querySelector('iframe')?.offsetHeight))
      .toBe(inside.high)
  })
}

test('axe finds nothing, in both colours, empty and with errors', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const scheme = `<meta name="color-scheme" content="${colorScheme}">`
    const head = scheme + scriptTag(vaultUrl, FIELDS_SCRIPT)
    // Axe does not see through a frame: it assumes a white background.
    const style = colorScheme === 'dark' ? { colorBackground: '#121212' } : {}
    const frame = await openFields(page, { shop, vaultUrl, head, options: { style } })
    await expectAccessible(page)
    await typeCard(frame, { number: CARD.number })
    await tokenOf(page)
    await expect(frame.locator('#cvv-error')).not.toBeEmpty()
    await expectAccessible(page)
  }
})

test('the colours follow the page, and the page’s style what is allowed', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const colourOf = (name: string) =>
    frameOf(page)
      .locator('#number')
      .evaluate((input, property) => getComputedStyle(input).getPropertyValue(property), name)
  await page.emulateMedia({ colorScheme: 'dark' })
  await openFields(page, { shop, vaultUrl })
  expect(await colourOf('background-color')).toBe('rgb(255, 255, 255)')
  const dark = '<meta name="color-scheme" content="light dark">'
  const head = dark + scriptTag(vaultUrl, FIELDS_SCRIPT)
  await openFields(page, { shop, vaultUrl, head })
  expect(await colourOf('background-color')).toBe('rgb(22, 27, 34)')
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await colourOf('background-color')).toBe('rgb(255, 255, 255)')

  const warned: string[] = []
  page.on('console', (message) => warned.push(message.text()))
  const style = {
    colorText: '#102030',
    fontSize: '20px',
    fontFamily: 'mono',
    borderRadius: '0',
    content: 'url(https://evil.example)',
    colorField: 'red;}body{display:none',
  }
  const headers = strictPolicy(vaultUrl)
  await openFields(page, { shop, vaultUrl, options: { style }, headers })
  expect(await colourOf('color')).toBe('rgb(16, 32, 48)')
  expect(await colourOf('font-size')).toBe('20px')
  expect(await colourOf('font-family')).toContain('ui-monospace')
  expect(await colourOf('border-top-left-radius')).toBe('0px')
  expect(await colourOf('background-color')).toBe('rgb(255, 255, 255)')
  expect(warned.toSorted()).toEqual([
    'CardFields: style.colorField is not allowed',
    'CardFields: style.content is not allowed',
  ])
})

test('a page that was left and is come back to can pay at once', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  shop.files.set('/next', { type: 'text/html', body: '<!doctype html><title>Next</title>' })
  await typeCard(await openFields(page, { shop, vaultUrl }))
  await page.goto(`${shop.url}/next`)
  await page.goBack()
  await expectReady(page)
  const frame = frameOf(page)
  await expect(frame.locator('#number')).toHaveValue('')
  await typeCard(frame)
  await expectPayable(cofre, await tokenOf(page))
})

test('a page that the browser has kept as it was can pay at once', async ({
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const executablePath = findWindowedBrowser()
  test.skip(executablePath === undefined, 'needs Chromium with windows')
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
    // Playwright disables it by default.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const page = await browser.newPage()
  shop.files.set('/next', { type: 'text/html', body: '<!doctype html><title>Next</title>' })
  await typeCard(await openFields(page, { shop, vaultUrl }))
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      document.title = `kept: ${String(persisted)}`
    })
  })
  await page.goto(`${shop.url}/next`)
  await page.evaluate(() => {
    history.back()
  })
  await expect.poll(() => page.title()).toBe('kept: true')
  await expectReady(page, 2)
  await expectPayable(cofre, await tokenOf(page))
  await browser.close()
})

test('fields that are destroyed leave nothing, and calls end', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  await typeCard(await openFields(page, { shop, vaultUrl }))
  const ended = await page.evaluate(async () => {
    const codeOf = (): Promise<string> =>
      (window.fields.getDirectToken() as Promise<string>).catch(
        (error: unknown) => (error as { code: string }).code,
      )
    const pending = codeOf()
    window.fields.destroy()
    const after = codeOf()
    window.fields.focus()
    return [await pending, await after, document.querySelectorAll('iframe').length]
  })
  expect(ended).toEqual(['credit_card_internal_error', 'session_network_error', 0])
})

test('a callback must be a function, and options must be whole', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const printed: string[] = []
  page.on('console', (message) => printed.push(message.text()))
  await openFields(page, { shop, vaultUrl })
  const returned = await page.evaluate(() =>
    [null, 'callback', {}].map((callback) => window.fields.getDirectToken(callback)),
  )
  expect(returned).toEqual([false, false, false])
  expect(printed).toEqual(Array(3).fill('callback_must_be_a_function'))
  const refused = await page.evaluate(() => {
    const Fields = Reflect.get(window.Cofre, 'CardFields') as new (...given: unknown[]) => unknown
    try {
      return new Fields(document.body, {})
    } catch (error) {
      return String(error)
    }
  })
  expect(refused).toBe('TypeError: CardFields: no store')
})

async function heapOf(session: CDPSession): Promise<string> {
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.takeHeapSnapshot')
  return chunks.join('')
}

async function frameSession(page: Page, vaultUrl: string): Promise<CDPSession> {
  const frame = page.frames().find((one) => one.url().startsWith(vaultUrl))
  if (frame === undefined) throw new Error('no frame of the vault')
  return await page.context().newCDPSession(frame)
}

test('the memory of the shop’s page never holds a digit', async ({
  page,
  cofre,
  shop,
  vaultUrl,
}) => {
  // Another site, so that browsers keep the page and the frame in separate processes.
  const url = shop.url.replace('127.0.0.1', 'localhost')
  await registerOrigins(cofre, [url])
  const frame = await openFields(page, { shop: { ...shop, url }, vaultUrl })
  await typeCard(frame)
  await expectPayable(cofre, await tokenOf(page))
  // The search finds a card that is present: only in the frame.
  await frame.locator('#number').evaluate((input) => {
    Reflect.set(window, 'kept', (input as HTMLInputElement).value)
  })
  const texts = ['4111111111111111', CARD.number, '411111', '4111 11']
  const found = (heap: string): string[] => texts.filter((text) => heap.includes(text))
  expect(found(await heapOf(await frameSession(page, vaultUrl)))).toContain(CARD.number)
  expect(found(await heapOf(await page.context().newCDPSession(page)))).toEqual([])
})

test('the React example pays, and clears up behind it', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const source = (file: string): string =>
    readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const { outputText } = ts.transpileModule(source('docs/examples/card-fields.tsx'), {
    compilerOptions: {
      jsx: ts.JsxEmit.ReactJSX,
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
    },
  })
  const fields = source('packages/client/dist/fields.js')
  shop.files.set('/card-fields.js', { type: 'text/javascript', body: outputText })
  shop.files.set('/fields.js', { type: 'text/javascript', body: fields })
  // React is not a dependency: hono's client runs in its place.
  const hono = new URL('.', import.meta.resolve('hono'))
  await page.route('**/hono/**', (route) => {
    const name = new URL(route.request().url()).pathname.replace('/hono/', '')
    return route.fulfill({
      contentType: 'text/javascript',
      body: readFileSync(new URL(name, hono)),
    })
  })
  const imports = {
    react: '/hono/jsx/dom/index.js',
    'react/jsx-runtime': '/hono/jsx/dom/jsx-runtime.js',
    'react-dom/client': '/hono/jsx/dom/client.js',
    '@cofre/client/fields': '/fields.js',
  }
  const start = `
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { CardFieldsForm } from '/card-fields.js'
    const onToken = (token) => { document.title = token }
    window.root = createRoot(document.getElementById('fields'))
    root.render(createElement(CardFieldsForm, { vaultUrl: '${vaultUrl}', store: '${STORE.id}', onToken }))`
  const body = `<!doctype html><html lang="en"><title>Shop</title><body><div id="fields"></div>
    <script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${start}</script>`
  shop.files.set('/react', { type: 'text/html', body })
  await page.goto(`${shop.url}/react`)
  const frame = frameOf(page)
  await expectRunning(frame)
  await frame.getByRole('textbox', { name: 'Card number' }).pressSequentially(CARD.number)
  await expect(page.getByRole('status')).toHaveText('visa')
  await typeCard(frame, { expiry: CARD.expiry, cvv: CARD.cvv })
  await frame.locator('#cvv').press('Enter')
  await expect.poll(() => page.title()).toMatch(/^[\w-]+\.\./)
  await expectPayable(cofre, [null, await page.title()])
  await page.evaluate(() => {
    ;(Reflect.get(window, 'root') as { unmount(): void }).unmount()
  })
  await expect(page.locator('iframe')).toHaveCount(0)
})
