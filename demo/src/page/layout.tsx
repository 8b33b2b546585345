import type { Child, PropsWithChildren } from 'hono/jsx'
import { LANGUAGES, type Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { CartIcon, LockIcon, MountainMark } from './icon.js'
import { assetUrl } from './static-asset-routes.js'

const STYLESHEETS = [
  'colours.css',
  'shop.css',
  'catalogue.css',
  'cart.css',
  'checkout.css',
  'payment.css',
  'back-office.css',
] as const

interface LayoutProps {
  readonly title: string
  readonly language: Language
  readonly messages: Messages
  readonly cartCount: number
  /** Where the reader is, to come back to after changing the language. */
  readonly path: string
  readonly head: Child
}

/** The frame of every page. */
export function Layout(props: PropsWithChildren<LayoutProps>) {
  const { title, language, messages, head, children } = props
  const { shop } = messages
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${shop.name}`}</title>
        <link rel="icon" href={assetUrl('icon.svg')} type="image/svg+xml" />
        {STYLESHEETS.map((name) => (
          <link rel="stylesheet" href={assetUrl(name)} />
        ))}
        <noscript>
          <link rel="stylesheet" href={assetUrl('no-script.css')} />
        </noscript>
        {head}
      </head>
      <body>
        <a class="skip-link" href="#content">
          {shop.skipToContent}
        </a>
        <Header {...props} />
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="site-footer">
          <div class="frame">
            <p class="security-note">
              <LockIcon />
              {shop.securityNote}
            </p>
            <p>{shop.footer}</p>
            <p>
              <a href="/back-office">{shop.backOffice}</a>
            </p>
          </div>
        </footer>
      </body>
    </html>
  )
}

function Header({ language, messages, cartCount, path }: LayoutProps) {
  const { shop } = messages
  const [other] = LANGUAGES.filter((candidate) => candidate !== language)
  return (
    <header class="site-header">
      <p class="demo-notice">{shop.demoNotice}</p>
      <div class="frame">
        <a class="brand" href="/">
          <MountainMark />
          <span>
            <strong>{shop.name}</strong>
            <small>{shop.tagline}</small>
          </span>
        </a>
        <nav aria-label={shop.mainNavigation}>
          <a class="nav-catalogue" href="/" aria-current={path === '/' ? 'page' : undefined}>
            {shop.catalogue}
          </a>
          <a href="/orders" aria-current={path === '/orders' ? 'page' : undefined}>
            {shop.orders}
          </a>
          <a
            class="nav-language"
            href={`/language/${other ?? language}?to=${encodeURIComponent(path)}`}
            lang={other}
            hreflang={other}
          >
            {shop.otherLanguage}
          </a>
          <a class="nav-cart" href="/cart" aria-current={path === '/cart' ? 'page' : undefined}>
            <CartIcon />
            <span class="nav-cart-word">{shop.cart}</span>
            <span class="visually-hidden"> {shop.cartItems(cartCount)}</span>
            <span class="cart-count" aria-hidden="true" data-testid="cart-count">
              {cartCount}
            </span>
          </a>
        </nav>
      </div>
    </header>
  )
}
