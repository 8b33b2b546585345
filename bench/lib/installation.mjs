import { startProduct } from './processes.mjs'
import { payOnce } from './requests.mjs'
import { seedWindow } from './seed.mjs'

/**
 * The product with one notified order, whose code searches ask for, and the payments that a search
 * by date finds.
 */
export async function install(environ, { receiver, windowPayments }) {
  const product = await startProduct(environ)
  const installation = { product, environ, port: product.ports.API }
  installation.code = await payOnce(product, receiver.url)
  await receiver.received(1)
  await seedWindow(installation, windowPayments)
  return installation
}
