import { type KyselyPlugin, OperationNodeTransformer, ValueNode } from 'kysely'
import { transformingBy } from './transforming-plugin.js'

class LiteralConstants extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    const { value } = node
    const isConstant = typeof value === 'number' || typeof value === 'string'
    return isConstant ? ValueNode.createImmediate(value) : node
  }
}

/**
 * Writes numbers and texts into the SQL, not as parameters. An engine then sees that a condition is
 * that of a partial index; SQLite prepares a statement anew at each run if a parameter is compared
 * with a column in the condition of a partial index.
 */
export const LITERAL_CONSTANTS: KyselyPlugin = transformingBy(new LiteralConstants())
