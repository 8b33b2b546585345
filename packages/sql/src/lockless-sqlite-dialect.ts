import {
  type QueryCompiler,
  type SelectModifierNode,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely'

/** SQLite has one writer at a time: where PostgreSQL locks the rows that are read, nobody else can change them. */
export class LocklessSqliteDialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new LocklessQueryCompiler()
  }
}

class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'SkipLocked')
      super.visitSelectModifier(node)
  }
}
