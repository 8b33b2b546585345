import { type KyselyPlugin, OperationNodeTransformer, type QueryId, TableNode } from 'kysely'
import { transformingBy } from './transforming-plugin.js'

/** Other names for tables, by their own names. */
export type TableNames = ReadonlyMap<string, string>

/**
 * Makes queries use other tables with the same columns. Aliases stay, and so does SQL written as
 * text.
 */
export function renamingTables(names: TableNames): KyselyPlugin {
  return transformingBy(new TableRenaming(names))
}

class TableRenaming extends OperationNodeTransformer {
  readonly #names: TableNames

  constructor(names: TableNames) {
    super()
    this.#names = names
  }

  protected override transformTable(node: TableNode, queryId?: QueryId): TableNode {
    const name = this.#names.get(node.table.identifier.name)
    return name === undefined ? super.transformTable(node, queryId) : TableNode.create(name)
  }
}
