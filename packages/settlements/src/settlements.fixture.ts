// A gateway with the room, whose stores are paid at banks and acquirers.
import type { ArrivedMoney } from '@cofre/banks/room'
import type { Database } from '@cofre/sql'
import { runOnce } from '@cofre/work'
import type { BoletoGateway } from '../../banks/src/payment/boleto-bank.fixture.js'
import type { TestEngine } from '@cofre/sql/testing'
import { type PixGateway, openPixGateway } from '../../banks/src/payment/pix-bank.fixture.js'
import { createSettlements } from './index.js'
import { type SettlementFormats, createSettlementFormats } from './model/settlement-formats.js'
import type { RoomTables } from './sql/settlement-tables.js'
import { storesOf } from './sql/stores-sql.js'
import { FOLLOWED } from '../../search/src/search.fixture.js'

const FORMAT = {
  titles: { en: 'Report', 'pt-BR': 'Relatório' },
  daysAhead: 2,
  loadReader: () => Promise.reject(new Error('the tests bring lines')),
}
/** Names and facts of formats, like those of the installation's readers. */
export const TEST_FORMATS = createSettlementFormats([
  { ...FORMAT, name: 'adyen' },
  { ...FORMAT, name: 'cnab', daysAhead: 60, namesCharges: true },
])

type Opened = PixGateway | BoletoGateway

/** @param open - Opens a gateway that reports money to this room. */
export async function withSettlements<Gateway extends Opened>(
  open: (over: { readonly money: ArrivedMoney }) => Promise<Gateway>,
  formats: SettlementFormats = TEST_FORMATS,
) {
  const later: { money?: ArrivedMoney } = {}
  const money = () => {
    if (later.money === undefined) throw new Error('the room is not open yet')
    return later.money
  }
  const test = await open({
    money: {
      recordList: (listed) => money().recordList(listed),
      lastDayOf: (format, lines) => money().lastDayOf(format, lines),
      recordFile: (file) => money().recordFile(file),
    },
  })
  const room = createSettlements({ ...test.parts, formats })
  later.money = room.money
  const stores = storesOf({ database: test.parts.database, formats })
  const own: Database<RoomTables> = test.parts.database
  return Object.assign(test, {
    ...stores,
    settlements: room.settlements,
    own,
    /** Runs the room's jobs once. */
    work: () => runOnce(room.work),
    /** Compares all waiting lines. */
    async compareAll() {
      while (await stores.settlementWork.round(test.parts.machineClock.now()));
    },
  })
}

/** Opens a gateway with a bank of PIX. */
export const openSettled = (engine: TestEngine, formats?: SettlementFormats) =>
  withSettlements((over) => openPixGateway(engine, { ...over, ...FOLLOWED }), formats)

export type SettledGateway = Awaited<ReturnType<typeof openSettled>>
