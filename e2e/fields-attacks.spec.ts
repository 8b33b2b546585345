import { type Page, expect } from '@playwright/test'
import { placesWithCardData } from './card-data-search.js'
import { STORE } from './cofre-process.js'
import {
  expectReady,
  frameOf,
  openFields,
  serveShopPage,
  test,
  fieldEvents,
  tokenOf,
  typeCard,
} from './fields-story.js'
import { expectPayable } from './library-story.js'
import { startShopServer } from './shop-server.js'

/** No digit of the card has reached the page. */
async function expectNoDigits(page: Page): Promise<void> {
  const { all } = await fieldEvents(page)
  expect(placesWithCardData([['heard', JSON.stringify(all)]])).toEqual([])
}

test('a shop whose origin is not registered gets no fields, and the reason', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const foreign = await startShopServer()
  const refused: string[] = []
  page.on('console', (message) => refused.push(message.text()))
  await page.clock.install()
  await page.goto(serveShopPage({ shop: foreign, vaultUrl }))
  await expect.poll(() => refused.join(' ')).toContain('frame-ancestors')
  await page.clock.runFor(11_000)
  await expect.poll(() => refused.join(' ')).toContain(`Is ${foreign.url} an origin of the store?`)
  const answer = tokenOf(page)
  await page.clock.runFor(11_000)
  expect(await answer).toEqual(['session_network_error'])
  expect((await fieldEvents(page)).all).toEqual([['error', { code: 'session_network_error' }]])
  await foreign.close()
  await openFields(page, { shop, vaultUrl })
})

test('a foreign page cannot frame the registered one to get at the fields', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const foreign = await startShopServer()
  const address = serveShopPage({ shop, vaultUrl })
  const body = `<!doctype html><iframe id="shop" src="${address}"></iframe>`
  foreign.files.set('/outer', { type: 'text/html', body })
  const refused: string[] = []
  page.on('console', (message) => refused.push(message.text()))
  await page.goto(`${foreign.url}/outer`)
  await expect.poll(() => refused.join(' ')).toContain('frame-ancestors')
  await foreign.close()
})

test('the frame communicates only with the page around it', async ({
  page,
  context,
  registered: shop,
  vaultUrl,
}) => {
  // A second frame of the shop and a popup hand over ports. The page's own window sends forged
  // messages and a port with a wrong protocol.
  shop.files.set('/thief', {
    type: 'text/html',
    body: `<script>
      window.heard = []
      window.offer = (target) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => heard.push(data)
        port1.postMessage({ type: 'init', style: {} })
        port1.postMessage({ type: 'tokenize', id: 1 })
        target.postMessage({ type: 'cofre-fields', protocol: 1 }, '*', [port2])
      }
    </script>`,
  })
  const body = '<div id="fields"></div><iframe id="thief" src="/thief"></iframe>'
  const frame = await openFields(page, { shop, vaultUrl, body })
  await typeCard(frame)
  const popup = context.waitForEvent('page')
  await page.evaluate(() => window.open('/thief', 'popup'))
  await (await popup).waitForLoadState()
  const heard = await page.evaluate(async () => {
    const thief = document.querySelector<HTMLIFrameElement>('#thief')?.contentWindow
    const other = window.open('', 'popup')
    const target = document.querySelector<HTMLIFrameElement>('#fields iframe')?.contentWindow
    for (const from of [thief, other])
      (Reflect.get(from ?? {}, 'offer') as (target: unknown) => void)(target)
    const forged: unknown[] = [
      'tokenize',
      { type: 'tokenize', id: 1 },
      { type: 'init', style: {} },
      { type: 'cofre-fields', protocol: 1 },
      { type: 'cofre-fields', protocol: 99 },
    ]
    for (const message of forged) target?.postMessage(message, '*')
    const { port1, port2 } = new MessageChannel()
    const own: unknown[] = []
    port1.onmessage = ({ data }) => own.push(data)
    port1.postMessage({ type: 'init', style: {} })
    target?.postMessage({ type: 'cofre-fields', protocol: 99 }, '*', [port2])
    await new Promise((resolve) => setTimeout(resolve, 500))
    return [thief, other]
      .flatMap((from) => Reflect.get(from ?? {}, 'heard') as unknown[])
      .concat(own)
  })
  expect(heard).toEqual([])
  expect((await tokenOf(page))[0]).toBeNull()
  await expectNoDigits(page)
})

