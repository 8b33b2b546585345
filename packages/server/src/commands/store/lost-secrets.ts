import { type LostSecrets, findLostSecrets, withdrawLostSecrets } from '@cofre/gateway/upkeep'
import { DATABASES } from '../../installation/databases.js'
import { gatewayKeyFileOf, gatewayKeysAtHand } from '../../installation/keys.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  gatewayConfig,
  isYes,
  operator,
  sandboxOption,
} from '../line/command.js'

interface WithdrawOptions extends InEnvironment {
  readonly yes?: true
}

/** `cofre store give-up`: for a lost gateway key without any copy. */
export const lostSecretsCommands = { 'store give-up': withdraw }

async function withdraw(context: CommandContext, options: WithdrawOptions): Promise<Shown> {
  const { environment } = options
  const config = await gatewayConfig(context)
  const atHand = await gatewayKeysAtHand(config)
  const found = await DATABASES[environment].use(config, (database) =>
    findLostSecrets({ database, environment, keys: atHand, clock: context.clock }),
  )
  if ([found.stores, found.keys, found.accounts, found.people].some(({ length }) => length > 0)) {
    const tried = config.gatewayKeys === undefined ? gatewayKeyFileOf(config) : 'COFRE_GATEWAY_KEY'
    await confirm(context, options, `${tried} does not open ${namesOf(found)} of ${environment}.`)
  }
  const lost = await DATABASES[environment].use(config, (database) =>
    withdrawLostSecrets({
      database,
      environment,
      keys: atHand,
      clock: context.clock,
      actor: operator(),
    }),
  )
  const { stores, disabledBefore, keys, accounts, people } = lost
  const where = sandboxOption(environment)
  const text = [
    ...stores.map(
      (id) => `Disabled: cofre store rotate ${id} --at-once${where}, then store enable\n`,
    ),
    ...disabledBefore.map((id) => `Was disabled: cofre store rotate ${id} --at-once${where}\n`),
    ...keys.map(lostKeyText(where)),
    ...accounts.map((id) => `Without credentials: cofre account rotate ${id}${where}\n`),
    ...people.map((email) => `Without password: cofre person reset ${email}, or a passkey\n`),
  ].join('')
  const none = `Every secret of ${environment} can be opened: nothing was discarded.\n`
  return { data: { environment, ...lost }, text: text === '' ? none : text }
}

/** The next step for a key that was given up, named `store/key`. */
function lostKeyText(where: string) {
  return (named: string): string => {
    const [store, key] = named.split('/')
    return key === 'notifications'
      ? `Without secret of notifications: cofre store notification-secret ${store}${where}\n`
      : `Ended: key ${key} of ${store}: cofre store-key add ${store}${where}\n`
  }
}

function namesOf({ stores, keys, accounts, people }: Omit<LostSecrets, 'disabledBefore'>): string {
  return [
    ...(stores.length === 0 ? [] : [`the secrets of ${stores.join(', ')}`]),
    ...(keys.length === 0 ? [] : [`the keys ${keys.join(', ')}`]),
    ...(accounts.length === 0 ? [] : [`the credentials of ${accounts.join(', ')}`]),
    ...(people.length === 0 ? [] : [`the authenticators of ${people.join(', ')}`]),
  ].join(' and ')
}

/** @throws UsageError without a terminal, and if the answer is no */
async function confirm(
  { terminal }: CommandContext,
  { yes }: WithdrawOptions,
  what: string,
): Promise<void> {
  if (yes === true) return
  if (terminal === undefined)
    throw new UsageError(
      `${what} There is no terminal to confirm that the key is lost: --yes confirms it`,
    )
  const question = `${what} Is the key lost, and shall these be discarded for good? [y/N] `
  if (!isYes(await terminal.prompt(question)))
    throw new UsageError('nothing was discarded: the answer was no')
}
