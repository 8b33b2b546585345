import { deleteExamples } from '@cofre/gateway/upkeep'
import { SetupError } from '../../config/errors.js'
import { DATABASES } from '../../installation/databases.js'
import { type CommandContext, type Shown, gatewayConfig, isYes } from '../line/command.js'

/** `cofre sandbox reset`: removes the example payments from the sandbox of this data folder. */
export const sandboxResetCommand = { 'sandbox reset': reset }

async function reset(context: CommandContext, { yes }: { readonly yes?: true }): Promise<Shown> {
  const config = await gatewayConfig(context)
  if (yes !== true && !(await isAgreed(context)))
    return { data: { removed: 0 }, text: 'The examples stay.\n', isFailure: true }
  const removed = await DATABASES.sandbox.use(config, async (database) => {
    const sets = await database.reader.selectFrom('example_sets').select('merchant_id').execute()
    let count = 0
    for (const { merchant_id } of sets) count += await deleteExamples(database, merchant_id)
    return count
  })
  return { data: { removed }, text: `${removed} example payments were removed.\n` }
}

async function isAgreed({ terminal }: CommandContext): Promise<boolean> {
  if (terminal === undefined)
    throw new SetupError(
      'This removes the example payments from the sandbox, and there is no terminal to confirm it',
      'say --yes',
    )
  return isYes(await terminal.prompt('Remove the example payments from the sandbox? [y/N] '))
}
