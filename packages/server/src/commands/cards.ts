import type { Command } from 'commander'
import { administerVault } from '../installation/keys.js'
import {
  type CommandContext,
  SANDBOX_OPTION,
  type SandboxOption,
  environmentOf,
  operator,
  reads,
  shows,
} from './command.js'

interface DeleteOptions extends SandboxOption {
  readonly store: string
}

/** `cofre cards`: what an operator does to saved cards. */
export function addCardsCommands(program: Command, context: CommandContext): void {
  const deletion = program
    .command('cards')
    .summary('Saved cards: delete')
    .description('Saved cards. No command shows one.')
    .addHelpText('after', EXAMPLES)
    .command('delete')
    .description(
      'Deletes a saved card, when its holder asks for it. Its code stops working at once.',
    )
    .argument('<code>', 'The code that the shop got for the card', readCode)
    .requiredOption('--store <id>', 'The store whose payer saved it')
    .option(...SANDBOX_OPTION)
  shows(deletion, context, async (code: string, options: DeleteOptions) => {
    const { store } = options
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
  })
}

const readCode = reads('A code has 32 letters and digits.', (text) =>
  /^[A-Za-z0-9]{32}$/.test(text) ? text : undefined,
)

const EXAMPLES = `
Example
  cofre cards delete 7Jq1xk0vXPtFz8mC3sLwYd5RbN2aGhEu --store my-store
`
