// Banks on the gateway of a test.
import type { TestEngine } from '@cofre/sql/testing'
import type { DueWork, WatchedWork } from '@cofre/work'
import {
  type GatewayCore,
  type GatewayParts,
  withUseCases,
} from '../../gateway/src/create-gateway.js'
import { type TestOptions, openTestGatewayOf } from '../../gateway/src/gateway.fixture.js'
import { startWorker } from '../../gateway/src/worker/worker-service.js'
import {
  type BankBase,
  type BankOptions,
  type BankParts,
  bankBase,
  bindBanks,
} from './bank-parts.js'
import { workAtBanks } from './bank-work.js'
import { banksOf } from './create-banks.js'
import type { ArrivedMoney, ListedPix, RecordedFile } from './model/arrived-money.js'
import { removeCharge } from './sql/charge-intent-sql.js'

/** Keeps what banks have reported of money, since no room compares it here. */
export function createTestMoney() {
  const files: RecordedFile[] = []
  const listed: ListedPix[] = []
  const money: ArrivedMoney = {
    recordList(list) {
      listed.push(list)
      return Promise.resolve()
    },
    lastDayOf: () => '2030-01-01',
    recordFile(file) {
      const known = files.findIndex(({ sha256 }) => sha256 === file.sha256)
      if (known < 0) files.push(file)
      return Promise.resolve(known < 0 ? files.length : known + 1)
    },
  }
  return { money, files, listed }
}

/** The dependencies of the use cases of the gateway and its banks. */
export type BankGatewayParts = GatewayParts & Omit<BankParts, keyof GatewayParts>

export interface BankTestOptions extends TestOptions, Partial<Omit<BankOptions, 'money'>> {
  readonly money?: ArrivedMoney
}

/** Binds the use cases of a gateway and of its banks. */
export function bankGatewayParts(base: GatewayCore & BankBase): BankGatewayParts {
  const banks = bindBanks(base)
  return { ...banks, ...withUseCases(banks, banksOf(banks).methodRoom) }
}

export async function openBankGateway(
  engine: TestEngine,
  {
    bankOf,
    bankTimeoutMs,
    boletoObjections,
    money = createTestMoney().money,
    ...over
  }: BankTestOptions = {},
) {
  const options = { bankOf, bankTimeoutMs, boletoObjections, money }
  const test = await openTestGatewayOf(
    engine,
    { intentRemovals: [removeCharge], ...over },
    (core) => ({ ...bankGatewayParts(bankBase(core, options)), money }),
  )
  const { parts } = test
  const gateway = {
    ...test.gateway,
    ...banksOf(parts),
    startWorker: (onTop: readonly DueWork[] = []) =>
      test.gateway.startWorker([...workAtBanks(parts), ...onTop]),
  }
  return { ...test, gateway }
}

/** The parts, with some of them replaced, in the payment methods too. */
export function withBankParts(
  parts: BankGatewayParts,
  replaced: Partial<BankGatewayParts>,
): BankGatewayParts {
  return bankGatewayParts({ ...parts, ...replaced })
}

/** Replaces parts in place: a gateway that was built from them uses the new ones. */
export function replaceBankParts(
  parts: BankGatewayParts,
  replaced: Partial<BankGatewayParts>,
): void {
  Object.assign(parts, withBankParts(parts, replaced))
}

/** A worker of the gateway and its banks. */
export function startBankWorker(parts: BankGatewayParts): WatchedWork {
  return startWorker({ ...parts, roomWork: [...parts.roomWork, ...workAtBanks(parts)] })
}
