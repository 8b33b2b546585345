import type { Environment } from '@cofre/contracts'
import { type Command, InvalidArgumentError } from 'commander'
import { administerVault } from '../vault-administration.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { operator } from './operator.js'

interface DeleteOptions extends JsonOption {
  readonly store: string
  readonly sandbox?: true
}

/** `cofre cards`: what an operator does to saved cards. */
export function addCardsCommands(program: Command, context: CommandContext): void {
  const cards = program
    .command('cards')
    .summary('Saved cards: delete')
    .description('Saved cards. No command shows one.')
    .addHelpText('after', EXAMPLES)
  cards
    .command('delete')
    .description(
      'Deletes a saved card, when its holder asks for it. Its code stops working at once.',
    )
    .argument('<code>', 'The code that the shop got for the card', readCode)
    .requiredOption('--store <id>', 'The store whose payer saved it')
    .option('--sandbox', 'In the sandbox (production otherwise)')
    .option(...JSON_OPTION)
    .action((code: string, options: DeleteOptions) => deleteCard(context, code, options))
}

async function deleteCard(
  context: CommandContext,
  code: string,
  { store, sandbox, ...options }: DeleteOptions,
): Promise<void> {
  const environment: Environment = sandbox === true ? 'sandbox' : 'production'
  const isDeleted = await administerVault(context.config('dev'), context.clock, (vault) =>
    vault.deleteSavedCard({ environment, merchantId: store, code }, operator()),
  )
  printData(context, options, {
    data: { code, store, environment, deleted: isDeleted },
    text: isDeleted
      ? `The card ${code} is deleted.\n`
      : `The store ${store} has no card ${code} in ${environment}: nothing was deleted.\n`,
  })
  if (!isDeleted) context.fail()
}

function readCode(text: string): string {
  if (/^[A-Za-z0-9]{32}$/.test(text)) return text
  throw new InvalidArgumentError('A code has 32 letters and digits.')
}

const EXAMPLES = `
Example
  cofre cards delete 7Jq1xk0vXPtFz8mC3sLwYd5RbN2aGhEu --store my-store
`
