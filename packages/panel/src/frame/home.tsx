import type { StoreOfPerson } from '@cofre/people'
import { Hono } from 'hono'
import { type StorePath, addressIn } from '../model/console-gateway.js'
import type { PanelParts } from '../visit/panel-parts.js'
import { renderPage } from './render-page.js'
import { type PanelContext, type PanelEnv, useView, viewOf } from '../visit/visit.js'

/** Addresses without environment and store, which old links still use. */
const OLD_ADDRESS =
  /^\/(?:transactions|notifications|receiver|requests|checklist|test-data|clock|settlement|credentials|reset|figures)(?=\/|$)/

/** The pages outside the stores: they lead into one. */
export function homeRoutes(parts: PanelParts): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()

  app.get('/', async (c) => {
    const stores = await storesOf(c, parts)
    const [only] = stores
    if (only !== undefined && stores.length === 1)
      return c.redirect(addressIn(only, '/payments'), 303)
    const { title } = viewOf(c).texts.stores
    return renderPage(c, parts, { title, body: <Stores stores={stores} /> })
  })

  app.get('*', async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    if (!OLD_ADDRESS.test(pathname)) return next()
    const [only, ...others] = await storesOf(c, parts)
    if (only === undefined || others.length > 0) return c.redirect('/', 303)
    const path = pathname.replace(/^\/transactions/, '/payments')
    const place: StorePath = { environment: 'sandbox', storeId: only.storeId }
    return c.redirect(`${addressIn(place, path)}${search}`, 303)
  })
  return app
}

type ShownStore = StorePath & Partial<Pick<StoreOfPerson, 'role' | 'scope'>>

/** The person's stores, in production if the console has it, else in the sandbox. */
async function storesOf(c: PanelContext, parts: PanelParts): Promise<readonly ShownStore[]> {
  const { signedIn } = c.var
  if (signedIn === undefined) return []
  if (signedIn.kind === 'store-secret')
    return [{ environment: 'sandbox', storeId: signedIn.session.storeId }]
  const { production, sandbox } = parts.environments
  const shown = production === undefined ? 'sandbox' : 'production'
  const stores = (await parts.people?.staff.storesOf(signedIn.session.personId)) ?? []
  const places = stores.map(({ storeId, role, scope }): ShownStore => {
    return { environment: scope === 'sandbox' ? 'sandbox' : shown, storeId, role, scope }
  })
  // A store of the sandbox alone may be disabled; production has no record of it.
  const inSandbox = await Promise.all(
    places.map(async ({ storeId, scope }) => {
      const store = scope === 'sandbox' && (await sandbox?.backOffice.findMerchant(storeId))
      return typeof store === 'object' && store.enabled
    }),
  )
  return places.filter(({ scope }, index) => scope !== 'sandbox' || inSandbox[index] === true)
}

function Stores({ stores }: { readonly stores: readonly ShownStore[] }) {
  const { frame, roles, stores: texts } = useView().texts
  return (
    <>
      <h1>{texts.title}</h1>
      <p class="intro">{stores.length === 0 ? texts.none : texts.intro}</p>
      <ul class="stores">
        {stores.map((store) => (
          <li class="card actions">
            <a href={addressIn(store, '/payments')}>
              <code>{store.storeId}</code>
            </a>
            {store.role !== undefined && <span class="minor">{roles[store.role]}</span>}
            {store.scope === 'sandbox' && <span class="badge waiting">{frame.sandbox}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
