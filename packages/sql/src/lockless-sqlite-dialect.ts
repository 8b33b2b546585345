import {
  type DialectAdapter,
  type QueryCompiler,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely'

/** SQLite has one writer at a time: where PostgreSQL locks the rows that are read, nobody else can change them. */
export class LocklessSqliteDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter()
  }

  override createQueryCompiler(): QueryCompiler {
    return new LocklessQueryCompiler()
  }
}

/**
 * Kysely migrates SQLite without a transaction: a process killed in the middle would leave a
 * database that no start can migrate.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'SkipLocked')
      super.visitSelectModifier(node)
  }
}
