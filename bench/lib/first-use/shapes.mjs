// The pages whose first tokens are compared: each loads its script from the vault's door and asks
// for one token.
import { readFileSync } from 'node:fs'
import { joseScript } from './jose-scripts.mjs'

const LIBRARY = new URL('../../../packages/client/dist/payment.cofre.min.js', import.meta.url)
const CARD = {
  creditCard: '4111111111111111',
  cvv: '737',
  expiration: { month: '12', year: '2030' },
}

const page = (script, ask) => `<!doctype html><title>Shop</title>${script}<script>
  const [{ responseEnd }] = performance.getEntriesByType('navigation')
  globalThis.outcome = (async () => {
    ${ask}
    return performance.now() - responseEnd
  })()
</script>`

/** Nothing but an input, a message that asks and a message that answers. */
const BARE_FRAME = `<!doctype html><title>Card</title><input aria-label="Card number">
<script src="/payment.js"></script><script src="/frame.js"></script>`
const FRAME_SCRIPT = `const payment = new Cofre.PaymentMethod()
addEventListener('message', async ({ data, source }) => {
  source.postMessage(await payment.createDirectToken(data), '*')
})
parent.postMessage('ready', '*')`
const FRAMING_SCRIPT = `const frame = document.createElement('iframe')
frame.src = new URL('/frame.html', document.currentScript.src)
const heard = () => new Promise((resolve) => {
  addEventListener('message', ({ data }) => resolve(data), { once: true })
})
const ready = heard()
addEventListener('DOMContentLoaded', () => document.body.append(frame))
globalThis.firstToken = async (card) => {
  await ready
  frame.contentWindow.postMessage(card, '*')
  return heard()
}`

/** What the vault's door serves, by path: the shapes' scripts and frames. */
export async function doorFiles() {
  return {
    '/payment.js': readFileSync(LIBRARY),
    '/jose.js': await joseScript(),
    '/framing.js': FRAMING_SCRIPT,
    '/frame.html': BARE_FRAME,
    '/frame.js': FRAME_SCRIPT,
  }
}

/** What the shop serves, by path. */
export function shopFiles(doorUrl) {
  const script = (name) => `<script src="${doorUrl}/${name}.js"></script>`
  const card = JSON.stringify(CARD)
  return {
    '/library.html': page(
      script('payment'),
      `await new Cofre.PaymentMethod().createDirectToken(${card})`,
    ),
    '/jose.html': page(script('jose'), `await firstToken(${card})`),
    '/frame.html': page(script('framing'), `await firstToken(${card})`),
  }
}
