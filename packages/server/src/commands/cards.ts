import { administerVault } from '../installation/keys.js'
import {
  type CommandContext,
  type SandboxOption,
  type Shown,
  environmentOf,
  operator,
} from './command.js'

interface DeleteOptions extends SandboxOption {
  readonly code: string
  readonly store: string
}

/** `cofre cards`: what an operator does to saved cards. */
export const cardsCommands = { 'cards delete': deleteCard }

async function deleteCard(context: CommandContext, options: DeleteOptions): Promise<Shown> {
  const { code, store } = options
  const environment = environmentOf(options)
  const isDeleted = await administerVault(context.config('dev'), context.clock, (vault) =>
    vault.deleteSavedCard({ environment, merchantId: store, code }, operator()),
  )
  return {
    data: { code, store, environment, deleted: isDeleted },
    text: isDeleted
      ? `The card ${code} is deleted.\n`
      : `The store ${store} has no card ${code} in ${environment}: nothing was deleted.\n`,
    isFailure: !isDeleted,
  }
}
