import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { openTestVault, orderFor } from '../vault.fixture.js'
import { TestAccount, startProcess } from './charging.fixture.js'

for (const engine of TEST_ENGINES)
  it(`reports the ECI and the brand’s ids to a gateway that accepts them alone, on ${engine.name}`, async () => {
    const test = await openTestVault(engine)
    onTestFinished(() => test.database.close())
    const one = new TestAccount('one')
    const vault = startProcess(test, [one])
    const known = {
      paymentId: 'p1',
      nsu: undefined,
      authorizationCode: undefined,
      eci: '05',
      networkTransactionId: '123456789012345',
    }
    const approved = { outcome: 'approved', payment: known, surplus: [] } as const
    one.calls = [
      { kind: 'done', value: approved },
      { kind: 'done', value: { ...approved, payment: { ...known, paymentId: 'p2' } } },
    ]
    const newer = orderFor(await test.deposit(), { takesLongBin: true })
    expect(await vault.authorize(newer)).toMatchObject({
      charge: { eci: '05', hasNetworkIds: true },
    })
    expect(await vault.recall(newer)).toMatchObject({
      charge: { eci: '05', hasNetworkIds: true },
    })
    const older = await vault.authorize(orderFor(await test.deposit()))
    expect(older).toHaveProperty('charge.nsu')
    expect(older).not.toHaveProperty('charge.eci')
    expect(older).not.toHaveProperty('charge.hasNetworkIds')
  })
