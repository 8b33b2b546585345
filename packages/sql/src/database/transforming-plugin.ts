import type { KyselyPlugin, OperationNodeTransformer } from 'kysely'

/** A plugin that changes queries, and no results. */
export function transformingBy(transformer: OperationNodeTransformer): KyselyPlugin {
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: ({ result }) => Promise.resolve(result),
  }
}