test('messages of unknown types and forms change nothing', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const before = `
    window.ports = []
    const Real = MessageChannel
    window.MessageChannel = function () {
      const channel = new Real()
      ports.push(channel.port1)
      channel.port1.addEventListener('message', ({ data }) => heard.push(['port', data]))
      return channel
    }`
  const frame = await openFields(page, { shop, vaultUrl, before })
  await typeCard(frame)
  await page.evaluate(() => {
    const [port] = Reflect.get(window, 'ports') as MessagePort[]
    for (const message of [
      'read',
      { type: 'read', field: 'number' },
      { type: 'focus', field: 'constructor' },
      { type: 'init', style: { colorText: 'red;}body{display:none' } },
      { type: 'init', style: { cssText: 'display:none', colorField: 'url(https://evil.example)' } },
      { type: 'init', style: 'body{display:none}' },
      { type: 'tokenize', id: 'x' },
      { type: 'ready' },
      { type: '__proto__' },
      null,
    ])
      port?.postMessage(message)
  })
  await expectPayable(cofre, await tokenOf(page))
  await expect(frame.locator('#number')).toBeVisible()
  expect(
    await frame
      .locator('html')
      .evaluate((root) => [root.getAttribute('style'), root.innerHTML.includes('evil')]),
  ).toEqual([null, false])
  // The page has seen every message on the port itself.
  expect((await fieldEvents(page)).all.some(([name]) => name === 'port')).toBe(true)
  await expectNoDigits(page)
})

test('a frame that the page moves begins again, and calls under way end', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const body = '<div id="fields"></div><div id="elsewhere"></div>'
  await typeCard(await openFields(page, { shop, vaultUrl, body }))
  const pending = page.evaluate(
    () =>
      new Promise((resolve) => {
        window.fields.getDirectToken((error: unknown) => {
          resolve(error)
        })
        setTimeout(() => {
          document.getElementById('elsewhere')?.append(document.querySelector('iframe') ?? '')
        })
      }),
  )
  expect(['credit_card_internal_error', null]).toContain(await pending)
  await expectReady(page, 2)
  const moved = page.frameLocator('#elsewhere iframe')
  await expect(moved.locator('#number')).toHaveValue('')
  await typeCard(moved)
  await expectPayable(cofre, await tokenOf(page))
})

test('a frame that is led elsewhere gets nothing, and gives nothing', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const thief = await startShopServer()
  const heard = `<script>
    parent.postMessage({ type: 'ready' }, '*')
    addEventListener('message', ({ data, ports }) => {
      parent.postMessage(['stolen', data, ports.length], '*')
      for (const port of ports) port.postMessage({ type: 'ready' })
    })
  </script>`
  thief.files.set('/fake', { type: 'text/html', body: heard })
  await page.clock.install()
  await typeCard(await openFields(page, { shop, vaultUrl }))
  await page.evaluate((url) => {
    const frame = document.querySelector('iframe')
    frame?.contentWindow?.location.replace(url)
    return new Promise((resolve) => frame?.addEventListener('load', resolve))
  }, `${thief.url}/fake`)
  const answer = tokenOf(page)
  await page.clock.runFor(11_000)
  expect(await answer).toEqual(['session_network_error'])
  const fromThief = async () =>
    (await fieldEvents(page)).all.filter(([, origin]) => origin === thief.url)
  await expect.poll(fromThief).toEqual([['window', thief.url, { type: 'ready' }]])
  await thief.close()
})

