import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  TableNode,
  type UnknownRow,
} from 'kysely'

/** Other names for tables, by their own names. */
export type TableNames = ReadonlyMap<string, string>

/**
 * Makes queries use other tables with the same columns. Aliases stay, and so does SQL written as
 * text.
 */
export class RenamedTables implements KyselyPlugin {
  readonly #transformer: OperationNodeTransformer

  constructor(names: TableNames) {
    this.#transformer = new TableRenaming(names)
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId)
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
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
