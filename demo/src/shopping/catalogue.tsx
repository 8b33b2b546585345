import { fill } from '@cofre/pages'
import { Hono } from 'hono'
import { PRODUCTS, type Product } from '../model/product.js'
import { renderPage } from '../page/layout.js'
import { Drawing, useView } from '../page/view.js'
import type { ShopEnv } from '../page/visitor.js'

export function catalogueRoutes(): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()
  app.get('/', (c) => renderPage(c, { title: c.var.texts.shop.catalogue, body: <CataloguePage /> }))
  return app
}

function CataloguePage() {
  const { catalogue } = useView().texts
  return (
    <>
      <section class="hero">
        <Drawing
          name="landscape"
          viewBox="0 0 1440 420"
          class="landscape"
          preserveAspectRatio="xMaxYMax slice"
        />
        <div class="frame">
          <h1>{catalogue.heroTitle}</h1>
          <p>{catalogue.heroText}</p>
          <a class="button" href="#goods">
            {catalogue.heroAction}
          </a>
        </div>
      </section>
      <section class="frame" aria-labelledby="goods">
        <h2 id="goods">{catalogue.goods}</h2>
        <ul class="shelf tiles">
          {PRODUCTS.map((product) => (
            <ProductCard product={product} />
          ))}
        </ul>
      </section>
    </>
  )
}

function ProductCard({ product }: { readonly product: Product }) {
  const { texts, language, money } = useView()
  const { catalogue } = texts
  const { name, about } = product.texts[language]
  return (
    <li class="card product" data-testid={`product-${product.slug}`}>
      <Illustration slug={product.slug} />
      <p class="hint">
        {product.isShipped ? catalogue.physicalBadge : catalogue.digitalBadge}
        {product.isMadeToOrder && ` · ${catalogue.madeToOrder}`}
      </p>
      <h3>{name}</h3>
      <p class="hint">{about}</p>
      <form class="row" method="post" action="/cart/items">
        <input type="hidden" name="product" value={product.slug} />
        <span class="price number">{money(product.priceCentavos)}</span>
        <button aria-label={fill(catalogue.addToCartLabel, { name })}>{catalogue.addToCart}</button>
      </form>
    </li>
  )
}

/** A product's picture; its name is always beside it. */
export function Illustration({ slug }: { readonly slug: string }) {
  return <Drawing name={slug} viewBox="40 10 240 220" class="illustration" />
}