test('a page that has covered, shrunk and moved the frame learns no more', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const frame = await openFields(page, { shop, vaultUrl })
  await page.evaluate(() => {
    const cover = document.createElement('input')
    cover.id = 'cover'
    Object.assign(cover.style, { position: 'fixed', inset: '0', opacity: '0.01', zIndex: '9' })
    const iframe = document.querySelector('iframe')
    Object.assign(iframe?.style ?? {}, { width: '200px', height: '1px', transform: 'scale(0.1)' })
    document.body.append(cover)
  })
  await typeCard(frame)
  expect(await page.locator('#cover').inputValue()).toBe('')
  // The frame grows to its content's height with the next change of that height.
  await page.evaluate(() => {
    document.querySelector('iframe')?.style.setProperty('width', '100%')
  })
  await expect
    .poll(() => page.evaluate(() => document.querySelector('iframe')?.offsetHeight ?? 0))
    .toBeGreaterThan(100)
  await expectPayable(cofre, await tokenOf(page))
  await expectNoDigits(page)
})

test('a page that has poisoned what the language has can neither read the card nor lose it', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const before = `
    const take = (name, value) => heard.push(['poison ' + name, value])
    let inside = false
    const wrap = (owner, name) => {
      const real = owner[name]
      owner[name] = function (...given) {
        if (!inside) {
          inside = true
          let seen = ''
          for (const one of given) seen += typeof one === 'object' ? Object.entries(one ?? {}) : typeof one === 'string' ? one : ''
          take(name, seen)
          inside = false
        }
        return real.apply(this, given)
      }
    }
    for (const name of ['map', 'includes', 'every', 'find', 'splice']) wrap(Array.prototype, name)
    wrap(JSON, 'stringify'); wrap(JSON, 'parse')
    wrap(MessagePort.prototype, 'postMessage'); wrap(Window.prototype, 'addEventListener')
    wrap(EventTarget.prototype, 'addEventListener'); wrap(Promise.prototype, 'then')
    wrap(Map.prototype, 'get'); wrap(String.prototype, 'replace'); wrap(RegExp.prototype, 'test')
    Object.defineProperty(Object.prototype, 'number', { get() { return 'poison' }, set(value) { take('number', value) }, configurable: true })
    for (const [name, value] of Object.entries({ baseUrl: 'https://evil.example', paymentPage: true, title: 'evil', language: 'en' }))
      Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true })
    Array.prototype.toJSON = () => 'an old library'`
  await page.goto(serveShopPage({ shop, vaultUrl, before }))
  const iframe = page.locator('#fields iframe')
  await expect(iframe).toHaveAttribute('src', new RegExp(`^${vaultUrl}/fields[?]store=${STORE.id}`))
  await expect(iframe).toHaveAttribute('title', 'Card details')
  await typeCard(frameOf(page))
  // Playwright's own calls fail in such a page: it reports through its title.
  await page.addScriptTag({
    content: `fields.getDirectToken((err, token) => {
      document.title = err === null ? token : err
      const seen = []
      for (const entry of heard) { let line = ''; for (const part of entry) { try { line += typeof part === 'object' ? Object.entries(part ?? {}) + ' ' : part + ' ' } catch {} } seen[seen.length] = line }
      document.documentElement.dataset.heard = seen.reduce((all, line) => all + line + '\\n', '')
    })`,
  })
  await expect.poll(() => page.title()).toMatch(/^[\w-]+\.\./)
  const heard = (await page.locator('html').getAttribute('data-heard')) ?? ''
  for (const poison of ['poison map', 'poison postMessage', 'poison then', 'poison test'])
    expect(heard).toContain(poison)
  expect(placesWithCardData([['heard', heard]])).toEqual([])
  await expectPayable(cofre, [null, await page.title()])
})

test('a token of the fields pays at no other store', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  // The store is part of the frame's address: the other store has no such origin.
  await page.clock.install()
  await page.goto(serveShopPage({ shop, vaultUrl, options: { store: 'other' } }))
  const answer = tokenOf(page)
  await page.clock.runFor(11_000)
  expect(await answer).toEqual(['session_network_error'])
})
