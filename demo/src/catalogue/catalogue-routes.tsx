import { Hono } from 'hono'
import { renderPage } from '../page/render-page.js'
import type { ShopEnv } from '../shop-context.js'
import { CataloguePage } from './catalogue-page.js'

export function catalogueRoutes(): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()
  app.get('/', (c) => {
    const { language, messages } = c.var
    const body = <CataloguePage language={language} messages={messages} />
    return renderPage(c, { title: messages.shop.catalogue, body })
  })
  return app
}
