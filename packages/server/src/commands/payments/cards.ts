import { administerVault } from '../../installation/keys.js'
import { type CommandContext, type InEnvironment, type Shown, operator } from '../line/command.js'

interface DeleteOptions extends InEnvironment {
  readonly code: string
  readonly store: string
}

/** `cofre cards`: an operator's acts on saved cards. */
export const cardsCommands = { 'cards delete': deleteCard }

async function deleteCard(
  context: CommandContext,
  { code, store, environment }: DeleteOptions,
): Promise<Shown> {
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
