import { describe, expect, it } from 'vitest'
import { GroupCommit } from './group-commit.js'

/** Records the statements, and fails those that `fails` selects. */
function recorder(fails: (sql: string) => boolean = () => false) {
  const statements: string[] = []
  const execute = (sql: string): void => {
    statements.push(sql)
    if (fails(sql)) throw new Error(`${sql} failed`)
  }
  return { statements, execute }
}

const count = (statements: readonly string[], sql: string): number =>
  statements.filter((s) => s === sql).length

describe('GroupCommit', () => {
  it('gives concurrent units of work one commit and each its own savepoint', async () => {
    const connection = recorder()
    const commits = new GroupCommit(connection.execute)
    const values = await Promise.all(
      [1, 2, 3].map((n) => commits.transact(() => Promise.resolve(n))),
    )
    expect(values).toEqual([1, 2, 3])
    expect(count(connection.statements, 'COMMIT')).toBe(1)
    expect(count(connection.statements, 'SAVEPOINT work')).toBe(3)
  })

  it('lets one that arrives during a group join it', async () => {
    const connection = recorder()
    const commits = new GroupCommit(connection.execute)
    let late: Promise<string> | undefined
    await commits.transact(() => {
      late = commits.transact(() => Promise.resolve('late'))
      return Promise.resolve()
    })
    expect(await late).toBe('late')
    expect(count(connection.statements, 'COMMIT')).toBe(1)
  })

  it('lets one from the next turn of the event loop join it, as requests arrive', async () => {
    const connection = recorder()
    const commits = new GroupCommit(connection.execute)
    const late = new Promise((resolve) => {
      setImmediate(() => {
        resolve(commits.transact(() => Promise.resolve('late')))
      })
    })
    await commits.transact(() => Promise.resolve('early'))
    expect(await late).toBe('late')
    expect(count(connection.statements, 'COMMIT')).toBe(1)
  })

  it('gives those whose statements are known no savepoints, and runs the other kind after them', async () => {
    const { statements, execute } = recorder()
    const commits = new GroupCommit(execute)
    await Promise.all([
      commits.commit(() => {
        execute('one')
      }),
      commits.commit(() => {
        execute('two')
      }),
      commits.transact(() => Promise.resolve()),
      commits.commit(() => {
        execute('three')
      }),
    ])
    const guarded = ['SAVEPOINT work', 'RELEASE work']
    expect(statements).toEqual(['BEGIN IMMEDIATE', 'one', 'two', 'three', ...guarded, 'COMMIT'])
  })

  it('gives those a savepoint that join while one of the other kind runs', async () => {
    const { statements, execute } = recorder()
    const commits = new GroupCommit(execute)
    let late: Promise<void> | undefined
    await commits.transact(() => {
      late = commits.commit(() => {
        execute('late')
      })
      return Promise.resolve()
    })
    await late
    const guarded = ['SAVEPOINT work', 'RELEASE work', 'SAVEPOINT work', 'late', 'RELEASE work']
    expect(statements).toEqual(['BEGIN IMMEDIATE', ...guarded, 'COMMIT'])
  })

  it('undoes alone what fails of those that have none', async () => {
    const { statements, execute } = recorder((sql) => sql === 'taken')
    const commits = new GroupCommit(execute)
    const works = ['one', 'taken', 'two'].map((sql) =>
      commits.commit(() => {
        execute(sql)
        return sql
      }),
    )
    const results = await Promise.allSettled(works)
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const again = statements.slice(statements.indexOf('ROLLBACK'))
    expect(count(again, 'SAVEPOINT work')).toBe(3)
    expect(again.at(-1)).toBe('COMMIT')
    expect(results[1]).toMatchObject({ reason: { message: 'taken failed' } })
  })

  it('answers no caller before the commit, and all with its failure', async () => {
    const connection = recorder((sql) => sql === 'COMMIT')
    const commits = new GroupCommit(connection.execute)
    const results = await Promise.allSettled(
      [1, 2].map((n) => commits.transact(() => Promise.resolve(n))),
    )
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('reports a failure only once what its neighbours wrote is committed', async () => {
    const { statements, execute } = recorder()
    const commits = new GroupCommit(execute)
    const failing = commits.transact(() => Promise.reject(new Error('not the first')))
    const reportedAfter = failing.catch(() => statements.at(-1))
    await commits.transact(() => Promise.resolve('first'))
    expect(await reportedAfter).toBe('COMMIT')
  })

  it('continues after a commit that failed', async () => {
    let broken = true
    const commits = new GroupCommit(recorder((sql) => sql === 'COMMIT' && broken).execute)
    await expect(commits.transact(() => Promise.resolve(1))).rejects.toThrow('COMMIT failed')
    broken = false
    expect(await commits.transact(() => Promise.resolve(2))).toBe(2)
  })

  it('fails those who wait when a transaction cannot begin', async () => {
    const commits = new GroupCommit(recorder((sql) => sql === 'BEGIN IMMEDIATE').execute)
    await expect(commits.transact(() => Promise.resolve(1))).rejects.toThrow(
      'BEGIN IMMEDIATE failed',
    )
  })

  it('fails the whole group when a savepoint cannot be undone', async () => {
    const commits = new GroupCommit(recorder((sql) => sql === 'ROLLBACK TO work').execute)
    const results = await Promise.allSettled([
      commits.transact(() => Promise.resolve('written')),
      commits.transact(() => Promise.reject(new Error('disk full'))),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
