import type { Config, Role } from './config/config.js'
import { servedIn } from './served-environments.js'

/** What operators are told of a production that moves no money. */
export const PLAYED_BANK =
  "production is served by the sandbox's acquirer (COFRE_ACQUIRER=sandbox): its payments are played, and no money moves"

/** Whether processes with these roles serve production, or open its cards. The only acquirer there is, is the sandbox's. */
export function playsProductionsBank(config: Config, roles: readonly Role[]): boolean {
  return roles.includes('vault') || servedIn(config, roles)('production')
}
