import type { ShopContext } from '../shop-context.js'

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/** The address the payer's browser connects from, IPv4 or IPv6; undefined when the server does not tell. */
export function payerIp(c: ShopContext): string | undefined {
  return c.env.incoming?.socket.remoteAddress?.replace(MAPPED_IPV4, '')
}
