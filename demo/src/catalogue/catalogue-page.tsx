import { formatCentavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { Illustration, Landscape } from './illustration.js'
import { PRODUCTS, type Product } from './product.js'

interface CataloguePageProps {
  readonly language: Language
  readonly messages: Messages
}

/** The shop's front. */
export function CataloguePage({ language, messages }: CataloguePageProps) {
  const { catalogue } = messages
  const shelf = (type: Product['type']) => (
    <ul class="shelf">
      {PRODUCTS.filter((product) => product.type === type).map((product) => (
        <ProductCard product={product} language={language} messages={messages} />
      ))}
    </ul>
  )
  return (
    <>
      <section class="hero">
        <Landscape />
        <div class="frame hero-text">
          <h1>{catalogue.heroTitle}</h1>
          <p>{catalogue.heroText}</p>
          <a class="button" href="#coffees">
            {catalogue.heroAction}
          </a>
        </div>
      </section>
      <ul class="frame promises">
        {catalogue.promises.map(({ title, text }) => (
          <li>
            <strong>{title}</strong>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <section class="frame" aria-labelledby="coffees">
        <h2 id="coffees">{catalogue.physicalTitle}</h2>
        {shelf('physical')}
      </section>
      <section class="frame" aria-labelledby="digital">
        <h2 id="digital">{catalogue.digitalTitle}</h2>
        {shelf('digital')}
      </section>
    </>
  )
}

interface ProductCardProps extends CataloguePageProps {
  readonly product: Product
}

function ProductCard({ product, language, messages }: ProductCardProps) {
  const { catalogue } = messages
  const { name, about } = product.texts[language]
  return (
    <li class="product" data-testid={`product-${product.slug}`}>
      <Illustration picture={product.picture} />
      <div class="product-text">
        <p class="badge">
          {product.type === 'physical' ? catalogue.physicalBadge : catalogue.digitalBadge}
        </p>
        <h3>{name}</h3>
        <p class="about">{about}</p>
        <form method="post" action="/cart/items">
          <input type="hidden" name="product" value={product.slug} />
          <span class="price">{formatCentavos(product.priceCentavos, language)}</span>
          <button class="button small" type="submit" aria-label={catalogue.addToCartLabel(name)}>
            {catalogue.addToCart}
          </button>
        </form>
      </div>
    </li>
  )
}
