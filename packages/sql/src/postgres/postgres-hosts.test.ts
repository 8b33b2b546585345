import { describe, expect, it } from 'vitest'
import { postgresServers } from './postgres-hosts.js'

describe('A URL of PostgreSQL', () => {
  it('of one host is read as the driver reads it', () => {
    for (const url of [
      'postgres://shop:pass@db.example:5432/cofre',
      'postgresql://db.example',
      'postgres://shop:p@ss@db.example/cofre?sslmode=verify-full',
      'postgres:///cofre?host=/var/run/postgresql',
    ]) {
      const { hosts, findsPrimary } = postgresServers(url)
      expect(hosts.map((host) => host.url)).toEqual([url])
      expect(findsPrimary).toBe(false)
    }
  })

  it('of several hosts is one URL for each, with the same user, database and options', () => {
    const { hosts, findsPrimary } = postgresServers(
      'postgresql://shop:p,@ss@a.example:5432,[::1]:5433,10.0.0.3/cofre?sslmode=verify-full&x=,@/',
    )
    expect(hosts).toEqual(
      ['a.example:5432', '[::1]:5433', '10.0.0.3'].map((name) => ({
        name,
        url: `postgresql://shop:p,@ss@${name}/cofre?sslmode=verify-full&x=,@/`,
      })),
    )
    expect(findsPrimary).toBe(true)
  })

  it.each(['read-write', 'primary'])('may require a primary in libpq’s form: %s', (attributes) => {
    const url = `postgres://db.example/cofre?target_session_attrs=${attributes}`
    expect(postgresServers(url).findsPrimary).toBe(true)
  })

  it.each([
    'postgres://shop:s3cret@a,b/cofre?target_session_attrs=standby',
    'postgres://shop:s3cret@a/cofre?target_session_attrs=read-only',
    'postgres://shop:s3cret@a,/cofre',
    'postgres://shop:s3cret@a:5432,b:port/cofre',
    'postgres://shop:s3cret@/cofre?host=a,b',
    'postgres://shop:s3cret@a/cofre?host=a,b',
  ])('that no server could serve is refused without showing it: %s', (url) => {
    const read = () => postgresServers(url)
    expect(read).toThrow(RangeError)
    expect(read).not.toThrow(/s3cret|shop/)
  })
})
